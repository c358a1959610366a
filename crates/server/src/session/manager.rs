//! All sessions of a server: opening, finding and ending them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use base::{Activity, CallScope, Deadline};
use engine::backend::{BackendError, Browser, ContextOptions};
use engine::context::{Context, StorageState};
use engine::page::Interruption;
use futures_util::future::{BoxFuture, join_all};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::browsers::{Browsers, Wanted};
use super::expiry::Expiry;
use super::tombstones::Tombstones;
use super::{End, Session, SessionId, SessionRefused};
use crate::ending::{Close, Closed};

/// How long the closing of one session may take; its browser's end takes what is left.
const CLOSING: Duration = Duration::from_secs(3);
/// A context and its first tab.
const OPENING: Duration = Duration::from_secs(30);

/// How many sessions there may be, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) idle: Duration,
    pub(crate) lifetime: Duration,
    pub(crate) most: usize,
}

/// A session to be opened.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) name: Option<String>,
    pub(crate) wanted: Wanted,
    /// In a browser of its own.
    pub(crate) alone: bool,
    pub(crate) options: ContextOptions,
    pub(crate) storage: Option<StorageState>,
}

/// The sessions of one server. Clones are the same sessions.
#[derive(Debug, Clone)]
pub(crate) struct Sessions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limits: Limits,
    browsers: Browsers,
    table: Mutex<Table>,
    /// Held while a default session is being opened, so that two calls do not open two.
    by_default: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Table {
    /// In the order in which they were opened.
    open: Vec<Arc<Session>>,
    /// Places that are taken by sessions which are being opened.
    coming: usize,
    ended: Tombstones,
    /// The server is ending.
    closed: bool,
}

/// A place for a session that is being opened.
struct Reserved(Arc<Inner>);

impl Sessions {
    pub(crate) fn new(limits: Limits, browsers: Browsers) -> Self {
        let (table, by_default) = (Mutex::default(), tokio::sync::Mutex::default());
        Self(Arc::new(Inner { limits, browsers, table, by_default }))
    }

    /// Starts the browser before anybody needs it.
    pub(crate) fn prelaunch(&self, wanted: Wanted) {
        self.0.browsers.prelaunch(wanted);
    }

    /// Opens a session with one blank tab.
    ///
    /// # Errors
    /// [`SessionRefused`] when there are too many, or the browser does not do it in time.
    pub(crate) async fn open(&self, plan: Plan, scope: &CallScope) -> Result<Arc<Session>, SessionRefused> {
        let reserved = Inner::reserve(&self.0)?;
        let (done, opened) = oneshot::channel();
        let inner = Arc::clone(&self.0);
        // In a task of its own: a call that is given up in the middle must not leave half a session in the browser.
        tokio::spawn(async move {
            let session = inner.build(plan).await;
            drop(reserved);
            if let Err(Ok(unwanted)) = done.send(session.and_then(|session| Inner::admit(&inner, session))) {
                unwanted.closing.cancel();
            }
        });
        scope.race(opened).await?.unwrap_or(Err(SessionRefused::Ending))
    }

    /// The session with this id.
    ///
    /// # Errors
    /// [`SessionRefused`] tells one that ended from one that never was.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Session>, SessionRefused> {
        let table = self.0.table();
        let not_found = || SessionRefused::NotFound { id: base::clip::head(id, 60).into_owned() };
        let known: SessionId = id.parse().map_err(|_| not_found())?;
        if let Some(session) = table.open.iter().find(|session| session.id() == known) {
            return Ok(Arc::clone(session));
        }
        let id = known.to_string();
        Err(match table.ended.of(known) {
            None => not_found(),
            Some((End::Closed, at)) => SessionRefused::ClosedBefore { id, ago: at.elapsed() },
            Some((End::Crashed(gone), _)) => SessionRefused::Crashed { id, gone: gone.clone() },
            Some((end, _)) => SessionRefused::Expired { id, why: end.to_string() },
        })
    }

    /// The one session that is open, or a new one when none is.
    ///
    /// # Errors
    /// [`SessionRefused::Unnamed`] when there are several, and whatever keeps a new one from being opened.
    pub(crate) async fn only(
        &self,
        plan: impl FnOnce() -> Plan,
        scope: &CallScope,
    ) -> Result<Arc<Session>, SessionRefused> {
        let _alone = scope.race(self.0.by_default.lock()).await?;
        let open = self.open_ones();
        match open.as_slice() {
            [] => self.open(plan(), scope).await,
            [only] => Ok(Arc::clone(only)),
            several => {
                Err(SessionRefused::Unnamed { open: several.iter().map(|one| one.summary()).collect() })
            }
        }
    }

    /// Why the session that ended last did, for whoever gets a new one without having asked for it.
    pub(crate) fn last_end(&self) -> Option<End> {
        self.0.table().ended.last().cloned()
    }

    /// Every open session, in the order in which they were opened.
    pub(crate) fn open_ones(&self) -> Vec<Arc<Session>> {
        self.0.table().open.clone()
    }

    /// How many are open.
    pub(crate) fn count(&self) -> usize {
        self.0.table().open.len()
    }

    /// Closes a session and waits until nothing of it is left. Calls that run in it end at once.
    pub(crate) async fn close(&self, session: &Session, deadline: Deadline) {
        session.closing.cancel();
        // It is closed by its keeper, who needs nobody to wait.
        let _ = deadline.race(session.gone.cancelled()).await;
    }
}

