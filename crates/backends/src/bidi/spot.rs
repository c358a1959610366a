//! Which frame is meant by a point of the page, or by the focus.

use engine::backend::{BackendError, FrameId, Point, World};
use serde_json::{Value, json};

use super::elements::handle;
use super::page::Page;

/// The frame element that has the focus, if one has.
const FOCUSED: &str = "() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused && 'contentWindow' in focused ? focused : null;
}";

/// The frame element at a point, if one is there.
const FRAME_AT: &str = "(x, y) => {
    let found = document.elementFromPoint(x, y);
    for (let inner; (inner = found?.shadowRoot?.elementFromPoint(x, y)) && inner !== found;) found = inner;
    return found && 'contentWindow' in found ? found : null;
}";

/// A frame, and where its own pixels begin in those of the topmost one.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) frame: FrameId,
    left: f64,
    top: f64,
}

impl Spot {
    /// A point of the topmost frame in the pixels of this one.
    pub(super) fn inside(&self, at: Point) -> Point {
        Point { x: at.x - self.left, y: at.y - self.top }
    }
}

impl Page {
    /// The topmost frame.
    pub(super) fn top_spot(&self) -> Spot {
        Spot { frame: self.main_frame.clone(), left: 0.0, top: 0.0 }
    }

    /// The innermost frame at a point of the page, or the one that has the focus.
    pub(super) async fn spot_of(&self, at: Option<Point>) -> Result<Spot, BackendError> {
        let mut spot = self.top_spot();
        if self.frames().ids().len() == 1 {
            return Ok(spot);
        }
        loop {
            let (function, arguments) = match at.map(|at| spot.inside(at)) {
                Some(at) => (FRAME_AT, [at.x, at.y].map(number).to_vec()),
                None => (FOCUSED, Vec::new()),
            };
            let answer = self.call_in(&spot.frame, World::Utility, function, arguments).await?;
            let Some(id) = answer.result.and_then(|answer| answer.shared_id) else { return Ok(spot) };
            let element = handle(&spot.frame, &id);
            let inset = self.inset(&element).await?;
            let Some(frame) =
                self.frame_in(&element).await?.filter(|frame| self.frames().get(frame).is_some())
            else {
                return Ok(spot);
            };
            spot = Spot { frame, left: spot.left + inset.x, top: spot.top + inset.y };
        }
    }
}

fn number(value: f64) -> Value {
    json!({ "type": "number", "value": value })
}
