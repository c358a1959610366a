//! Waiting until a page shows or is something.

use std::collections::HashSet;
use std::time::Duration;

use base::{CallScope, Deadline};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::backend::{BackendError, FrameId};
use crate::evaluate::Script;
use crate::failed::Failed;
use crate::glob;
use crate::page::{Interruption, NavigationRefused, Page, WaitUntil};
use crate::target::Target;

/// What to wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// A text that can be seen, in any frame.
    Text(String),
    /// A text that can't be seen any more, in no frame.
    TextGone(String),
    /// An element.
    Element {
        /// Which.
        target: Target,
        /// How it should be.
        state: ElementState,
    },
    /// An address: a glob with `*` and `**`, or a part of it.
    Url(String),
    /// How far the document is.
    Load(WaitUntil),
    /// An expression or function of JavaScript that becomes true.
    Function(String),
}

/// How an element should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementState {
    /// In the page.
    Attached,
    /// Not in the page.
    Detached,
    /// To be seen.
    Visible,
    /// Not to be seen.
    Hidden,
}

/// A condition that did not become true in time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotMet {
    /// It did not; this is what there was instead.
    #[error("{0}")]
    Seen(String),
    /// It can't be waited for.
    #[error(transparent)]
    Failed(#[from] Failed),
}

#[derive(Deserialize)]
struct Answer {
    met: bool,
    #[serde(default)]
    seen: String,
}

/// A wait in the page is asked for again after this long: a frame may have come.
const SLICE: Duration = Duration::from_millis(500);
/// What is told of a script that was false to the end.
const NEVER_TRUE: &str = "it did not become true";
/// A frame that answers no sooner than this is asked anew.
const UNANSWERED: Duration = Duration::from_secs(3);
/// So long a frame between two documents is left alone.
const BETWEEN: Duration = Duration::from_millis(20);
/// Kept for the answer of the last wait.
const ANSWERING: Duration = Duration::from_millis(50);

impl From<Interruption> for NotMet {
    fn from(why: Interruption) -> Self {
        Self::Failed(why.into())
    }
}

impl Page {
    /// Waits until `condition` holds, and what was told before that is known.
    ///
    /// # Errors
    /// [`NotMet`].
    pub async fn wait(&self, condition: &Condition, scope: &CallScope) -> Result<(), NotMet> {
        self.wait_until_met(condition, scope).await?;
        // It holds, even if there is no time left for more.
        let _ = self.caught_up(scope).await;
        Ok(())
    }

    async fn wait_until_met(&self, condition: &Condition, scope: &CallScope) -> Result<(), NotMet> {
        match condition {
            Condition::Text(text) => self.wait_in_any_frame(&json!({ "text": text }), scope).await,
            Condition::TextGone(text) => self.wait_in_every_frame(&json!({ "textGone": text }), scope).await,
            Condition::Element { target, state } => self.wait_for_element(target, *state, scope).await,
            Condition::Url(pattern) => self.wait_for_url(pattern, scope).await,
            Condition::Load(until) => match self.wait_until(*until, scope).await {
                Ok(_) => Ok(()),
                Err(NavigationRefused::Interrupted(why)) => Err(why.into()),
                Err(refused) => Err(NotMet::Seen(refused.to_string())),
            },
            Condition::Function(script) => self.wait_for_script(script, scope).await,
        }
    }

    async fn wait_for_url(&self, pattern: &str, scope: &CallScope) -> Result<(), NotMet> {
        let arrived =
            |state: &crate::page::State| glob::matches(pattern, &state.frames.top().url).then_some(());
        match self.wait_for(scope, arrived).await {
            Err(Interruption::TimedOut) => Err(NotMet::Seen(format!("the address is {}", self.url()))),
            other => Ok(other?),
        }
    }

    async fn wait_for_script(&self, script: &str, scope: &CallScope) -> Result<(), NotMet> {
        let mut seen = None;
        loop {
            let (left, step) = patience(&seen, scope);
            match self.run(Script::Poll(script, step), None, scope).await {
                Ok(Value::Bool(true)) => return Ok(()),
                Ok(_) if left.is_zero() => return Err(NotMet::Seen(NEVER_TRUE.to_owned())),
                Ok(_) => seen = Some(NEVER_TRUE.to_owned()),
                Err(Failed::Interrupted(Interruption::Backend(BackendError::DocumentGone))) => {}
                Err(failed) => return Err(instead(seen, failed)),
            }
        }
    }

