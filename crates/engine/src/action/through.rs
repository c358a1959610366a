//! From a point in a frame to one in the page, and from a selector in a frame to one through all frames.

use base::CallScope;
use serde::Deserialize;
use serde_json::json;

use super::diary::Blocked;
use crate::backend::{BackendError, FrameId, Handle, Point, Question};
use crate::failed::Failed;
use crate::locator::Selector;
use crate::page::{Interruption, Page};

/// What `injected.throughFrame` answers.
#[derive(Debug, Deserialize)]
struct Through {
    point: Option<Point>,
    #[serde(default)]
    selector: String,
    #[serde(default)]
    preview: String,
    blocked: Option<Blocked>,
}

/// The frame element that can't be reached, and why.
type Barred = (String, Blocked);

impl Page {
    /// The point and the selector as the topmost document has them. With `check`, each frame element on the way is
    /// scrolled into view, and must not be covered.
    pub(crate) async fn to_the_top(
        &self,
        frame: &FrameId,
        point: Point,
        selector: &str,
        check: bool,
        scope: &CallScope,
    ) -> Result<Result<(Point, Selector), Barred>, Failed> {
        let mut path = self.state().frames.path(frame);
        let mut point = point;
        let mut selector = selector.to_owned();
        while path.len() > 1 {
            let Some(inner) = path.pop() else { break };
            let door = self.attempt(scope, self.backend().frame_element(&inner)).await?;
            let through = self.through(&door, point, check, scope).await;
            self.backend().release(door);
            let through = through?;
            if let Some(blocked) = through.blocked {
                return Ok(Err((through.preview, blocked)));
            }
            point = through.point.unwrap_or(point);
            selector = format!("{} >> internal:control=enter-frame >> {selector}", through.selector);
        }
        Ok(Ok((point, Selector::parse(&selector)?)))
    }

    async fn through(
        &self,
        door: &Handle,
        point: Point,
        check: bool,
        scope: &CallScope,
    ) -> Result<Through, Interruption> {
        let question = Question::new("throughFrame", json!({ "point": point, "check": check }));
        let answer = self.attempt(scope, self.backend().ask_about(door, &question)).await?;
        serde_json::from_str(answer.get()).map_err(|error| {
            let reason = format!("its answer can't be read: {error}");
            Interruption::Backend(BackendError::Refused { request: "throughFrame".to_owned(), reason })
        })
    }
}
