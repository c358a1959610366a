//! Dragging. Firefox's own drag and drop needs a window system for its end: up to the last `dragover` its own events
//! come, and what follows is made by a script with the data that the page gave at the start.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::backend::{BackendError, Dropped, FrameId, Modifiers, MouseButton, Point, World};
use serde::Deserialize;
use serde_json::{Value, json};

use super::elements::handle;
use super::input::Actions;
use super::page::Page;
use crate::dragged::{keys, kind_of};

/// Remembers a drag in each document: its data are only to be read while it begins, so that is when they are copied.
const WATCH: &str = "() => {
    globalThis.e2eDrag?.stop();
    const state = globalThis.e2eDrag = { data: [], over: false, dropped: false };
    const begin = event => {
        state.source = event.composedPath()[0];
        state.event = event;
    };
    const collect = event => {
        state.prevented = event.defaultPrevented;
        for (const type of event.dataTransfer?.types ?? []) {
            if (type !== 'Files') state.data.push([type, event.dataTransfer.getData(type)]);
        }
        state.allowed = event.dataTransfer?.effectAllowed;
    };
    // What the browser would offer, which here offers nothing.
    const offer = event => {
        const allowed = event.dataTransfer?.effectAllowed ?? 'none';
        const offered = ['copy', 'link', 'move'].find(effect => new RegExp(`all|uninitialized|${effect}`, 'i').test(allowed));
        if (offered) event.dataTransfer.dropEffect = offered;
    };
    const over = event => { state.over = event.defaultPrevented; state.effect = event.dataTransfer?.dropEffect; };
    const drop = event => { if (event.isTrusted) state.dropped = true; };
    const ended = event => { if (event.isTrusted) state.ended = true; };
    const heard = [['dragstart', begin, true], ['dragstart', collect, false], ['dragenter', offer, true], ['dragover', offer, true], ['dragover', over, false], ['drop', drop, true], ['dragend', ended, true]];
    for (const [type, hear, capture] of heard) addEventListener(type, hear, capture);
    state.stop = () => { for (const [type, hear, capture] of heard) removeEventListener(type, hear, capture); };
}";
/// What a document knows of the drag, as JSON.
const TOLD: &str = "() => {
    const state = globalThis.e2eDrag;
    if (!state) return 'null';
    state.stop();
    const { data, dropped, over, allowed, effect } = state;
    return JSON.stringify({ began: !!state.event && !state.prevented, data, dropped, ended: !!state.ended, over, allowed, effect });
}";
/// Drops data at a point of the document; answers what was done with it, or the frame element that lies there.
const DROP: &str = "(given, x, y) => {
    let target = document.elementFromPoint(x, y);
    while (target?.shadowRoot?.elementFromPoint(x, y) && target.shadowRoot.elementFromPoint(x, y) !== target) target = target.shadowRoot.elementFromPoint(x, y);
    if (target && 'contentWindow' in target) return target;
    const { data, files, enter, keys, allowed, effect } = JSON.parse(given);
    const transfer = new DataTransfer();
    transfer.effectAllowed = allowed;
    transfer.dropEffect = effect;
    for (const [type, text] of data) transfer.setData(type, text);
    for (const { name, type, bytes } of files) {
        transfer.items.add(new File([Uint8Array.from(atob(bytes), byte => byte.charCodeAt(0))], name, { type }));
    }
    const fire = type => {
        const event = new DragEvent(type, {
            bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, view: window, dataTransfer: transfer, ...keys,
        });
        globalThis.e2eInjected?.vouch(event);
        return target.dispatchEvent(event);
    };
    if (!target) return 'none';
    if (enter) {
        fire('dragenter');
        const refused = fire('dragover');
        if (refused || transfer.dropEffect === 'none') { fire('dragleave'); return 'none'; }
    }
    fire('drop');
    return transfer.dropEffect;
}";
/// Ends the drag where it began.
const END: &str = "effect => {
    const source = globalThis.e2eDrag?.source;
    const dataTransfer = new DataTransfer();
    dataTransfer.dropEffect = effect;
    source?.dispatchEvent(new DragEvent('dragend', { bubbles: true, cancelable: false, composed: true, view: window, dataTransfer }));
}";
/// A browser takes a shorter move for a trembling hand.
const FIRST: f64 = 8.0;

/// What a document tells of a drag.
#[derive(Debug, Deserialize)]
struct Told {
    began: bool,
    /// What is dragged, by its kinds.
    data: Value,
    /// What may be done with it.
    allowed: Option<String>,
    /// The document took it at the last point …
    over: bool,
    /// … to do this with it.
    effect: Option<String>,
    dropped: bool,
    ended: bool,
}

impl Page {
    pub(super) async fn drag_along(
        &self,
        path: Vec<Point>,
        modifiers: Modifiers,
    ) -> Result<(), BackendError> {
        let (Some(first), Some(last)) = (path.first().copied(), path.last().copied()) else { return Ok(()) };
        let mut hand = self.hands.lock().await;
        *hand = super::input::Hand::default();
        let watched = self.frames().ids();
        for frame in &watched {
            // A document that is gone meanwhile has no part in this.
            let _ = self.call_in(frame, World::Utility, WATCH, Vec::new()).await;
        }
        let (from, to) = (self.innermost(first).await?, self.innermost(last).await?);
        // What crosses frames belongs to the one around them.
        let crosses = from.frame != to.frame;
        let spot = if crosses { self.top_spot() } else { from };
        let mut actions = Actions::default();
        actions.move_to(&mut hand, spot.inside(first));
        actions.press(&mut hand, spot.inside(first), MouseButton::Left, true);
        for at in steps(&path) {
            actions.move_to(&mut hand, spot.inside(at));
        }
        // All in one go, so that no button stays down when the caller gives up.
        actions.press(&mut hand, spot.inside(last), MouseButton::Left, false);
        self.perform(&spot.frame, actions).await?;
        // Firefox's drags come into no frame.
        let enters = crosses && to.frame != self.main_frame;
        self.finish(&watched, last, enters, modifiers).await
    }