    async fn wait_for_element(
        &self,
        target: &Target,
        state: ElementState,
        scope: &CallScope,
    ) -> Result<(), NotMet> {
        let word = match state {
            ElementState::Attached => "attached",
            ElementState::Detached => "detached",
            ElementState::Visible => "visible",
            ElementState::Hidden => "hidden",
        };
        let absent_is_fine = matches!(state, ElementState::Detached | ElementState::Hidden);
        let mut seen = None;
        loop {
            let (left, step) = patience(&seen, scope);
            let frames = if absent_is_fine { Deadline::after(Duration::ZERO) } else { scope.deadline() };
            let place = match self.place_within(target, frames, scope).await {
                Ok(place) => place,
                Err(Failed::NotFound { .. } | Failed::StaleRef { .. }) if absent_is_fine => return Ok(()),
                Err(Failed::Interrupted(why)) if is_between(&why) && !left.is_zero() => continue,
                Err(failed) => return Err(instead(seen, failed)),
            };
            let question = json!({ "at": place.at, "state": word });
            match self.look(&place.frame, &question, step, scope).await {
                Ok(Answer { met: true, .. }) => return Ok(()),
                Ok(answer) if left.is_zero() => return Err(NotMet::Seen(answer.seen)),
                Ok(answer) => seen = Some(answer.seen),
                Err(why) if is_between(&why) => {}
                Err(why) => return Err(instead(seen, why.into())),
            }
        }
    }

    /// Waits until the condition holds in one frame. Each is asked on its own: one that hangs hides nothing of the others.
    async fn wait_in_any_frame(&self, condition: &Value, scope: &CallScope) -> Result<(), NotMet> {
        let mut seen = None;
        let mut asked = HashSet::new();
        let mut between = HashSet::new();
        let mut looks = FuturesUnordered::new();
        loop {
            let (left, step) = patience(&seen, scope);
            for frame in self.all_frames() {
                if asked.insert(frame.clone()) {
                    let pause = if between.remove(&frame) { BETWEEN } else { Duration::ZERO };
                    looks.push(self.look_after(pause, frame, condition, step, scope));
                }
            }
            let Ok(Some((frame, looked))) = Deadline::after(SLICE).race(looks.next()).await else { continue };
            asked.remove(&frame);
            match looked {
                Ok(Answer { met: true, .. }) => return Ok(()),
                Ok(answer) if left.is_zero() => return Err(NotMet::Seen(answer.seen)),
                Ok(answer) => seen = Some(answer.seen),
                // A frame's question can be lost with its document.
                Err(Interruption::TimedOut) if !scope.deadline().has_passed() => {}
                Err(why) if is_between(&why) => {
                    between.insert(frame);
                }
                Err(why) => return Err(instead(seen, why.into())),
            }
        }
    }

    async fn look_after(
        &self,
        pause: Duration,
        frame: FrameId,
        condition: &Value,
        wait: Duration,
        scope: &CallScope,
    ) -> (FrameId, Result<Answer, Interruption>) {
        tokio::time::sleep(pause).await;
        let below = frame != self.main_frame();
        let looked = if below {
            self.look(&frame, condition, wait, &scope.within(wait + UNANSWERED)).await
        } else {
            self.look(&frame, condition, wait, scope).await
        };
        (frame, looked)
    }

    /// Waits until the condition holds in every frame.
    async fn wait_in_every_frame(&self, condition: &Value, scope: &CallScope) -> Result<(), NotMet> {
        let mut seen = None;
        loop {
            let (left, step) = patience(&seen, scope);
            match self.every_frame(condition, step, scope).await {
                Ok(None) => return Ok(()),
                Ok(Some(now)) if left.is_zero() => return Err(NotMet::Seen(now)),
                Ok(now) => seen = now,
                Err(why) => return Err(instead(seen, why.into())),
            }
        }
    }

    /// Nothing when it holds in all of the frames, each given `wait`.
    async fn every_frame(
        &self,
        condition: &Value,
        wait: Duration,
        scope: &CallScope,
    ) -> Result<Option<String>, Interruption> {
        for frame in self.all_frames() {
            match self.look(&frame, condition, wait, scope).await {
                Ok(Answer { met: true, .. }) | Err(Interruption::Backend(BackendError::FrameGone)) => {}
                Ok(answer) => return Ok(Some(answer.seen)),
                Err(Interruption::Backend(BackendError::DocumentGone)) => {
                    return Ok(Some("the page navigates".to_owned()));
                }
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }

    async fn look(
        &self,
        frame: &FrameId,
        condition: &Value,
        wait: Duration,
        scope: &CallScope,
    ) -> Result<Answer, Interruption> {
        let mut question = condition.clone();
        question["wait"] = json!(wait.as_millis());
        self.ask(frame, "waitFor", question, scope).await
    }

    fn all_frames(&self) -> Vec<FrameId> {
        self.state().frames.in_order().into_iter().cloned().collect()
    }
}

/// How much time is left, and how long the next look may wait for a change. The first waits for none: however late later
/// answers come, there is something to tell of what was seen.
fn patience(seen: &Option<String>, scope: &CallScope) -> (Duration, Duration) {
    let left = scope.deadline().remaining().saturating_sub(ANSWERING);
    (left, if seen.is_some() { left.min(SLICE) } else { Duration::ZERO })
}

/// Whether the page or the frame is between two documents, or gone: the next look finds out.
fn is_between(why: &Interruption) -> bool {
    matches!(why, Interruption::Backend(BackendError::DocumentGone | BackendError::FrameGone))
}

/// What was seen last, when the time is up before a later look was answered.
fn instead(seen: Option<String>, failed: Failed) -> NotMet {
    match (seen, failed) {
        (Some(seen), Failed::Interrupted(Interruption::TimedOut)) => NotMet::Seen(seen),
        (_, failed) => failed.into(),
    }
}
