//! One session: a context in a browser, the dev server of its app, and what keeps it in order.

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
use super::{App, AppEnd, Border, End, SessionId, SessionRefused};
use crate::auth::Subject;

/// How long the closing of its tabs may take; its browser's end takes what is left.
const CLOSING: Duration = Duration::from_secs(3);
/// The same for its dev server: the contract's 15 s for a shutdown, and the ladder.
const APP_ENDING: Duration = Duration::from_secs(18);

/// An open session, or one that is just ending.
#[derive(Debug)]
pub(crate) struct Session {
    id: SessionId,
    owner: Subject,
    name: Option<String>,
    opened: jiff::Timestamp,
    context: Context,
    app: Option<App>,
    border: Border,
    pub(super) browser: Arc<dyn Browser>,
    /// Its browser is its own, and ends with it.
    pub(super) alone: bool,
    pub(super) expiry: Expiry,
    queue: Queue,
    recent: Recent,
    /// Fires when somebody wants it closed.
    pub(super) closing: CancellationToken,
    /// By when it must be gone, if somebody said.
    pub(super) last_moment: OnceLock<Deadline>,
    end: OnceLock<End>,
    /// Fires when it has ended: no call goes on.
    ended: CancellationToken,
    /// Fires when it has no tab any more.
    pub(super) emptied: CancellationToken,
    app_end: OnceLock<AppEnd>,
    /// Fires when nothing of it is left.
    pub(super) gone: CancellationToken,
}

impl Session {
    pub(super) fn new(
        id: SessionId,
        (owner, name): (Subject, Option<String>),
        context: Context,
        app: Option<App>,
        (browser, alone): (Arc<dyn Browser>, bool),
        border: Border,
        expiry: Expiry,
    ) -> Self {
        if let Some(app) = &app {
            border.admit(&app.running().url);
        }
        Self {
            id,
            owner,
            name,
            opened: jiff::Timestamp::now(),
            context,
            app,
            border,
            browser,
            alone,
            expiry,
            queue: Queue::default(),
            recent: Recent::default(),
            closing: CancellationToken::new(),
            last_moment: OnceLock::new(),
            end: OnceLock::new(),
            ended: CancellationToken::new(),
            emptied: CancellationToken::new(),
            app_end: OnceLock::new(),
            gone: CancellationToken::new(),
        }
    }

    pub(crate) fn id(&self) -> SessionId {
        self.id
    }

    /// Whose it is: nobody else may know that it is there.
    pub(crate) fn owner(&self) -> &Subject {
        &self.owner
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

    /// Its app, if it was started with one.
    pub(crate) fn app(&self) -> Option<&App> {
        self.app.as_ref()
    }

    /// What its browser may reach, and what it was refused.
    pub(crate) fn border(&self) -> &Border {
        &self.border
    }

    /// How its app ended, once it has.
    pub(crate) fn app_end(&self) -> Option<&AppEnd> {
        self.app_end.get()
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

    /// Ends its calls, then its tabs and its app.
    pub(super) async fn shut(&self, end: End) {
        tracing::info!(
            component = "session",
            event = "session_ended",
            eventType = "SessionTerminated",
            sessionId = %self.id,
            reason = end.reason(),
            why = %end
        );
        // Ended once: the keeper is the only one that comes here.
        let _ = self.end.set(end);
        self.ended.cancel();
        let last = self.last_moment.get().copied();
        // Tabs that hang must not take the time for their browser's end.
        let polite = last.map_or(Deadline::after(CLOSING), |last| last.at_most(last.remaining() / 3));
        let tabs = async {
            self.context.close(polite).await;
            if self.alone {
                self.browser.close(last.unwrap_or_else(|| Deadline::after(CLOSING))).await;
            }
            // Whoever is still on the way is cut off.
            self.border.close();
            self.emptied.cancel();
        };
        let app = async {
            if let Some(app) = &self.app {
                let end = app.end(last.unwrap_or_else(|| Deadline::after(APP_ENDING))).await;
                self.note_app_end(end);
            }
        };
        // A dev server may wait for its clients to leave, so both at once.
        tokio::join!(tabs, app);
        self.gone.cancel();
    }

    fn note_app_end(&self, end: AppEnd) {
        let (how, pid) = (end.how.word(), end.pid);
        let failed = end.failed.as_ref().map(ToString::to_string);
        tracing::info!(component = "session", event = "server_ended", sessionId = %self.id, how, pid, failed);
        let _ = self.app_end.set(end);
    }
}
