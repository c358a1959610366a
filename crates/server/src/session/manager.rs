//! All sessions of a server: opening, finding and ending them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use base::{CallScope, Deadline};
use devserver::ServerCommand;
use futures_util::future::{BoxFuture, join_all};
use supervise::Supervisor;
use tokio::sync::{Notify, oneshot};

use super::browsers::{Browsers, Wanted};
use super::making::{Limits, Maker, Plan};
use super::tombstones::Tombstones;
use super::{Boundary, End, Ending, Session, SessionId, SessionRefused, StartRefused};
use crate::auth::Subject;
use crate::ending::{Close, Closed};

/// The sessions of one server. Clones are the same sessions.
#[derive(Debug, Clone)]
pub(crate) struct Sessions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    maker: Arc<Maker>,
    table: Mutex<Table>,
    /// Held while a default session is being opened, so that two calls do not open two.
    by_default: tokio::sync::Mutex<()>,
    /// Told when a session has been opened or has not.
    came: Notify,
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

impl Table {
    /// The open sessions of one who calls.
    fn of<'a>(&'a self, owner: &'a Subject) -> impl Iterator<Item = &'a Arc<Session>> {
        self.open.iter().filter(move |session| session.owner() == owner)
    }
}

/// A place for a session that is being opened.
struct Reserved(Arc<Inner>);

impl Sessions {
    pub(crate) fn new(limits: Limits, boundary: Boundary, browsers: Browsers) -> Self {
        let maker = Arc::new(Maker { limits, boundary, browsers });
        let (table, by_default) = (Mutex::default(), tokio::sync::Mutex::default());
        Self(Arc::new(Inner { maker, table, by_default, came: Notify::new() }))
    }

    /// Starts the browser before anybody needs it.
    pub(crate) fn prelaunch(&self, wanted: Wanted) {
        self.0.maker.browsers.prelaunch(wanted);
    }

    /// Opens a session with one blank tab. It is `owner`'s, and nobody else finds it.
    ///
    /// # Errors
    /// [`SessionRefused`] when there are too many, or the browser does not do it in time.
    pub(crate) async fn open(
        &self,
        plan: Plan,
        owner: &Subject,
        scope: &CallScope,
    ) -> Result<Arc<Session>, SessionRefused> {
        self.0.maker.possible(&plan)?;
        let reserved = Inner::reserve(&self.0, owner)?;
        let (done, opened) = oneshot::channel();
        let (inner, owner) = (Arc::clone(&self.0), owner.clone());
        // In a task of its own: a call that is given up in the middle must not leave half a session in the browser.
        tokio::spawn(async move {
            let session = inner.maker.make(plan, owner).await;
            hand_over(&inner, session, done, reserved).await;
        });
        scope.race(opened).await?.unwrap_or(Err(SessionRefused::Ending))
    }

    /// Opens a session and starts its dev server, both at the same time.
    ///
    /// # Errors
    /// [`StartRefused`] when either does not come; the other is ended then.
    pub(crate) async fn start(
        &self,
        plan: Plan,
        owner: &Subject,
        command: ServerCommand,
        supervisor: &Supervisor,
        scope: &CallScope,
    ) -> Result<Arc<Session>, StartRefused> {
        self.0.maker.possible(&plan)?;
        let reserved = Inner::reserve(&self.0, owner)?;
        let (done, opened) = oneshot::channel();
        let (inner, owner) = (Arc::clone(&self.0), owner.clone());
        let (supervisor, starting) = (supervisor.clone(), scope.clone());
        // In a task of its own, as above; a call that is given up interrupts the server's start by its scope.
        tokio::spawn(async move {
            match inner.maker.make_with_app((plan, owner), command, supervisor, &starting).await {
                Ok(session) => hand_over(&inner, Ok(session), done, reserved).await,
                Err((refused, rest)) => {
                    // The agent need not wait for what is tidied up.
                    let _ = done.send(Err(refused));
                    rest.await;
                    drop(reserved);
                }
            }
        });
        scope.race(opened).await?.unwrap_or(Err(SessionRefused::Ending.into()))
    }

    /// The session with this id, if it is `owner`'s.
    ///
    /// # Errors
    /// [`SessionRefused`] tells one that ended from one that never was; another's never was.
    pub(crate) fn find(&self, id: &str, owner: &Subject) -> Result<Arc<Session>, SessionRefused> {
        let table = self.0.table();
        let not_found = || SessionRefused::NotFound { id: base::clip::head(id, 60).into_owned() };
        let known: SessionId = id.parse().map_err(|_| not_found())?;
        if let Some(session) =
            table.open.iter().find(|session| session.id() == known && session.owner() == owner)
        {
            return Ok(Arc::clone(session));
        }
        let id = known.to_string();
        Err(match table.ended.of(known, owner) {
            None => not_found(),
            Some((End::Closed, at)) => SessionRefused::ClosedBefore { id, ago: at.elapsed() },
            Some((End::Crashed(gone), _)) => SessionRefused::Crashed { id, gone: gone.clone() },
            Some((end, _)) => SessionRefused::Expired { id, why: end.to_string() },
        })
    }

