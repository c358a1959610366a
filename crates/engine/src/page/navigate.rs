//! Going somewhere, and waiting until it is there.

use std::time::Duration;

use base::scope::Interrupted;
use base::{CallScope, Deadline};
use serde_json::Value;

use super::{Interruption, LoadState, Page, State};
use crate::backend::{FrameId, NavigationId, Question, Started};

/// A page is idle when it has asked for nothing for this long, as Playwright's users know it.
const IDLE: Duration = Duration::from_millis(500);

/// A page that is to be left and does not answer in this time has a script without end.
const LEAVING: Duration = Duration::from_secs(1);

/// So late the news of a new fragment may be; a browser that never tells it has told nothing new.
const ADDRESS: Duration = Duration::from_secs(1);

/// How much of a page to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitUntil {
    /// The new document.
    Commit,
    /// Its text.
    DomContentLoaded,
    /// Everything in it.
    Load,
    /// Everything, and half a second without requests.
    NetworkIdle,
}

/// Where a navigation led.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// The address in the end.
    pub url: String,
    /// What the server answered; none for what no server answers.
    pub status: Option<u16>,
    /// In its words.
    pub status_text: String,
    /// How far the document is.
    pub state: LoadState,
    /// Only the fragment changed.
    pub same_document: bool,
    /// It became a download; the page stays where it was.
    pub download: bool,
}

/// Why a navigation did not lead where it should.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NavigationRefused {
    /// No document came.
    #[error("{url} could not be reached: {reason}")]
    Failed {
        /// Where to.
        url: String,
        /// Why, in the browser's words.
        reason: String,
    },
    /// The document came, but not as much of it as was waited for.
    #[error("{url} did not get further than {reached:?} in time")]
    Unfinished {
        /// Where to.
        url: String,
        /// How far it is; the page can be used.
        reached: LoadState,
    },
    /// Something else ended the wait.
    #[error(transparent)]
    Interrupted(#[from] Interruption),
}

impl Page {
    /// Goes to `url` and waits for as much of it as was asked.
    ///
    /// A page that goes elsewhere on its way (a redirect by script) is followed: what counts is where it ends.
    ///
    /// # Errors
    /// [`NavigationRefused`].
    pub async fn navigate(
        &self,
        url: &str,
        until: WaitUntil,
        scope: &CallScope,
    ) -> Result<Arrival, NavigationRefused> {
        let main = {
            let mut state = self.state();
            state.revive();
            state.frames.main().clone()
        };
        self.free(scope).await?;
        let left = self.leave(&main, url, scope).await;
        if let Err(NavigationRefused::Interrupted(Interruption::TimedOut | Interruption::Cancelled)) = left {
            // A page that waits for its server answers nothing else: it stays where it was.
            let _ = Deadline::after(LEAVING).race(self.backend().stop()).await;
        }
        match left? {
            Started::Failed(reason) => Err(NavigationRefused::Failed { url: url.to_owned(), reason }),
            Started::SameDocument => Ok(Arrival { same_document: true, ..self.arrival() }),
            Started::Download => Ok(Arrival { download: true, ..self.arrival() }),
            Started::Navigation(_) => {
                self.loaded(url, until, scope).await?;
                Ok(self.arrival())
            }
        }
    }

    /// Begins to navigate, and waits for the new document if there is to be one.
    async fn leave(
        &self,
        main: &FrameId,
        url: &str,
        scope: &CallScope,
    ) -> Result<Started, NavigationRefused> {
        // Counted first: by the time of the answer its document may have come, and have given way to another one.
        let (moves, documents) = {
            let state = self.state();
            (state.moves, state.frames.top().documents)
        };
        let started = self.attempt(scope, self.backend().navigate(main, url, None)).await?;
        match &started {
            Started::Navigation(navigation) => self.committed(url, navigation, documents, scope).await?,
            // The answer overtakes the event with the new address.
            Started::SameDocument => {
                let moved = |state: &State| (state.moves > moves).then_some(());
                match self.wait_for(&scope.within(ADDRESS), moved).await {
                    Ok(()) | Err(Interruption::TimedOut) => {}
                    Err(why) => return Err(why.into()),
                }
            }
            Started::Failed(_) | Started::Download => {}
        }
        Ok(started)
    }

