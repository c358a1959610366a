//! Dragging. The automation session's mouse moves begin no drag of the browser's own, so one that a page wants is played by
//! events that a script makes; without one it is a plain gesture of the mouse.

use engine::backend::{Argument, BackendError, Dropped, Modifiers, MouseButton, Point};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::files::read_files;
use super::page::Page;

const LEFT: MouseButton = MouseButton::Left;

/// Finds what is draggable at a point, tells it that a drag begins, and keeps what is dragged.
const BEGIN: &str = "(x, y) => {
    const deep = (x, y) => { let at = document.elementFromPoint(x, y); while (at && at.shadowRoot) { const inner = at.shadowRoot.elementFromPoint(x, y); if (!inner || inner === at) break; at = inner; } return at; };
    let source = deep(x, y);
    while (source && !source.draggable) source = source.parentElement || source.getRootNode().host;
    if (!source) return false;
    const transfer = new DataTransfer();
    if (source.href) { transfer.setData('text/uri-list', source.href); transfer.setData('text/plain', source.href); }
    const event = (type, target, x, y, more) => new DragEvent(type, { bubbles: true, composed: true, cancelable: true, clientX: x, clientY: y, dataTransfer: transfer, ...more });
    const state = { source, transfer, over: null, accepted: false, event, deep };
    Object.defineProperty(window, Symbol.for('e2e drag'), { value: state, configurable: true });
    return source.dispatchEvent(event('dragstart', source, x, y));
}";
const OVER: &str = "(x, y) => {
    const state = window[Symbol.for('e2e drag')];
    const at = state.deep(x, y);
    state.source.dispatchEvent(state.event('drag', state.source, x, y));
    if (at && at !== state.over) {
        at.dispatchEvent(state.event('dragenter', at, x, y, { relatedTarget: state.over }));
        if (state.over) state.over.dispatchEvent(state.event('dragleave', state.over, x, y, { relatedTarget: at, cancelable: false }));
        state.over = at;
    }
    state.accepted = !!at && !at.dispatchEvent(state.event('dragover', at, x, y));
    return null;
}";
const DROP: &str = "(x, y) => {
    const state = window[Symbol.for('e2e drag')];
    delete window[Symbol.for('e2e drag')];
    if (state.over) {
        if (state.accepted) state.over.dispatchEvent(state.event('drop', state.over, x, y));
        else state.over.dispatchEvent(state.event('dragleave', state.over, x, y, { cancelable: false }));
    }
    state.source.dispatchEvent(state.event('dragend', state.source, x, y, { cancelable: false }));
    return null;
}";
/// Nothing is dropped where a drag is given up.
const GIVE_UP: &str = "() => { window[Symbol.for('e2e drag')].accepted = false; return null; }";
const FROM_OUTSIDE: &str = "(x, y, files, data) => {
    let at = document.elementFromPoint(x, y);
    while (at && at.shadowRoot) { const inner = at.shadowRoot.elementFromPoint(x, y); if (!inner || inner === at) break; at = inner; }
    if (!at) return null;
    const transfer = new DataTransfer();
    for (const { name, kind, modified, data } of files) {
        const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: kind, lastModified: modified }));
    }
    for (const [kind, text] of data) transfer.setData(kind, text);
    const event = type => new DragEvent(type, { bubbles: true, composed: true, cancelable: true, clientX: x, clientY: y, dataTransfer: transfer });
    at.dispatchEvent(event('dragenter'));
    if (!at.dispatchEvent(event('dragover'))) at.dispatchEvent(event('drop'));
    return null;
}";

impl Page {
    /// Drags to the end, or to where the caller gives up; in any case it lets go before the next hand moves.
    pub(super) async fn drag_along(
        &self,
        path: Vec<Point>,
        modifiers: Modifiers,
    ) -> Result<(), BackendError> {
        let hands = self.hands.clone().lock_owned().await;
        let page = self.me.upgrade().ok_or(BackendError::PageGone)?;
        let given_up = CancellationToken::new();
        let _giving_up = given_up.clone().drop_guard();
        let dragging = tokio::spawn(async move {
            let dragged = page.drag_until(&path, modifiers, &given_up).await;
            drop(hands);
            dragged
        });
        dragging.await.unwrap_or(Err(BackendError::PageGone))
    }

    async fn drag_until(
        &self,
        path: &[Point],
        modifiers: Modifiers,
        given_up: &CancellationToken,
    ) -> Result<(), BackendError> {
        let Some(mut at) = path.first().copied() else { return Ok(()) };
        self.mouse("Move", at, None, modifiers).await?;
        let pressed = self.mouse("Down", at, Some(LEFT), modifiers).await;
        let dragged = match pressed {
            Ok(()) => self.drag_on(path, &mut at, modifiers, given_up).await,
            Err(error) => Err(error),
        };
        let released = self.mouse("Up", at, Some(LEFT), modifiers).await;
        dragged.and(released)
    }

    /// From the press to the last point, or to the one at which it is given up.
    async fn drag_on(
        &self,
        path: &[Point],
        at: &mut Point,
        modifiers: Modifiers,
        given_up: &CancellationToken,
    ) -> Result<(), BackendError> {
        let begun = self.at(BEGIN, *at).await?;
        for next in path.iter().skip(1).chain(path.last()) {
            if given_up.is_cancelled() {
                break;
            }
            *at = *next;
            if begun {
                self.at(OVER, *at).await?;
            } else {
                self.mouse("Move", *at, Some(LEFT), modifiers).await?;
            }
        }
        if begun {
            if given_up.is_cancelled() {
                self.at(GIVE_UP, *at).await?;
            }
            self.at(DROP, *at).await?;
        }
        Ok(())
    }

    /// Calls a function with a point; whether it answered true.
    async fn at(&self, function: &str, at: Point) -> Result<bool, BackendError> {
        let point = [json!(at.x), json!(at.y)].map(Argument::Json);
        let answer = self.evaluate_function(&self.main_frame, function, point.into()).await?;
        Ok(answer.get() == "true")
    }

    pub(super) async fn drop_at(&self, at: Point, dropped: Dropped) -> Result<(), BackendError> {
        let files = read_files(dropped.files).await?;
        let arguments = [json!(at.x), json!(at.y), json!(files), json!(dropped.data)].map(Argument::Json);
        self.evaluate_function(&self.main_frame, FROM_OUTSIDE, arguments.into()).await.map(drop)
    }
}
