//! Whether a page answers, and waiting for answers only as long as it does.

use std::time::Duration;

use base::Deadline;
use engine::backend::BackendError;
use futures_util::FutureExt;
use wire::cdp::types::{page, target};
use wire::cdp::{CallError, Command, Session};

use super::page::Page;
use super::refusal::{Place, of_page, refusal};

/// How long a page may be busy before its scripts are ended to close it.
const BUSY: Duration = Duration::from_secs(2);

/// Whether the page answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Life {
    crashes: u64,
    crashed: bool,
    closed: bool,
}

impl Page {
    /// The page's process died.
    pub(super) fn crash(&self) {
        self.life.send_modify(|life| {
            life.crashed = true;
            life.crashes += 1;
        });
    }

    /// The page has a process again, or is about to.
    pub(super) fn revive(&self) {
        self.life.send_if_modified(|life| std::mem::take(&mut life.crashed));
    }

    /// What was to bring it back did not, unless a document came all the same.
    pub(super) fn stay_crashed(&self) {
        if self.has_crashed() {
            self.life.send_modify(|life| life.crashed = true);
        }
    }

    /// Whether its process died and no document has come since.
    pub(super) fn has_crashed(&self) -> bool {
        self.frames().get(&self.main_frame).is_some_and(|frame| frame.crashed)
    }

    /// Nothing will be answered any more.
    pub(super) fn end(&self) {
        self.life.send_modify(|life| life.closed = true);
        self.changed.send_modify(|count| *count += 1);
    }

    /// Whether it is closed.
    pub(super) fn has_ended(&self) -> bool {
        self.life.borrow().closed
    }

    /// Sends a command and waits for its answer, but not past the page's end: a dead process answers nothing.
    pub(super) async fn call<C: Command>(
        &self,
        session: &Session,
        command: &C,
    ) -> Result<C::Response, BackendError> {
        let place = if session.id() == self.session.id() { Place::Page } else { Place::Frame };
        self.while_alive(place, || session.send(command)).await
    }

    /// Waits for what `send` sends, as [`Page::call`] does.
    pub(super) async fn while_alive<T, F>(
        &self,
        place: Place,
        send: impl FnOnce() -> F,
    ) -> Result<T, BackendError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let mut life = self.life.subscribe();
        let begun = *life.borrow_and_update();
        if begun.closed || begun.crashed {
            return Err(self.why_gone());
        }
        let answer = send();
        let gone = life.wait_for(|life| life.closed || life.crashes > begun.crashes);
        tokio::select! {
            biased;
            answer = answer => answer.map_err(|error| refusal(error, place)),
            _ = gone => Err(self.why_gone()),
        }
    }

    /// A page that is gone with its browser says so.
    pub(super) fn why_gone(&self) -> BackendError {
        let closed = self.session.connection().closed().now_or_never();
        closed.map_or(BackendError::PageGone, |why| BackendError::BrowserGone(why.to_string()))
    }

    /// Closes it. The answer to asking it first comes at once: it may then show a dialog, or close.
    pub(super) async fn shut(&self, ask_first: bool) -> Result<(), BackendError> {
        if self.has_ended() {
            return Ok(());
        }
        if ask_first {
            return self.closing(true).await;
        }
        loop {
            // Asked for again each time: of a page that is in the middle of a navigation the browser says that it is closed,
            // and forgets it.
            if let Ok(closed) = Deadline::after(BUSY).race(self.closing(false)).await {
                return closed;
            }
            // A page that is in a script and hears nothing is not closed by its browser either. Whether it could be ended
            // is seen by whether the page closes.
            let _ = Deadline::after(BUSY).race(self.end_scripts()).await;
        }
    }

    async fn closing(&self, ask_first: bool) -> Result<(), BackendError> {
        let closed = if ask_first {
            self.session.call(&page::Close::new()).await.map(drop)
        } else {
            let close = target::CloseTarget::new(&self.target);
            self.session.connection().call(&close).await.map(drop)
        };
        match closed {
            Ok(()) | Err(CallError::SessionGone) => {}
            // It was closed meanwhile.
            Err(CallError::Protocol { .. }) => {}
            Err(error) => return Err(of_page(error)),
        }
        if !ask_first {
            let mut life = self.life.subscribe();
            // The sender is ours.
            let _ = life.wait_for(|life| life.closed).await;
        }
        Ok(())
    }
}