impl Inner {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve(inner: &Arc<Self>) -> Result<Reserved, SessionRefused> {
        let mut table = inner.table();
        if table.closed {
            return Err(SessionRefused::Ending);
        }
        if table.open.len() + table.coming >= inner.limits.most {
            return Err(SessionRefused::TooMany {
                open: table.open.iter().map(|one| one.summary()).collect(),
            });
        }
        table.coming += 1;
        Ok(Reserved(Arc::clone(inner)))
    }

    /// The session, in no table yet.
    async fn build(&self, plan: Plan) -> Result<Session, SessionRefused> {
        let id = SessionId::fresh();
        let scope = CallScope::new(Deadline::after(OPENING), CancellationToken::new(), Activity::default());
        let mut tries = 0;
        loop {
            tries += 1;
            let browser = match plan.alone {
                true => self.browsers.own(id, plan.wanted).await,
                false => self.browsers.shared(plan.wanted).await,
            }?;
            match opened(&browser, &plan, &scope).await {
                Ok(context) => {
                    let expiry = Expiry::new(self.limits.idle, self.limits.lifetime);
                    return Ok(Session::new(id, plan.name, context, (browser, plan.alone), expiry));
                }
                // It died a moment ago, and whoever watches it has not noticed yet.
                Err(SessionRefused::Context(BackendError::BrowserGone(_))) if tries == 1 => {
                    self.browsers.forget(&browser);
                }
                Err(refused) => {
                    if plan.alone {
                        self.browsers.forget(&browser);
                        browser.close(Deadline::after(CLOSING)).await;
                    }
                    return Err(refused);
                }
            }
        }
    }

    /// Takes the session into the table and gives it its keeper.
    fn admit(inner: &Arc<Self>, session: Session) -> Result<Arc<Session>, SessionRefused> {
        let session = Arc::new(session);
        let ending = {
            let mut table = inner.table();
            if !table.closed {
                table.open.push(Arc::clone(&session));
            }
            table.closed
        };
        tracing::info!(component = "session", event = "session_started", sessionId = %session.id());
        tokio::spawn(keep(Arc::downgrade(inner), Arc::clone(&session)));
        if ending {
            session.closing.cancel();
            return Err(SessionRefused::Ending);
        }
        Ok(session)
    }

    /// Buries a session: whoever looks for it from now on learns how it ended.
    fn bury(&self, session: &Session, end: End) {
        let mut table = self.table();
        table.open.retain(|open| open.id() != session.id());
        table.ended.add(session.id(), end);
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.0.table().coming -= 1;
    }
}

/// A context with one blank tab.
async fn opened(
    browser: &Arc<dyn Browser>,
    plan: &Plan,
    scope: &CallScope,
) -> Result<Context, SessionRefused> {
    let open = Context::open(&**browser, plan.options.clone(), plan.storage.clone());
    let context = scope.race(open).await?.map_err(SessionRefused::Context)?;
    match context.new_page(scope).await {
        Ok(_) => Ok(context),
        Err(why) => {
            context.close(Deadline::after(CLOSING)).await;
            Err(match why {
                Interruption::Backend(error) => SessionRefused::Context(error),
                Interruption::Cancelled => base::scope::Interrupted::Cancelled.into(),
                _ => base::scope::Interrupted::Deadline.into(),
            })
        }
    }
}

/// The task that ends a session when its time has come.
async fn keep(sessions: Weak<Inner>, session: Arc<Session>) {
    let end = tokio::select! {
        biased;
        () = session.closing.cancelled() => End::Closed,
        gone = session.browser.gone() => End::Crashed(gone),
        end = session.expiry.passed() => end,
    };
    if let Some(inner) = sessions.upgrade() {
        inner.bury(&session, end.clone());
        if matches!(end, End::Crashed(_)) || session.alone {
            inner.browsers.forget(&session.browser);
        }
    }
    session.shut(end, Deadline::after(CLOSING)).await;
}

impl Close for Sessions {
    fn name(&self) -> &'static str {
        "sessions"
    }

    fn close(&self, deadline: Deadline) -> BoxFuture<'_, Closed> {
        Box::pin(async move {
            let open = {
                let mut table = self.0.table();
                table.closed = true;
                table.open.clone()
            };
            // The browsers end with everything in them; contexts that hang must not take the time for that.
            let polite = deadline.at_most(deadline.remaining() / 3);
            join_all(open.iter().map(|session| Self::close(self, session, polite))).await;
            self.0.browsers.close(deadline).await;
            let named = open.iter().map(|session| format!("session {}", session.id())).collect();
            Closed { stopped: named, resisted: Vec::new() }
        })
    }
}
