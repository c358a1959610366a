//! Waiting until frames are on the screen: a frame of another process is drawn apart from the page around it, and until
//! then input goes past it and pictures lack it.

use std::time::Duration;

use base::CallScope;
use serde_json::json;

use crate::backend::{BackendError, FrameId};
use crate::page::{Interruption, Page};

/// How long a frame is waited for that is being acted on.
const ONE_FRAME: Duration = Duration::from_secs(1);
/// How long all frames are waited for that a picture may show: those out of view are never drawn.
const ALL_FRAMES: Duration = Duration::from_millis(150);

/// What of a frame's document must be on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// Anything.
    Once,
    /// What it shows now.
    Now,
}

impl Page {
    /// Waits until a frame's document is on the screen. The topmost is drawn by whoever draws the page.
    pub(crate) async fn drawn(
        &self,
        frame: &FrameId,
        what: Drawn,
        scope: &CallScope,
    ) -> Result<(), Interruption> {
        let done = {
            let state = self.state();
            let known = state.frames.get(frame).is_none_or(|frame| frame.drawn);
            frame == state.frames.main() || (known && what == Drawn::Once)
        };
        if done {
            return Ok(());
        }
        self.ask_drawn(frame, what, ONE_FRAME, scope).await
    }

    /// Waits a little until every frame's document is on the screen that has not been asked before.
    pub(crate) async fn all_drawn(&self, scope: &CallScope) -> Result<(), Interruption> {
        let frames: Vec<FrameId> = {
            let state = self.state();
            let unknown = |id: &&FrameId| {
                state.frames.get(id).is_some_and(|frame| frame.parent.is_some() && !frame.drawn)
            };
            state.frames.in_order().into_iter().filter(unknown).cloned().collect()
        };
        let asked = frames.iter().map(|frame| async move {
            match self.ask_drawn(frame, Drawn::Once, ALL_FRAMES, scope).await {
                Err(Interruption::Backend(BackendError::FrameGone | BackendError::DocumentGone)) => Ok(()),
                other => other,
            }
        });
        futures_util::future::try_join_all(asked).await?;
        Ok(())
    }

    async fn ask_drawn(
        &self,
        frame: &FrameId,
        what: Drawn,
        limit: Duration,
        scope: &CallScope,
    ) -> Result<(), Interruption> {
        let question = json!({ "anew": what == Drawn::Now, "limit": limit.as_millis() });
        let drawn: bool = self.ask(frame, "drawn", question, scope).await?;
        if drawn {
            self.state().frames.set_drawn(frame);
        }
        Ok(())
    }
}
