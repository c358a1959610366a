//! Making a session: a context with its border in a browser, and its dev server beside it. What can't be finished is taken
//! back.

use std::sync::Arc;
use std::time::Duration;

use backends::browsers::about;
use base::{Activity, CallScope, Deadline};
use devserver::{CommandError, ServerCommand};
use engine::backend::{Ability, BackendError, Browser, ContextOptions};
use engine::context::{Context, StorageState};
use engine::page::Interruption;
use futures_util::future::BoxFuture;
use supervise::Supervisor;
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::browsers::{Browsers, Wanted};
use super::expiry::Expiry;
use super::{Border, Boundary, Session, SessionId, SessionRefused, StartRefused};
use crate::auth::Subject;

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

/// What sessions are made with.
#[derive(Debug)]
pub(super) struct Maker {
    pub(super) limits: Limits,
    pub(super) boundary: Boundary,
    pub(super) browsers: Browsers,
}

impl Maker {
    /// Refuses what browsers of the plan's kind can't do, before anything is started for it.
    pub(super) fn possible(&self, plan: &Plan) -> Result<(), SessionRefused> {
        let kind = plan.wanted.kind;
        let lacking = |ability: Ability| Some((ability, self.browsers.instead_of(ability, kind)?));
        match plan.options.needs().find_map(lacking) {
            None => Ok(()),
            Some((ability, instead)) => {
                Err(SessionRefused::Unsupported { what: ability.what(), browser: about(kind).name, instead })
            }
        }
    }

    /// A session without an app, in no table yet.
    pub(super) async fn make(&self, plan: Plan, owner: Subject) -> Result<Session, SessionRefused> {
        self.build(plan, owner).await.map(|half| half.whole(None, &self.limits))
    }

    /// The session with its app, in no table yet; or why not, and what is still to be ended.
    pub(super) async fn make_with_app(
        self: &Arc<Self>,
        (plan, owner): (Plan, Subject),
        command: ServerCommand,
        supervisor: Supervisor,
        scope: &CallScope,
    ) -> Result<Session, (StartRefused, BoxFuture<'static, ()>)> {
        let unwanted = scope.cancel_token().child_token();
        let starting = CallScope::new(scope.deadline(), unwanted.clone(), scope.activity().clone());
        let mut server = Box::pin(async move { App::start(command, supervisor, &starting).await });
        let maker = Arc::clone(self);
        let mut half = Box::pin(async move { maker.build(plan, owner).await });
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
