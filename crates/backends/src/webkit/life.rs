//! Whether a page answers, and waiting for answers only as long as it does.

use std::time::Duration;

use base::Deadline;
use engine::backend::BackendError;
use futures_util::FutureExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use wire::inspector::CallError;

use super::page::Page;
use super::refusal::refusal;

/// Whether the page answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Life {
    pub(super) crashes: u64,
    pub(super) crashed: bool,
    pub(super) closed: bool,
    /// A dialog is open: the page's scripts stand still.
    pub(super) dialog: bool,
}

/// How long the news of a page's end may take.
const NEWS: Duration = Duration::from_secs(2);

impl Page {
    /// The page's process died.
    pub(super) fn crash(&self) {
        self.life.send_modify(|life| {
            life.crashed = true;
            life.dialog = false;
            life.crashes += 1;
        });
    }

    /// The page has a process again.
    pub(super) fn revived(&self) {
        self.life.send_if_modified(|life| std::mem::take(&mut life.crashed));
    }

    pub(super) fn has_crashed(&self) -> bool {
        self.life.borrow().crashed
    }

    /// Nothing will be answered any more.
    pub(super) fn end(&self) {
        self.life.send_modify(|life| life.closed = true);
        self.changed.send_modify(|count| *count += 1);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.life.borrow().closed
    }

    /// Sends a command to the page and waits for its answer, but not past the page's end.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
    ) -> Result<T, BackendError> {
        self.while_alive(|| self.channel().send(method, params).read()).await
    }

    /// Sends a command whose answer says nothing.
    pub(super) async fn tell(
        &self,
        method: &'static str,
        params: impl Serialize,
    ) -> Result<(), BackendError> {
        self.while_alive(|| self.channel().send(method, params)).await.map(drop)
    }

    /// The same, also while a dialog holds the page's scripts.
    pub(super) async fn while_open<T, F>(&self, send: impl FnOnce() -> F) -> Result<T, BackendError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        self.watched(send, false).await
    }

    /// Waits for what `send` sends, but not past the page's end or a dialog: a dead process answers nothing, nor does one
    /// whose scripts stand still.
    pub(super) async fn while_alive<T, F>(&self, send: impl FnOnce() -> F) -> Result<T, BackendError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        self.watched(send, true).await
    }

    async fn watched<T, F>(&self, send: impl FnOnce() -> F, scripts: bool) -> Result<T, BackendError>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let mut life = self.life.subscribe();
        let begun = *life.borrow_and_update();
        if begun.closed || begun.crashed {
            return Err(self.why_gone());
        }
        if scripts && begun.dialog {
            return Err(BackendError::DialogOpen);
        }
        let answer = send();
        // Whether it is a dialog and not its end.
        let ended = async {
            let ended =
                life.wait_for(|life| life.closed || life.crashes > begun.crashes || scripts && life.dialog);
            matches!(ended.await, Ok(life) if !life.closed && life.crashes == begun.crashes)
        };
        let answer = tokio::select! {
            biased;
            answer = answer => answer,
            dialog = ended => return Err(if dialog { BackendError::DialogOpen } else { self.why_gone() }),
        };
        if let Err(CallError::TargetGone) = answer {
            self.news().await;
            return Err(self.why_gone());
        }
        answer.map_err(refusal)
    }

    /// Whether the page died: that is told after its calls have failed, and not at all if it did while it was given input.
    pub(super) async fn is_dead(&self) -> bool {
        let asked = self.call::<serde::de::IgnoredAny>("Runtime.evaluate", json!({ "expression": "0" }));
        // One with an open dialog, or between two documents, says so, and lives.
        let silent = Deadline::after(NEWS).race(asked).await.is_err();
        if silent
            && !self.has_ended()
            && !self.has_crashed()
            && let Ok(owner) = self.owner()
        {
            owner.page_crashed(self).await;
        }
        self.has_ended() || self.has_crashed()
    }

    /// Waits until a page's end is told: the browser ends calls to it before.
    async fn news(&self) {
        let mut life = self.life.subscribe();
        let told = async { life.wait_for(|life| life.closed || life.crashed).await.is_ok() };
        let _ = Deadline::after(NEWS).race(told).await;
    }

    /// A page that is gone with its browser says so.
    pub(super) fn why_gone(&self) -> BackendError {
        let closed = self.channel().connection().closed().now_or_never();
        closed.map_or(BackendError::PageGone, |why| BackendError::BrowserGone(why.to_string()))
    }
}
