//! One session: a context in a browser, and what keeps it in order.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base::Deadline;
use engine::backend::{Browser, Identity};
use engine::context::Context;
use tokio_util::sync::CancellationToken;

use super::expiry::{Awake, Expiry};
use super::queue::{Place, Queue};
use super::recent::{Past, Recent};
use super::refusal::OpenSession;
use super::{End, SessionId, SessionRefused};

/// An open session, or one that is just ending.
#[derive(Debug)]
pub(crate) struct Session {
    id: SessionId,
    name: Option<String>,
    opened: jiff::Timestamp,
    context: Context,
    pub(super) browser: Arc<dyn Browser>,
    /// Its browser is its own, and ends with it.
    pub(super) alone: bool,
    pub(super) expiry: Expiry,
    queue: Queue,
    recent: Recent,
    /// Fires when somebody wants it closed.
    pub(super) closing: CancellationToken,
    end: OnceLock<End>,
    /// Fires when it has ended: no call goes on.
    ended: CancellationToken,
    /// Fires when nothing of it is left.
    pub(super) gone: CancellationToken,
}

impl Session {
    pub(super) fn new(
        id: SessionId,
        name: Option<String>,
        context: Context,
        (browser, alone): (Arc<dyn Browser>, bool),
        expiry: Expiry,
    ) -> Self {
        Self {
            id,
            name,
            opened: jiff::Timestamp::now(),
            context,
            browser,
            alone,
            expiry,
            queue: Queue::default(),
            recent: Recent::default(),
            closing: CancellationToken::new(),
            end: OnceLock::new(),
            ended: CancellationToken::new(),
            gone: CancellationToken::new(),
        }
    }

    pub(crate) fn id(&self) -> SessionId {
        self.id
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(crate) fn opened(&self) -> jiff::Timestamp {
        self.opened
    }

    /// Its tabs.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// The browser that it runs in.
    pub(crate) fn identity(&self) -> &Identity {
        self.browser.identity()
    }

    /// How long nobody has called.
    pub(crate) fn idle_for(&self) -> Duration {
        self.expiry.idle_for()
    }

    /// How long it still lives if nobody calls.
    pub(crate) fn remaining(&self) -> Duration {
        self.expiry.remaining()
    }

    /// A call begins: the session does not idle until this is dropped.
    pub(crate) fn awake(&self) -> Awake<'_> {
        self.expiry.awake()
    }

    /// A place in the row of its calls.
    pub(crate) async fn place(&self) -> Place {
        self.queue.place().await
    }

    /// Its earlier errors, oldest first.
    pub(crate) fn recent(&self) -> Vec<Past> {
        self.recent.all()
    }

    /// Takes note of an error.
    pub(crate) fn note(&self, past: Past) {
        self.recent.push(past);
    }

    /// Waits until it has ended, and says why no call goes on.
    pub(crate) async fn ended(&self) -> SessionRefused {
        self.ended.cancelled().await;
        let id = self.id.to_string();
        match self.end.get() {
            Some(End::Crashed(gone)) => SessionRefused::Crashed { id, gone: gone.clone() },
            Some(end @ (End::Idle(_) | End::Lifetime(_))) => {
                SessionRefused::Expired { id, why: end.to_string() }
            }
            Some(End::Closed) | None => SessionRefused::Closed,
        }
    }

    /// As others are told of it.
    pub(crate) fn summary(&self) -> OpenSession {
        OpenSession { id: self.id.to_string(), name: self.name.clone(), idle: self.idle_for() }
    }

    /// Ends its calls, then itself.
    pub(super) async fn shut(&self, end: End, deadline: Deadline) {
        tracing::info!(component = "session", event = "session_ended", sessionId = %self.id, why = %end);
        // Ended once: the keeper is the only one that comes here.
        let _ = self.end.set(end);
        self.ended.cancel();
        self.context.close(deadline).await;
        if self.alone {
            self.browser.close(deadline).await;
        }
        self.gone.cancel();
    }
}