    /// Makes what Firefox leaves out, if the page began a drag.
    async fn finish(
        &self,
        watched: &[FrameId],
        last: Point,
        enters: bool,
        modifiers: Modifiers,
    ) -> Result<(), BackendError> {
        let (mut begun, mut wanted, mut done) = (None, None, false);
        for frame in watched {
            let Some(told) = self.told_of_drag(frame).await else { continue };
            if told.over {
                wanted = told.effect.clone();
            }
            done |= told.dropped || told.ended;
            if told.began {
                begun = Some((frame.clone(), told));
            }
        }
        let Some((source, begun)) = begun.filter(|_| !done) else { return Ok(()) };
        let allowed = begun.allowed.as_deref().unwrap_or("uninitialized");
        let effect = wanted.filter(|effect| allows(allowed, effect) && !enters);
        let mut done = "none".to_owned();
        if effect.is_some() || enters {
            let given = json!({
                "data": begun.data, "files": [], "enter": enters, "keys": keys(modifiers), "allowed": allowed,
                "effect": effect.or_else(|| offered(allowed)),
            });
            done = self.drop_data(last, &given).await?;
        }
        let effect = json!({ "type": "string", "value": done });
        match self.call_in(&source, World::Utility, END, vec![effect]).await {
            // The drop led to another document.
            Err(BackendError::DocumentGone | BackendError::FrameGone) => Ok(()),
            ended => ended.map(drop),
        }
    }

    async fn told_of_drag(&self, frame: &FrameId) -> Option<Told> {
        let told = self.call_in(frame, World::Utility, TOLD, Vec::new()).await.ok()?.result?.value?;
        let text: String = serde_json::from_str(told.0.get()).ok()?;
        serde_json::from_str::<Option<Told>>(&text).ok().flatten()
    }

    /// Drops in the innermost frame at a point; answers what was done with it.
    async fn drop_data(&self, at: Point, given: &Value) -> Result<String, BackendError> {
        let (mut frame, mut at) = (self.main_frame.clone(), at);
        let given = json!({ "type": "string", "value": given.to_string() });
        loop {
            let number = |value: f64| json!({ "type": "number", "value": value });
            let arguments = vec![given.clone(), number(at.x), number(at.y)];
            let answer = self.call_in(&frame, World::Utility, DROP, arguments).await?;
            let Some(answer) = answer.result else { return Ok("none".to_owned()) };
            let Some(id) = answer.shared_id else {
                let effect = answer.value.and_then(|value| serde_json::from_str(value.0.get()).ok());
                return Ok(effect.unwrap_or_else(|| "none".to_owned()));
            };
            let element = handle(&frame, &id);
            let inset = self.inset(&element).await?;
            let Some(below) = self.frame_in(&element).await? else { return Ok("none".to_owned()) };
            at = inset.inside(at);
            frame = below;
        }
    }

    pub(super) async fn drop_at(&self, at: Point, dropped: Dropped) -> Result<(), BackendError> {
        let mut files = Vec::with_capacity(dropped.files.len());
        for file in &dropped.files {
            let bytes = tokio::fs::read(file).await.map_err(|error| BackendError::Refused {
                request: format!("to drop {}", file.display()),
                reason: error.to_string(),
            })?;
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            files.push(json!({ "name": name, "type": kind_of(&name), "bytes": STANDARD.encode(bytes) }));
        }
        let data: Vec<Value> = dropped.data.iter().map(|(kind, text)| json!([kind, text])).collect();
        let given =
            json!({ "data": data, "files": files, "enter": true, "allowed": "all", "effect": "copy" });
        self.drop_data(at, &given).await.map(drop)
    }
}

/// Whether what may be done with something (`effectAllowed`) has this in it (HTML, "Drag-and-drop processing model").
fn allows(allowed: &str, effect: &str) -> bool {
    let allowed = allowed.to_ascii_lowercase();
    effect != "none" && ["all", "uninitialized", effect].iter().any(|word| allowed.contains(word))
}

/// What is done with it if the page does not say otherwise.
fn offered(allowed: &str) -> Option<String> {
    ["copy", "link", "move"].into_iter().find(|effect| allows(allowed, effect)).map(str::to_owned)
}

/// The points to go through: a drag begins only after a few pixels, and an element over which it only jumps hears
/// nothing of it.
fn steps(path: &[Point]) -> Vec<Point> {
    let mut steps = Vec::new();
    for pair in path.windows(2) {
        let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
        let length = dx.hypot(dy);
        if steps.is_empty() && length > FIRST {
            let part = FIRST / length;
            steps.push(Point { x: pair[0].x + dx * part, y: pair[0].y + dy * part });
        }
        steps.push(pair[1]);
    }
    // Standing still over the target lets it say that it takes the drop.
    steps.extend(path.last().copied());
    steps
}
