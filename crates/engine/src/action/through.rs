//! From a point in a frame to one in the page, and from a selector in a frame to one through all frames.

use base::CallScope;
use serde::{Deserialize, Serialize};
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

/// How the frame elements on the way up are passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Passage {
    /// Where they are is reckoned, and nothing is changed.
    Reckon,
    /// They are scrolled into view.
    Show,
    /// And nothing may cover the point.
    Reach,
}

/// The frame element that can't be reached, and why.
type Barred = (String, Blocked);

impl Page {
    /// The point and the selector as the topmost document has them.
    pub(crate) async fn to_the_top(
        &self,
        frame: &FrameId,
        point: Point,
        selector: &str,
        passage: Passage,
        scope: &CallScope,
    ) -> Result<Result<(Point, Selector), Barred>, Failed> {
        let mut path = self.state().frames.path(frame);
        let mut point = point;
        let mut selector = selector.to_owned();
        while path.len() > 1 {
            let Some(inner) = path.pop() else { break };
            let door = self.attempt(scope, self.backend().frame_element(&inner)).await?;
            let through = self.through(&door, point, passage, scope).await;
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
        passage: Passage,
        scope: &CallScope,
    ) -> Result<Through, Interruption> {
        let question = Question::new("throughFrame", json!({ "point": point, "passage": passage }));
        let answer = self.attempt(scope, self.backend().ask_about(door, &question)).await?;
        serde_json::from_str(answer.get()).map_err(|error| {
            let reason = format!("its answer can't be read: {error}");
            Interruption::Backend(BackendError::Refused { request: "throughFrame".to_owned(), reason })
        })
    }
}
