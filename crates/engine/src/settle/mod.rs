//! When an action is over: what it set in motion has come to rest, and the agent may look.
//!
//! Nothing here sleeps for luck. A navigation, a request, a dialog are events; timers and frames that the action's
//! handlers asked for are told by the watch in the page (injected/watch.js), changes of the document by the injected
//! script (injected/quiet.js). A page that polls or animates for ever is none of the action's doing, and is not waited
//! for. Every wait has a bound, and settling never fails: it tells what it saw.

mod hand;
mod mark;

use std::time::Duration;

use base::{CallScope, Deadline};
use serde_json::json;

pub(crate) use hand::{Hand, Report};
pub use mark::Mark;

use crate::backend::{BackendError, Dialog, FrameId};
use crate::page::{Interruption, Life, LoadState, Page, State};

/// All of it in one document, from the action or from when it is loaded.
const LONGEST: Duration = Duration::from_millis(1500);
/// Requests that the action, or the new document, began.
const REQUESTS: Duration = Duration::from_secs(1);
/// From a navigation's beginning in the page to the browser's word of it.
const LEAVING: Duration = Duration::from_millis(500);
/// Pictures and the like in a new document.
const LOAD: Duration = Duration::from_secs(5);
/// Kept of the call's time, so that its result can still be told.
const TELLING: Duration = Duration::from_millis(200);

/// What settling saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The page has another document.
    pub navigated: bool,
    /// A dialog is open, and the page does nothing until it is answered.
    pub dialog: Option<Dialog>,
    /// The page asked for files.
    pub chooser: bool,
    /// Whether the page is still there.
    pub life: Life,
    /// Something was still going on when its time was up.
    pub unfinished: bool,
}

impl Page {
    /// The page as it is before an action.
    pub fn mark(&self) -> Mark {
        let mut state = self.state();
        state.hand.report = None;
        Mark::of(&state)
    }

    /// The secret of the context's watch script ([`injected::watch`](crate::injected::watch)). Without it, settling knows
    /// nothing of timers.
    pub fn set_watch_token(&self, token: &str) {
        self.state().hand.watch = Some(token.into());
    }

    /// Waits until what happened since `mark` has come to rest.
    pub async fn settle(&self, mark: &Mark, scope: &CallScope) -> Settled {
        let unfinished = self.rest(mark, scope).await.is_err();
        let mut state = self.state();
        let requests = mark.requests..state.network.next_index();
        state.hand.owns(requests);
        Settled {
            navigated: mark.navigated(&state),
            dialog: state.dialogs.last().cloned(),
            chooser: mark.chooser_opened(&state),
            life: state.life,
            unfinished: unfinished && !mark.stops(&state),
        }
    }

    async fn rest(&self, mark: &Mark, scope: &CallScope) -> Result<(), Restless> {
        let mut limit = end_of(scope).at_most(LONGEST);
        let mut requests = end_of(scope).at_most(REQUESTS);
        let mut report = self.state().hand.report.take();
        let mut documents = mark.documents;
        let mut expecting = false;
        loop {
            self.caught_up(scope).await.map_err(|_| Restless)?;
            if mark.stops(&self.state()) {
                return Ok(());
            }
            if self.is_moving_on(documents) {
                self.arrive(scope).await?;
                documents = self.state().frames.top().documents;
                limit = end_of(scope).at_most(LONGEST);
                requests = end_of(scope).at_most(REQUESTS);
                report = None;
                continue;
            }
            if mark.is_busy(&self.state()) && !requests.has_passed() {
                self.requests_end(mark, documents, requests, scope).await;
                (report, expecting) = (None, true);
                continue;
            }
            if report.as_ref().is_some_and(|report| report.leaving) && !mark.has_left(&self.state()) {
                // A page that is kept from leaving after all is left to itself.
                let limit = limit.min(Deadline::after(LEAVING));
                self.wait_until_seen(limit, scope, |state| mark.has_left(state)).await?;
                continue;
            }
            if report.as_ref().is_some_and(|report| report.calm) {
                return Ok(());
            }
            if limit.has_passed() {
                return Err(Restless);
            }
            report = self.quiet(limit, expecting, scope).await?;
            expecting = false;
        }
    }

