//! Dragging. The browser's own drag and drop needs a window system; while its drags are intercepted it tells us what is
//! dragged instead, and we say where it goes.

use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, Dropped, Modifiers, MouseButton, Point, World};
use futures_util::TryFutureExt;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use wire::cdp::CallError;
use wire::cdp::types::input::{self, DragData, DragEventType, MouseEventType};
use wire::cdp::types::runtime;

use super::input::{button_event, mask, moved};
use super::page::{Page, lock};
use super::refusal::Place;

/// Remembers the beginning of a drag in each document. It is heard before the page's own listeners, and looked at when
/// they have decided whether it goes on.
const WATCH: &str = "() => {
  globalThis.e2eDrag?.stop();
  const state = globalThis.e2eDrag = {};
  const note = event => { state.event = event; };
  addEventListener('dragstart', note, true);
  state.stop = () => removeEventListener('dragstart', note, true);
}";
const BEGAN: &str = "() => !!e2eDrag?.event && !e2eDrag.event.defaultPrevented";

/// How long the browser may take to tell of a drag that a page has begun; some that it begins are none to the browser.
const TOLD: Duration = Duration::from_secs(1);

/// The operations that a drag from outside allows: copy, link, move.
const ANY_OPERATION: i64 = 1 | 2 | 16;

impl Page {
    /// Drags to the end, or to where the caller gives up: a drag that nobody ends would swallow every later event of the
    /// mouse. So it is a task of its own, which lets go of everything before the next hand moves.
    pub(super) async fn drag_along(
        &self,
        path: Vec<Point>,
        modifiers: Modifiers,
    ) -> Result<(), BackendError> {
        let page = self.me.upgrade().ok_or(BackendError::PageGone)?;
        let given_up = CancellationToken::new();
        let _giving_up = given_up.clone().drop_guard();
        let dragging = tokio::spawn(async move {
            let _turn = page.hands.lock().await;
            // Given up before it began.
            if given_up.is_cancelled() { Ok(()) } else { page.drag_until(&path, modifiers, &given_up).await }
        });
        dragging.await.unwrap_or(Err(BackendError::PageGone))
    }

    async fn drag_until(
        &self,
        path: &[Point],
        modifiers: Modifiers,
        given_up: &CancellationToken,
    ) -> Result<(), BackendError> {
        let Some(first) = path.first().copied() else { return Ok(()) };
        let (sender, intercepted) = oneshot::channel();
        *lock(&self.dragged) = Some(sender);
        self.call(&self.session, &input::SetInterceptDrags::new(true)).await?;
        self.in_every_document(WATCH).await;
        self.call(&self.session, &moved(first, None, modifiers)).await?;
        let mut hold = Hold { page: self, at: first, modifiers, data: None };
        let press = button_event(MouseEventType::Pressed, first, MouseButton::Left, 1, modifiers);
        let dragged = match self.call(&self.session, &press).await {
            Ok(_) => hold.follow(path, intercepted, given_up).await,
            Err(error) => Err(error),
        };
        let released = hold.let_go(dragged.is_ok() && !given_up.is_cancelled()).await;
        let restored = self.call(&self.session, &input::SetInterceptDrags::new(false)).await;
        dragged.and(released).and(restored.map(drop))
    }

    /// What is dragged, once the page has begun to.
    async fn begun(&self, intercepted: &mut Option<oneshot::Receiver<DragData>>) -> Option<DragData> {
        if let Ok(data) = intercepted.as_mut()?.try_recv() {
            return Some(data);
        }
        if !self.in_every_document(BEGAN).await {
            return None;
        }
        // The page let a drag begin, so the browser is about to tell; also to whom has given up, for it must be ended.
        let told = intercepted.take()?;
        let told = self.while_alive(Place::Page, || told.map_err(|_| CallError::SessionGone));
        Deadline::after(TOLD).race(told).await.ok()?.ok()
    }

