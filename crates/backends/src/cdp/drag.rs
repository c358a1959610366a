//! Dragging. The browser's own drag and drop needs a window system; while its drags are intercepted it tells us what is
//! dragged instead, and we say where it goes.

use engine::backend::{BackendError, Dropped, Modifiers, MouseButton, Point, World};
use tokio::sync::oneshot;
use wire::cdp::Session;
use wire::cdp::types::input::{self, DragData, DragEventType, MouseEventType};
use wire::cdp::types::runtime;

use super::input::{button_event, mask, moved};
use super::page::{Page, lock};

/// Notes in each document whether a drag began there and was let go on. Listening at the window, last of all, hears what
/// the page decided.
const WATCH: &str = "() => {
  const state = globalThis.e2eDrag = { began: false };
  const note = event => { state.began = !event.defaultPrevented };
  addEventListener('dragstart', note, { once: true });
  state.stop = () => removeEventListener('dragstart', note);
}";
const BEGAN: &str = "() => !!globalThis.e2eDrag?.began";

/// The operations that a drag from outside allows: copy, link, move.
const ANY_OPERATION: i64 = 1 | 2 | 16;

impl Page {
    pub(super) async fn drag_along(&self, path: &[Point], modifiers: Modifiers) -> Result<(), BackendError> {
        let (Some(first), Some(last)) = (path.first().copied(), path.last().copied()) else { return Ok(()) };
        let (sender, intercepted) = oneshot::channel();
        *lock(&self.dragged) = Some(sender);
        self.call(&self.session, &input::SetInterceptDrags::new(true)).await?;
        let mut hold =
            Hold { session: self.session.clone(), at: first, modifiers, data: None, pressed: false };
        self.in_every_document(WATCH).await;
        self.call(&self.session, &moved(first, None, modifiers)).await?;
        hold.pressed = true;
        let press = button_event(MouseEventType::Pressed, first, MouseButton::Left, 1, modifiers);
        self.call(&self.session, &press).await?;
        let mut intercepted = Some(intercepted);
        for at in steps(path) {
            hold.at = at;
            match &hold.data {
                Some(data) => self.drag_event(DragEventType::Over, at, data.clone(), modifiers).await?,
                None => {
                    self.call(&self.session, &moved(at, Some(MouseButton::Left), modifiers)).await?;
                    hold.data = self.begun(&mut intercepted).await;
                    if let Some(data) = &hold.data {
                        self.drag_event(DragEventType::Enter, at, data.clone(), modifiers).await?;
                        self.drag_event(DragEventType::Over, at, data.clone(), modifiers).await?;
                    }
                }
            }
        }
        if let Some(data) = hold.data.take() {
            self.drag_event(DragEventType::Drop, last, data, modifiers).await?;
        }
        let release = button_event(MouseEventType::Released, last, MouseButton::Left, 1, modifiers);
        hold.pressed = false;
        self.call(&self.session, &release).await.map(drop)
    }

    /// What is dragged, once the page has begun to.
    async fn begun(&self, intercepted: &mut Option<oneshot::Receiver<DragData>>) -> Option<DragData> {
        let waiting = intercepted.as_mut()?;
        if let Ok(data) = waiting.try_recv() {
            return Some(data);
        }
        if !self.in_every_document(BEGAN).await {
            return None;
        }
        // The page let a drag begin: the browser is about to tell.
        intercepted.take()?.await.ok()
    }

    /// Calls a function in our world of every document; whether one answered true.
    async fn in_every_document(&self, function: &str) -> bool {
        let realms = self.frames().realms(World::Utility);
        let mut any = false;
        for realm in realms {
            let call = runtime::CallFunctionOn {
                execution_context_id: Some(realm.context),
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
        let mut hold = Hold {
            session: self.session.clone(),
            at,
            modifiers: none,
            data: Some(data.clone()),
            pressed: false,
        };
        for kind in [DragEventType::Enter, DragEventType::Over] {
            self.drag_event(kind, at, data.clone(), none).await?;
        }
        hold.data = None;
        self.drag_event(DragEventType::Drop, at, data, none).await
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

/// A drag under way. Whoever drops it leaves no button pressed and nothing intercepted.
struct Hold {
    session: Session,
    at: Point,
    modifiers: Modifiers,
    data: Option<DragData>,
    pressed: bool,
}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(data) = self.data.take() {
            let cancel = input::DispatchDragEvent::new(DragEventType::Cancel, self.at.x, self.at.y, data);
            drop(self.session.send(&cancel));
        }
        if self.pressed {
            let release =
                button_event(MouseEventType::Released, self.at, MouseButton::Left, 1, self.modifiers);
            drop(self.session.send(&release));
        }
        drop(self.session.send(&input::SetInterceptDrags::new(false)));
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