    /// The one session of `owner`'s that is open, or a new one when none is.
    ///
    /// # Errors
    /// [`SessionRefused::Unnamed`] when there are several, and whatever keeps a new one from being opened.
    pub(crate) async fn only(
        &self,
        plan: impl FnOnce() -> Plan,
        owner: &Subject,
        scope: &CallScope,
    ) -> Result<Arc<Session>, SessionRefused> {
        let _alone = scope.race(self.0.by_default.lock()).await?;
        let open = self.open_ones(owner);
        match open.as_slice() {
            [] => self.open(plan(), owner, scope).await,
            [only] => Ok(Arc::clone(only)),
            several => {
                Err(SessionRefused::Unnamed { open: several.iter().map(|one| one.summary()).collect() })
            }
        }
    }

    /// Why the session that ended last did, for whoever gets a new one without having asked for it.
    pub(crate) fn last_end(&self, owner: &Subject) -> Option<End> {
        self.0.table().ended.last(owner).cloned()
    }

    /// Every open session of `owner`'s, in the order in which they were opened.
    pub(crate) fn open_ones(&self, owner: &Subject) -> Vec<Arc<Session>> {
        self.0.table().of(owner).cloned().collect()
    }

    /// How many are open, whosever they are.
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

    fn reserve(inner: &Arc<Self>, owner: &Subject) -> Result<Reserved, SessionRefused> {
        let mut table = inner.table();
        if table.closed {
            return Err(SessionRefused::Ending);
        }
        if table.open.len() + table.coming >= inner.maker.limits.most {
            return Err(SessionRefused::TooMany {
                most: inner.maker.limits.most,
                open: table.of(owner).map(|one| one.summary()).collect(),
            });
        }
        table.coming += 1;
        Ok(Reserved(Arc::clone(inner)))
    }

    /// Takes the session into the table and gives it its keeper; or gives it back, when the server is ending.
    fn admit(inner: &Arc<Self>, session: Session) -> Result<Arc<Session>, Box<Session>> {
        let session = {
            let mut table = inner.table();
            if table.closed {
                return Err(Box::new(session));
            }
            let session = Arc::new(session);
            table.open.push(Arc::clone(&session));
            session
        };
        inner.maker.browsers.metrics().session_started();
        let url = session.app().map(|app| app.running().url);
        tracing::info!(
            component = "session",
            event = "session_started",
            eventType = "SessionStarted",
            sessionId = %session.id(),
            url
        );
        tokio::spawn(keep(Arc::downgrade(inner), Arc::clone(&session)));
        Ok(session)
    }

    /// Waits until no session is being opened any more.
    async fn all_came(&self) {
        loop {
            let came = self.came.notified();
            if self.table().coming == 0 {
                return;
            }
            came.await;
        }
    }

    /// Buries a session: whoever looks for it from now on learns how it ended.
    fn bury(&self, session: &Session, end: End) {
        self.maker.browsers.metrics().session_ended(end.reason());
        let mut table = self.table();
        table.open.retain(|open| open.id() != session.id());
        table.ended.add(session.id(), session.owner().clone(), end);
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.0.table().coming -= 1;
        self.0.came.notify_waiters();
    }
}

/// Gives the session to whoever asked for it. One that nobody waits for any more is closed.
async fn hand_over<E: From<SessionRefused>>(
    inner: &Arc<Inner>,
    session: Result<Session, E>,
    done: oneshot::Sender<Result<Arc<Session>, E>>,
    reserved: Reserved,
) {
    let admitted = match session {
        Err(refused) => Err(refused),
        Ok(session) => match Inner::admit(inner, session) {
            Ok(session) => Ok(session),
            Err(late) => {
                late.shut(End::Closed).await;
                Err(SessionRefused::Ending.into())
            }
        },
    };
    drop(reserved);
    if let Err(Ok(unwanted)) = done.send(admitted) {
        unwanted.closing.cancel();
    }
}

/// The task that ends a session when its time has come.
async fn keep(sessions: Weak<Inner>, session: Arc<Session>) {
    // Whether others may go on in the same browser.
    let mut spoilt = session.alone;
    let end = tokio::select! {
        biased;
        () = session.closing.cancelled() => End::Closed,
        gone = session.browser.gone() => {
            spoilt = true;
            End::Crashed(gone)
        }
        gone = session.context().gone() => End::Crashed(gone),
        end = session.expiry.passed() => end,
    };
    if let Some(inner) = sessions.upgrade() {
        inner.bury(&session, end.clone());
        if spoilt {
            inner.maker.browsers.forget(&session.browser);
        }
    }
    session.shut(end).await;
    crate::memory::session_ended();
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
            for session in &open {
                let _ = session.last_moment.set(deadline);
                session.closing.cancel();
            }
            // The browsers end with everything in them; contexts that hang must not take the time for that, and dev
            // servers need not wait for it.
            let polite = deadline.at_most(deadline.remaining() / 3);
            let browsers = async {
                let _ = polite.race(join_all(open.iter().map(|session| session.emptied.cancelled()))).await;
                self.0.maker.browsers.close(deadline).await;
            };
            let whole = async {
                let _ = deadline.race(join_all(open.iter().map(|session| session.gone.cancelled()))).await;
                let _ = deadline.race(self.0.all_came()).await;
            };
            tokio::join!(browsers, whole);
            let name = |session: &Arc<Session>| format!("session {}", session.id());
            let lives_on = |session: &&Arc<Session>| match session.app() {
                None => false,
                Some(_) => session.app_end().is_none_or(|end| end.how == Ending::Survived),
            };
            let (resisted, stopped): (Vec<_>, Vec<_>) = open.iter().partition(lives_on);
            Closed {
                stopped: stopped.into_iter().map(name).collect(),
                resisted: resisted.into_iter().map(name).collect(),
            }
        })
    }
}
