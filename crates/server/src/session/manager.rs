//! All sessions of a server: opening, finding and ending them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use backends::browsers::about;
use base::{Activity, CallScope, Deadline};
use devserver::{CommandError, ServerCommand};
use engine::backend::{Ability, BackendError, Browser, ContextOptions};
use engine::context::{Context, StorageState};
use engine::page::Interruption;
use futures_util::future::{BoxFuture, join_all};
use supervise::Supervisor;
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::browsers::{Browsers, Wanted};
use super::expiry::Expiry;
use super::tombstones::Tombstones;
use super::{Border, Boundary, End, Ending, Session, SessionId, SessionRefused, StartRefused};
use crate::auth::Subject;
use crate::ending::{Close, Closed};

/// How long the closing of half a session may take.
const CLOSING: Duration = Duration::from_secs(3);
/// A context and its first tab.
const OPENING: Duration = Duration::from_secs(30);
/// A dev server that was started for a session which then did not come.
const UNDOING: Duration = Duration::from_secs(18);

/// How many sessions there may be, and for how long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) idle: Duration,
    /// The same with a dev server.
    pub(crate) idle_with_app: Duration,
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
    boundary: Boundary,
    browsers: Browsers,
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
        let (table, by_default) = (Mutex::default(), tokio::sync::Mutex::default());
        Self(Arc::new(Inner { limits, boundary, browsers, table, by_default, came: Notify::new() }))
    }

    /// Starts the browser before anybody needs it.
    pub(crate) fn prelaunch(&self, wanted: Wanted) {
        self.0.browsers.prelaunch(wanted);
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
        self.0.possible(&plan)?;
        let reserved = Inner::reserve(&self.0, owner)?;
        let (done, opened) = oneshot::channel();
        let (inner, owner) = (Arc::clone(&self.0), owner.clone());
        // In a task of its own: a call that is given up in the middle must not leave half a session in the browser.
        tokio::spawn(async move {
            let session = inner.build(plan, owner).await.map(|half| half.whole(None, &inner.limits));
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
        self.0.possible(&plan)?;
        let reserved = Inner::reserve(&self.0, owner)?;
        let (done, opened) = oneshot::channel();
        let (inner, owner) = (Arc::clone(&self.0), owner.clone());
        let (supervisor, starting) = (supervisor.clone(), scope.clone());
        // In a task of its own, as above; a call that is given up interrupts the server's start by its scope.
        tokio::spawn(async move {
            match inner.build_with_app((plan, owner), command, supervisor, &starting).await {
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

    /// Refuses what browsers of the plan's kind can't do, before anything is started for it.
    fn possible(&self, plan: &Plan) -> Result<(), SessionRefused> {
        let kind = plan.wanted.kind;
        let lacking = |ability: Ability| Some((ability, self.browsers.instead_of(ability, kind)?));
        match plan.options.needs().find_map(lacking) {
            None => Ok(()),
            Some((ability, instead)) => {
                Err(SessionRefused::Unsupported { what: ability.what(), browser: about(kind).name, instead })
            }
        }
    }

    fn reserve(inner: &Arc<Self>, owner: &Subject) -> Result<Reserved, SessionRefused> {
        let mut table = inner.table();
        if table.closed {
            return Err(SessionRefused::Ending);
        }
        if table.open.len() + table.coming >= inner.limits.most {
            return Err(SessionRefused::TooMany {
                most: inner.limits.most,
                open: table.of(owner).map(|one| one.summary()).collect(),
            });
        }
        table.coming += 1;
        Ok(Reserved(Arc::clone(inner)))
    }

    /// The session with its app, in no table yet; or why not, and what is still to be ended.
    async fn build_with_app(
        self: &Arc<Self>,
        (plan, owner): (Plan, Subject),
        command: ServerCommand,
        supervisor: Supervisor,
        scope: &CallScope,
    ) -> Result<Session, (StartRefused, BoxFuture<'static, ()>)> {
        let unwanted = scope.cancel_token().child_token();
        let starting = CallScope::new(scope.deadline(), unwanted.clone(), scope.activity().clone());
        let mut server = Box::pin(async move { App::start(command, supervisor, &starting).await });
        let inner = Arc::clone(self);
        let mut half = Box::pin(async move { inner.build(plan, owner).await });
        let no_server = |error: CommandError, half: BoxFuture<'static, Result<Half, SessionRefused>>| {
            let rest = async move {
                if let Ok(half) = half.await {
                    half.undo().await;
                }
            };
            (StartRefused::Server(error), Box::pin(rest) as BoxFuture<'static, ()>)
        };
        tokio::select! {
            started = &mut server => match started {
                Err(error) => Err(no_server(error, half)),
                Ok(app) => match half.await {
                    Ok(half) => Ok(half.whole(Some(app), &self.limits)),
                    Err(refused) => Err((refused.into(), Box::pin(undo(app)))),
                },
            },
            built = &mut half => match built {
                Ok(half) => match server.await {
                    Ok(app) => Ok(half.whole(Some(app), &self.limits)),
                    Err(error) => Err(no_server(error, Box::pin(std::future::ready(Ok(half))))),
                },
                Err(refused) => {
                    unwanted.cancel();
                    let rest = async move {
                        if let Ok(app) = server.await {
                            undo(app).await;
                        }
                    };
                    Err((refused.into(), Box::pin(rest)))
                }
            },
        }
    }

    /// The browser's part of a session.
    async fn build(&self, mut plan: Plan, owner: Subject) -> Result<Half, SessionRefused> {
        let id = SessionId::fresh();
        let scope = CallScope::new(Deadline::after(OPENING), CancellationToken::new(), Activity::default());
        let border = self.boundary.open(plan.wanted.kind, self.browsers.metrics().clone())?;
        plan.options.proxy = border.proxy();
        let mut tries = 0;
        loop {
            tries += 1;
            let browser = match plan.alone {
                true => self.browsers.own(id, plan.wanted).await,
                false => self.browsers.shared(plan.wanted).await,
            }?;
            match opened(&browser, &plan, &scope).await {
                Ok(context) => {
                    let Plan { name, alone, .. } = plan;
                    return Ok(Half { id, owner, name, context, border, browser, alone });
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
        inner.browsers.metrics().session_started();
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
        self.browsers.metrics().session_ended(end.reason());
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

/// A session without what it was opened for.
struct Half {
    id: SessionId,
    owner: Subject,
    name: Option<String>,
    context: Context,
    border: Border,
    browser: Arc<dyn Browser>,
    alone: bool,
}

impl Half {
    fn whole(self, app: Option<App>, limits: &Limits) -> Session {
        let idle = if app.is_some() { limits.idle_with_app } else { limits.idle };
        let expiry = Expiry::new(idle, limits.lifetime);
        let browser = (self.browser, self.alone);
        Session::new(self.id, (self.owner, self.name), self.context, app, browser, self.border, expiry)
    }

    async fn undo(self) {
        self.context.close(Deadline::after(CLOSING)).await;
        if self.alone {
            self.browser.close(Deadline::after(CLOSING)).await;
        }
    }
}

async fn undo(app: App) {
    app.end(Deadline::after(UNDOING)).await;
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
            inner.browsers.forget(&session.browser);
        }
    }
    session.shut(end).await;
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
                self.0.browsers.close(deadline).await;
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