    /// Calls a function in our world of every document; whether one answered true.
    async fn in_every_document(&self, function: &str) -> bool {
        let realms = self.frames().realms(World::Utility);
        let mut any = false;
        for realm in realms {
            let call = runtime::CallFunctionOn {
                unique_context_id: Some(realm.name.clone()),
                return_by_value: Some(true),
                ..runtime::CallFunctionOn::new(function)
            };
            // A document that is gone meanwhile has no part in this.
            let answer = self.call(&realm.session, &call).await;
            any |= answer.is_ok_and(|answer| answer.result.value == Some(true.into()));
        }
        any
    }

    pub(super) async fn drop_at(&self, at: Point, dropped: Dropped) -> Result<(), BackendError> {
        let items =
            dropped.data.iter().map(|(kind, data)| serde_json::json!({ "mimeType": kind, "data": data }));
        let files = dropped.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
        let data = DragData { files: Some(files), ..DragData::new(items.collect::<Vec<_>>(), ANY_OPERATION) };
        let none = Modifiers::default();
        for kind in [DragEventType::Enter, DragEventType::Over, DragEventType::Drop] {
            self.drag_event(kind, at, data.clone(), none).await?;
        }
        Ok(())
    }

    async fn drag_event(
        &self,
        kind: DragEventType,
        at: Point,
        data: DragData,
        modifiers: Modifiers,
    ) -> Result<(), BackendError> {
        let event = input::DispatchDragEvent {
            modifiers: Some(mask(modifiers)),
            ..input::DispatchDragEvent::new(kind, at.x, at.y, data)
        };
        self.call(&self.session, &event).await.map(drop)
    }
}

/// The points to go through: a drag begins only after a few pixels, and an element over which it only jumps hears
/// nothing of it.
fn steps(path: &[Point]) -> Vec<Point> {
    /// A browser takes a shorter move for a trembling hand.
    const FIRST: f64 = 8.0;
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

/// A drag under way: the button is down.
struct Hold<'a> {
    page: &'a Page,
    at: Point,
    modifiers: Modifiers,
    /// What is dragged, once the page has begun to drag something.
    data: Option<DragData>,
}

impl Hold<'_> {
    async fn follow(
        &mut self,
        path: &[Point],
        intercepted: oneshot::Receiver<DragData>,
        given_up: &CancellationToken,
    ) -> Result<(), BackendError> {
        let mut intercepted = Some(intercepted);
        for at in steps(path) {
            if given_up.is_cancelled() {
                return Ok(());
            }
            self.at = at;
            if self.data.is_some() {
                self.say(DragEventType::Over).await?;
                continue;
            }
            let session = &self.page.session;
            self.page.call(session, &moved(at, Some(MouseButton::Left), self.modifiers)).await?;
            self.data = self.page.begun(&mut intercepted).await;
            self.say(DragEventType::Enter).await?;
            self.say(DragEventType::Over).await?;
        }
        Ok(())
    }

    /// Says where the dragged thing is; nothing if there is none.
    async fn say(&self, kind: DragEventType) -> Result<(), BackendError> {
        match &self.data {
            Some(data) => self.page.drag_event(kind, self.at, data.clone(), self.modifiers).await,
            None => Ok(()),
        }
    }

    /// Drops what is dragged, or takes it back, and lets go of the button.
    async fn let_go(self, complete: bool) -> Result<(), BackendError> {
        let told = self.say(if complete { DragEventType::Drop } else { DragEventType::Cancel }).await;
        // A drop is the end of the press, too: the page hears of no release (HTML, "Drag-and-drop processing model").
        if self.data.is_some() && complete && told.is_ok() {
            return Ok(());
        }
        let release = button_event(MouseEventType::Released, self.at, MouseButton::Left, 1, self.modifiers);
        told.and(self.page.call(&self.page.session, &release).await.map(drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_begins_with_a_small_step_and_ends_standing_still() {
        let at = |x| Point { x, y: 0.0 };
        assert_eq!(steps(&[at(0.0), at(100.0)]), [at(8.0), at(100.0), at(100.0)]);
        assert_eq!(steps(&[at(0.0), at(4.0)]), [at(4.0), at(4.0)]);
        assert_eq!(steps(&[at(1.0)]), [at(1.0)]);
    }
}
