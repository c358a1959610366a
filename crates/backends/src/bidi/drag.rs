//! Dragging. Firefox's own drag and drop needs a window system for its end: up to the last `dragover` its own events
//! come, and what follows is made by a script with the data that the page gave at the start.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::backend::{BackendError, Dropped, FrameId, Modifiers, MouseButton, Point, World};
use serde_json::{Value, json};

use super::elements::handle;
use super::input::Actions;
use super::page::Page;

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
    const over = event => { state.over = event.defaultPrevented; state.effect = event.dataTransfer?.dropEffect; };
    const drop = event => { if (event.isTrusted) state.dropped = true; };
    const ended = event => { if (event.isTrusted) state.ended = true; };
    const heard = [['dragstart', begin, true], ['dragstart', collect, false], ['dragover', over, false], ['drop', drop, true], ['dragend', ended, true]];
    for (const [type, hear, capture] of heard) addEventListener(type, hear, capture);
    state.stop = () => { for (const [type, hear, capture] of heard) removeEventListener(type, hear, capture); };
}";
/// What a document knows of the drag, as JSON.
const TOLD: &str = "() => {
    const state = globalThis.e2eDrag;
    if (!state) return 'null';
    state.stop();
    return JSON.stringify({ began: !!state.event && !state.prevented, data: state.data, dropped: state.dropped, ended: !!state.ended, over: state.over });
}";
/// Drops data at a point of the document; answers the frame element that lies there, if one does.
const DROP: &str = "(given, x, y) => {
    let target = document.elementFromPoint(x, y);
    while (target?.shadowRoot?.elementFromPoint(x, y) && target.shadowRoot.elementFromPoint(x, y) !== target) target = target.shadowRoot.elementFromPoint(x, y);
    if (target && 'contentWindow' in target) return target;
    const { data, files, enter, keys } = JSON.parse(given);
    const transfer = new DataTransfer();
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
    if (!target) return null;
    if (enter) {
        fire('dragenter');
        if (fire('dragover')) { fire('dragleave'); return null; }
    }
    fire('drop');
    return null;
}";
/// Ends the drag where it began.
const END: &str = "() => {
    const source = globalThis.e2eDrag?.source;
    source?.dispatchEvent(new DragEvent('dragend', { bubbles: true, cancelable: false, composed: true, view: window }));
}";
/// A browser takes a shorter move for a trembling hand.
const FIRST: f64 = 8.0;

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
        let (from, to) = (self.spot_of(Some(first)).await?, self.spot_of(Some(last)).await?);
        // What crosses frames belongs to the one around them.
        let spot = if from.frame == to.frame { from } else { self.top_spot() };
        let mut actions = Actions::default();
        actions.move_to(&mut hand, spot.inside(first));
        actions.press(&mut hand, spot.inside(first), MouseButton::Left, true);
        for at in steps(&path) {
            actions.move_to(&mut hand, spot.inside(at));
        }
        // All in one go, so that no button stays down when the caller gives up.
        actions.press(&mut hand, spot.inside(last), MouseButton::Left, false);
        self.perform(&spot.frame, actions).await?;
        self.finish(&watched, last, modifiers).await
    }

    /// Makes what Firefox leaves out, if the page began a drag.
    async fn finish(
        &self,
        watched: &[FrameId],
        last: Point,
        modifiers: Modifiers,
    ) -> Result<(), BackendError> {
        let (mut source, mut accepted, mut done) = (None, false, false);
        for frame in watched {
            let Some(told) = self.told_of_drag(frame).await else { continue };
            accepted |= told["over"] == true;
            done |= told["dropped"] == true || told["ended"] == true;
            if told["began"] == true {
                source = Some((frame.clone(), told["data"].clone()));
            }
        }
        let Some((source, data)) = source.filter(|_| !done) else { return Ok(()) };
        if accepted {
            let given = json!({ "data": data, "files": [], "enter": false, "keys": keys(modifiers) });
            self.drop_data(last, &given).await?;
        }
        match self.call_in(&source, World::Utility, END, Vec::new()).await {
            // The drop led to another document.
            Err(BackendError::DocumentGone | BackendError::FrameGone) => Ok(()),
            ended => ended.map(drop),
        }
    }

    async fn told_of_drag(&self, frame: &FrameId) -> Option<Value> {
        let told = self.call_in(frame, World::Utility, TOLD, Vec::new()).await.ok()?.result?.value?;
        let text: String = serde_json::from_str(told.0.get()).ok()?;
        serde_json::from_str::<Value>(&text).ok().filter(Value::is_object)
    }

    /// Drops in the innermost frame at a point.
    async fn drop_data(&self, at: Point, given: &Value) -> Result<(), BackendError> {
        let (mut frame, mut at) = (self.main_frame.clone(), at);
        let given = json!({ "type": "string", "value": given.to_string() });
        loop {
            let number = |value: f64| json!({ "type": "number", "value": value });
            let arguments = vec![given.clone(), number(at.x), number(at.y)];
            let answer = self.call_in(&frame, World::Utility, DROP, arguments).await?;
            let Some(id) = answer.result.and_then(|answer| answer.shared_id) else { return Ok(()) };
            let element = handle(&frame, &id);
            let inset = self.inset(&element).await?;
            let Some(below) = self.frame_in(&element).await? else { return Ok(()) };
            at = Point { x: at.x - inset.x, y: at.y - inset.y };
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
            files.push(json!({ "name": name, "type": media_type(&name), "bytes": STANDARD.encode(bytes) }));
        }
        let data: Vec<Value> = dropped.data.iter().map(|(kind, text)| json!([kind, text])).collect();
        self.drop_data(at, &json!({ "data": data, "files": files, "enter": true })).await
    }
}

/// The keys that are held, in an event's words.
fn keys(held: Modifiers) -> Value {
    json!({ "altKey": held.alt, "ctrlKey": held.control, "metaKey": held.meta, "shiftKey": held.shift })
}

/// What a file is, by the end of its name; browsers ask the system.
fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).as_deref() {
        Some("txt") => "text/plain",
        Some("html" | "htm") => "text/html",
        Some("csv") => "text/csv",
        Some("json") => "application/json",
        Some("pdf") => "application/pdf",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("svg") => "image/svg+xml",
        Some("webp") => "image/webp",
        Some("zip") => "application/zip",
        _ => "",
    }
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
