//! Waiting for one thing after the other that an action set in motion, until nothing is left.

use std::time::Duration;

use base::{CallScope, Deadline};
use serde_json::json;

use super::{Mark, Report};
use crate::backend::{BackendError, FrameId};
use crate::injected::watch_token;
use crate::page::{Interruption, LoadState, Page, State};

/// All of it in one document, from the action or from when it is loaded.
pub(super) const LONGEST: Duration = Duration::from_millis(1500);
/// Requests that the action, or the new document, began.
pub(super) const REQUESTS: Duration = Duration::from_secs(1);
/// From a navigation's beginning in the page to the browser's word of it.
const LEAVING: Duration = Duration::from_millis(500);
/// From a page's wish for another one to that page; one that the browser refuses never comes.
const POPUP: Duration = Duration::from_millis(2500);
/// Downloads: what is small is there by then, what is big is told to be on its way.
pub(super) const DOWNLOAD: Duration = Duration::from_millis(700);
/// Pictures and the like in a new document.
pub(super) const LOAD: Duration = Duration::from_secs(5);
/// Kept of the call's time, so that its result can still be told.
const TELLING: Duration = Duration::from_millis(200);

/// The wait since one mark.
#[derive(Debug)]
pub(super) struct Rest<'a> {
    page: &'a Page,
    mark: &'a Mark,
    scope: &'a CallScope,
    /// When it is enough for this document.
    limit: Deadline,
    /// When it is enough for requests.
    requests: Deadline,
    /// As many documents as were waited for.
    documents: u64,
    /// What the page said last, if nothing has happened since.
    report: Option<Report>,
    /// A response has come that the page may not show yet.
    expecting: bool,
    /// When it is enough for pages that the action opens.
    popups: Deadline,
    /// When it is enough for downloads.
    downloads: Deadline,
    /// The page said that something is to be saved.
    downloading: bool,
}

/// What to wait for next.
enum Next {
    Nothing,
    Document,
    Requests,
    /// The browser's word of a navigation that has begun in the page.
    Departure,
    /// The page that the action opened.
    Popup,
    /// What the action saves.
    Download,
    Quiet,
}

/// The time was up, or the call, before everything was at rest.
#[derive(Debug)]
pub(super) struct Restless;

impl<'a> Rest<'a> {
    pub(super) fn new(page: &'a Page, mark: &'a Mark, scope: &'a CallScope) -> Self {
        Self {
            page,
            mark,
            scope,
            limit: end_of(scope).at_most(LONGEST),
            requests: end_of(scope).at_most(REQUESTS),
            // One that a dialog held up goes on with its answer, and has not been waited for.
            documents: mark.documents.saturating_sub(u64::from(mark.held_up)),
            report: page.state().hand.report.take(),
            expecting: false,
            popups: end_of(scope).at_most(POPUP),
            downloads: end_of(scope).at_most(DOWNLOAD),
            downloading: false,
        }
    }

    /// The title of the page that came to rest, if it said so last.
    pub(super) async fn until_all_is_quiet(mut self) -> Result<Option<String>, Restless> {
        loop {
            self.page.caught_up(self.scope).await.map_err(|_| Restless)?;
            self.downloading |= self.report.as_ref().is_some_and(|report| report.downloading);
            match self.next() {
                Next::Nothing => return Ok(self.report.and_then(|report| report.title)),
                Next::Document => self.arrive().await?,
                Next::Requests => self.requests_end().await,
                Next::Departure => {
                    let (mark, limit) = (self.mark, self.limit.min(Deadline::after(LEAVING)));
                    self.wait_until(limit, |state| mark.has_left(state)).await?;
                }
                Next::Popup => {
                    let mark = self.mark;
                    drop(self.wait_until(self.popups, |state| !mark.awaits_popup(state)).await);
                }
                Next::Download => {
                    let (mark, announced) = (self.mark, self.downloading);
                    let over = |state: &State| !mark.awaits_download(state, announced);
                    drop(self.wait_until(self.downloads, over).await);
                }
                Next::Quiet if self.limit.has_passed() => return Err(Restless),
                Next::Quiet => self.report = self.quiet().await?,
            }
        }
    }