    /// Ends the script that would keep the page from being left, if one runs: a browser waits for it without end, and
    /// once it navigates, it hears nothing of our wish to end it.
    pub(super) async fn free(&self, scope: &CallScope) -> Result<(), Interruption> {
        let (main, fresh) = {
            let state = self.state();
            state.interruption().map_or(Ok(()), Err)?;
            (state.frames.main().clone(), state.frames.top().documents == 0)
        };
        if fresh {
            return Ok(());
        }
        // Asked of our own world: a script in the page's would count as something that a user did.
        let question = Question::new("title", Value::Null);
        let answer = scope.within(LEAVING).race(self.backend().ask(&main, &question)).await;
        if matches!(answer, Err(Interrupted::Deadline)) && !scope.deadline().has_passed() {
            // A page that is beyond this is left as well as it can be.
            let _ = scope.within(LEAVING).race(self.backend().interrupt()).await;
        }
        Ok(())
    }

    /// Waits until the page has as much of its document as was asked.
    ///
    /// # Errors
    /// [`NavigationRefused`].
    pub async fn wait_until(
        &self,
        until: WaitUntil,
        scope: &CallScope,
    ) -> Result<Arrival, NavigationRefused> {
        let url = self.arrival().url;
        self.loaded(&url, until, scope).await?;
        Ok(self.arrival())
    }

    /// Waits for the document of `navigation`, or of one that took its place.
    async fn committed(
        &self,
        url: &str,
        navigation: &NavigationId,
        before: u64,
        scope: &CallScope,
    ) -> Result<(), NavigationRefused> {
        let there = |state: &State| {
            let frame = state.frames.top();
            let replaced = frame.documents > before && frame.pending.is_none();
            let arrived = frame.navigation.as_ref() == Some(navigation) || replaced;
            if arrived {
                return Some(Ok(()));
            }
            // What failed because something else is on its way is not the end.
            let reason = state.frames.failure(navigation).filter(|_| frame.pending.is_none())?;
            Some(Err(NavigationRefused::Failed { url: url.to_owned(), reason: reason.to_owned() }))
        };
        self.wait_for(scope, there).await?
    }

    async fn loaded(&self, url: &str, until: WaitUntil, scope: &CallScope) -> Result<(), NavigationRefused> {
        let wanted = match until {
            WaitUntil::Commit => LoadState::Committed,
            WaitUntil::DomContentLoaded => LoadState::DomContentLoaded,
            WaitUntil::Load | WaitUntil::NetworkIdle => LoadState::Loaded,
        };
        let unfinished = |why| match why {
            Interruption::TimedOut => NavigationRefused::Unfinished {
                url: url.to_owned(),
                reached: self.state().frames.top().state,
            },
            why => NavigationRefused::Interrupted(why),
        };
        self.wait_for(scope, |state| (state.frames.top().state >= wanted).then_some(()))
            .await
            .map_err(unfinished)?;
        if until == WaitUntil::NetworkIdle {
            self.idle(scope).await.map_err(unfinished)?;
        }
        Ok(())
    }

    /// Waits until nothing has been asked for during [`IDLE`].
    async fn idle(&self, scope: &CallScope) -> Result<(), Interruption> {
        loop {
            let quiet = |state: &State| (state.network.in_flight() == 0).then(|| state.network.next_index());
            let mark = self.wait_for(scope, quiet).await?;
            let asked = self.wait_for(scope, |state| (state.network.next_index() > mark).then_some(()));
            match Deadline::after(IDLE).race(asked).await {
                Err(_) => return Ok(()),
                Ok(again) => again?,
            }
        }
    }

    /// Where the page is now.
    pub fn arrival(&self) -> Arrival {
        let state = self.state();
        let frame = state.frames.top();
        let document = frame.navigation.as_ref().and_then(|navigation| state.network.document_of(navigation));
        let response = document.and_then(|document| document.response.as_ref());
        Arrival {
            url: frame.url.clone(),
            status: response.map(|response| response.status),
            status_text: response.map(|response| response.status_text.clone()).unwrap_or_default(),
            state: frame.state,
            same_document: false,
            download: false,
        }
    }
}
