//! Which frame is meant by a point of the page.

use engine::backend::{BackendError, FrameId, Point};

use super::evaluate::node;
use super::page::Page;
use crate::doors::{DOOR_AT, INSET, Inset};

impl Page {
    /// The innermost frame at a point of the page, and the point in the pixels of that frame.
    pub(super) async fn spot_of(&self, at: Point) -> Result<(FrameId, Point), BackendError> {
        let (mut frame, mut inset) = (self.main_frame.clone(), Inset::NONE);
        while !self.frames().below(&frame).is_empty() {
            let inside = inset.inside(at);
            let realm = self.realm(&frame).await?;
            let found = self.expression(&realm, &format!("({DOOR_AT})({}, {})", inside.x, inside.y)).await?;
            let Some(door) = node(&frame, "the frame at a point", found)? else { break };
            let lies = format!("function () {{ return ({INSET})(this); }}");
            let told = self.call_on(&realm, &door.object, &lies, &[], false).await?;
            let within = self.frame_in(&door).await?;
            self.let_go(&door);
            let Some(within) = within else { break };
            let told: String = serde_json::from_str(told.get()).unwrap_or_default();
            inset = inset.then(Inset::read(&told).ok_or(BackendError::DocumentGone)?);
            frame = within;
        }
        Ok((frame, inset.inside(at)))
    }
}