    fn next(&self) -> Next {
        let state = self.page.state();
        if self.mark.stops(&state) {
            Next::Nothing
        } else if self.mark.awaits_popup(&state) && !self.popups.has_passed() {
            Next::Popup
        } else if self.is_moving_on(&state) {
            Next::Document
        } else if self.mark.awaits_download(&state, self.downloading) && !self.downloads.has_passed() {
            Next::Download
        } else if self.mark.is_busy(&state) && !self.requests.has_passed() {
            Next::Requests
        } else {
            match &self.report {
                Some(report) if report.leaving && !self.mark.has_left(&state) => Next::Departure,
                Some(report) if report.calm => Next::Nothing,
                _ => Next::Quiet,
            }
        }
    }

    /// Whether the topmost frame is on its way to another document, or has one that was not waited for.
    fn is_moving_on(&self, state: &State) -> bool {
        let top = state.frames.top();
        top.pending.is_some() || top.documents > self.documents
    }

    /// Waits for the new document, then for what is in it.
    async fn arrive(&mut self) -> Result<(), Restless> {
        let parsed = |state: &State| {
            let top = state.frames.top();
            top.pending.is_none() && top.state >= LoadState::DomContentLoaded
        };
        self.wait_until(end_of(self.scope), parsed).await?;
        let loaded = |state: &State| {
            let top = state.frames.top();
            top.pending.is_some() || top.state == LoadState::Loaded
        };
        // A picture that never comes is no reason to fail.
        drop(self.wait_until(end_of(self.scope).at_most(LOAD), loaded).await);
        self.documents = self.page.state().frames.top().documents;
        self.limit = end_of(self.scope).at_most(LONGEST);
        self.requests = end_of(self.scope).at_most(REQUESTS);
        self.report = None;
        Ok(())
    }

    async fn requests_end(&mut self) {
        let over = |state: &State| !self.mark.is_busy(state) || self.is_moving_on(state);
        // One that takes too long is left to itself.
        drop(self.wait_until(self.requests, over).await);
        self.report = None;
        self.expecting = true;
    }

    /// Waits until `seen`; an interruption (a dialog, a crash) is a sight as well.
    async fn wait_until(
        &self,
        limit: Deadline,
        mut seen: impl FnMut(&State) -> bool,
    ) -> Result<(), Restless> {
        let waiting = self.page.wait_for(self.scope, |state| seen(state).then_some(()));
        match limit.race(waiting).await {
            Ok(Ok(()) | Err(Interruption::Dialog(_) | Interruption::Crashed | Interruption::Closed)) => {
                Ok(())
            }
            Ok(Err(_)) | Err(_) => Err(Restless),
        }
    }

    /// Asks the topmost document, and the one that was acted in, whether the action's timers, frames and changes are
    /// over. Nothing is the answer of a document that went away.
    async fn quiet(&mut self) -> Result<Option<Report>, Restless> {
        let mut answer = Report { calm: true, ..Report::default() };
        let expect = std::mem::take(&mut self.expecting);
        for frame in self.acted_frames() {
            let wait = self.limit.remaining().as_millis();
            let question = json!({ "watch": watch_token(), "wait": wait, "expect": expect });
            let asking = self.page.ask::<Report>(&frame, "quiet", question, self.scope);
            match self.limit.race(asking).await {
                Ok(Ok(report)) => {
                    answer.calm &= report.calm;
                    answer.leaving |= report.leaving;
                    answer.downloading |= report.downloading;
                    // The topmost is asked last.
                    answer.title = report.title;
                }
                Ok(Err(
                    Interruption::Backend(BackendError::BrowserGone(_))
                    | Interruption::TimedOut
                    | Interruption::Cancelled,
                ))
                | Err(_) => return Err(Restless),
                Ok(Err(_)) => return Ok(None),
            }
        }
        Ok(Some(answer))
    }

    fn acted_frames(&self) -> Vec<FrameId> {
        let state = self.page.state();
        let main = state.frames.main().clone();
        let acted =
            state.hand.acted.clone().filter(|frame| *frame != main && state.frames.get(frame).is_some());
        acted.into_iter().chain([main]).collect()
    }
}

/// When settling must be over for the call to tell its result.
fn end_of(scope: &CallScope) -> Deadline {
    Deadline::after(scope.deadline().remaining().saturating_sub(TELLING))
}