    /// Whether the topmost frame is on its way to another document, or has one that settling has not waited for.
    fn is_moving_on(&self, documents: u64) -> bool {
        let state = self.state();
        let top = state.frames.top();
        top.pending.is_some() || top.documents > documents
    }

    /// Waits for the new document, then for what is in it.
    async fn arrive(&self, scope: &CallScope) -> Result<(), Restless> {
        let parsed = |state: &State| {
            let top = state.frames.top();
            top.pending.is_none() && top.state >= LoadState::DomContentLoaded
        };
        self.wait_until_seen(end_of(scope), scope, parsed).await?;
        let loaded = |state: &State| {
            let top = state.frames.top();
            top.pending.is_some() || top.state == LoadState::Loaded
        };
        // A picture that never comes is no reason to fail.
        drop(self.wait_until_seen(end_of(scope).at_most(LOAD), scope, loaded).await);
        Ok(())
    }

    async fn requests_end(&self, mark: &Mark, documents: u64, limit: Deadline, scope: &CallScope) {
        let over = |state: &State| {
            let top = state.frames.top();
            !mark.is_busy(state) || top.pending.is_some() || top.documents > documents
        };
        drop(self.wait_until_seen(limit, scope, over).await);
    }

    /// Waits until `seen`; an interruption (a dialog, a crash) is a sight as well.
    async fn wait_until_seen(
        &self,
        limit: Deadline,
        scope: &CallScope,
        mut seen: impl FnMut(&State) -> bool,
    ) -> Result<(), Restless> {
        let waiting = self.wait_for(scope, |state| seen(state).then_some(()));
        match limit.race(waiting).await {
            Ok(Ok(()) | Err(Interruption::Dialog(_) | Interruption::Crashed | Interruption::Closed)) => {
                Ok(())
            }
            Ok(Err(_)) | Err(_) => Err(Restless),
        }
    }

    /// Asks the topmost document, and the one that was acted in, whether the action's timers, frames and changes are over.
    /// Nothing is the answer of a document that went away.
    async fn quiet(
        &self,
        limit: Deadline,
        expect: bool,
        scope: &CallScope,
    ) -> Result<Option<Report>, Restless> {
        let mut answer = Report { calm: true, ..Report::default() };
        for frame in self.acted_frames() {
            let wait = limit.remaining().as_millis();
            let watch = self.state().hand.watch.clone();
            let question = json!({ "watch": watch.as_deref(), "wait": wait, "expect": expect });
            match limit.race(self.ask::<Report>(&frame, "quiet", question, scope)).await {
                Ok(Ok(report)) => {
                    answer.calm &= report.calm;
                    answer.leaving |= report.leaving;
                }
                Ok(Err(Interruption::Backend(BackendError::BrowserGone(_)))) | Err(_) => {
                    return Err(Restless);
                }
                Ok(Err(Interruption::TimedOut | Interruption::Cancelled)) => return Err(Restless),
                Ok(Err(_)) => return Ok(None),
            }
        }
        Ok(Some(answer))
    }

    fn acted_frames(&self) -> Vec<FrameId> {
        let state = self.state();
        let main = state.frames.main().clone();
        let acted =
            state.hand.acted.clone().filter(|frame| *frame != main && state.frames.get(frame).is_some());
        acted.into_iter().chain([main]).collect()
    }
}

/// The time was up, or the call, before everything was at rest.
#[derive(Debug)]
struct Restless;

/// When settling must be over for the call to tell its result.
fn end_of(scope: &CallScope) -> Deadline {
    Deadline::after(scope.deadline().remaining().saturating_sub(TELLING))
}

#[cfg(test)]
mod tests;
