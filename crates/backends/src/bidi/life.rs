//! Whether a page answers, and waiting for answers only as long as it does.

use std::time::Duration;

use base::Deadline;
use engine::backend::BackendError;
use futures_util::FutureExt;
use wire::bidi::types::browsing_context;
use wire::bidi::{CallError, Command};

use super::page::Page;
use super::refusal::refusal;

/// So much later than the end of its document the death of a process may be told.
const CRASH_TOLD: Duration = Duration::from_secs(2);
/// So much later than the first the end of the last world of a document may be told.
const WORLDS_TOLD: Duration = Duration::from_millis(300);

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

    /// Whether its process died and no document has come since.
    pub(super) fn has_crashed(&self) -> bool {
        self.life.borrow().crashed
    }

    /// How often the topmost frame's address or document changed.
    pub(super) fn moves(&self) -> u64 {
        self.frames().get(&self.main_frame).map_or(0, |frame| frame.moves)
    }

    /// Waits until it is known what the document's end meant: that its process died is told a moment after it.
    pub(super) async fn crash_is_told(&self, moves: u64) {
        let mut changes = self.changed.subscribe();
        let unknown = || !self.has_crashed() && !self.has_ended() && self.moves() == moves;
        let known = async { while unknown() && changes.changed().await.is_ok() {} };
        // Something else has ended the document then.
        let _ = Deadline::after(CRASH_TOLD).race(known).await;
    }

    /// Waits a little until the end of a document's worlds is told of all of them: each comes by itself.
    pub(super) async fn all_worlds_are_told(&self, moves: u64) {
        let mut changes = self.changed.subscribe();
        let unknown = || {
            let here = !self.has_crashed() && !self.has_ended() && self.moves() == moves;
            here && self.frames().is_half_bare()
        };
        let known = async { while unknown() && changes.changed().await.is_ok() {} };
        // The other one stays: it was never there, or only this one went.
        let _ = Deadline::after(WORLDS_TOLD).race(known).await;
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

    /// Waits until it is closed.
    pub(super) async fn ended(&self) {
        let mut life = self.life.subscribe();
        // The sender is ours.
        let _ = life.wait_for(|life| life.closed).await;
    }

    /// Sends a command and waits for its answer, but not past the page's end: a dead process answers nothing.
    pub(super) async fn call<C: Command>(&self, command: &C) -> Result<C::Response, BackendError> {
        match self.while_alive(|| self.connection.send(command)).await {
            // What is gone with the page as a whole is told as that.
            Err(BackendError::DocumentGone) if self.has_ended() => Err(self.why_gone()),
            answer => answer,
        }
    }

    /// Waits for what `send` sends, as [`Page::call`] does.
    pub(super) async fn while_alive<T, F>(&self, send: impl FnOnce() -> F) -> Result<T, BackendError>
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
            answer = answer => answer.map_err(refusal),
            _ = gone => Err(self.why_gone()),
        }
    }

    /// A page that is gone with its browser says so.
    pub(super) fn why_gone(&self) -> BackendError {
        let closed = self.connection.closed().now_or_never();
        closed.map_or(BackendError::PageGone, |why| BackendError::BrowserGone(why.to_string()))
    }

    /// Closes it. One that is asked first may show a dialog instead, and the answer does not wait for that.
    pub(super) async fn shut(&self, ask_first: bool) -> Result<(), BackendError> {
        if self.has_ended() {
            return Ok(());
        }
        let close = browsing_context::Close {
            prompt_unload: Some(ask_first),
            ..browsing_context::Close::new(self.context.clone())
        };
        let closing = self.connection.send(&close);
        let asked =
            async { if ask_first { self.dialog_opens().await } else { std::future::pending().await } };
        tokio::select! {
            biased;
            () = self.ended() => Ok(()),
            closed = closing => match closed {
                Ok(_) if !ask_first => {
                    self.ended().await;
                    Ok(())
                }
                // It was closed meanwhile, or its dialog was dismissed.
                Ok(_) | Err(CallError::Protocol { .. }) => Ok(()),
                Err(error) => Err(refusal(error)),
            },
            () = asked => Ok(()),
        }
    }
}
