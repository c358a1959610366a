//! The browsers that run: one for each way to start one, or one for each session (C7.1, C7.3).
//!
//! A browser is started by whoever needs it first; others who need it meanwhile wait for the same start. It stays when
//! its last session closes, and is forgotten when it dies, so that the next session gets a fresh one.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use backends::browsers::Instead;
use base::Deadline;
use engine::backend::{Ability, Browser, BrowserKind};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, join_all};
use tokio_util::sync::CancellationToken;

use super::SessionId;
use crate::metrics::Metrics;

/// A browser that has not answered by then never will.
const LAUNCH_LIMIT: Duration = Duration::from_secs(30);

/// Starts browsers.
pub(crate) trait Launcher: Debug + Send + Sync {
    /// Starts one, by `deadline`.
    fn launch(&self, wanted: Wanted, deadline: Deadline) -> BoxFuture<'_, Launched>;

    /// What to use instead of an ability that browsers of this kind lack; nothing if they have it.
    fn instead_of(&self, ability: Ability, kind: BrowserKind) -> Option<Instead>;
}

/// What came of a start.
pub(crate) type Launched = Result<Arc<dyn Browser>, LaunchRefused>;

/// Everything that two sessions must agree on to share a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Wanted {
    pub(crate) kind: BrowserKind,
    pub(crate) headless: bool,
}

/// Why there is no browser.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LaunchRefused {
    /// None is installed.
    #[error("no {wanted} was found on this machine")]
    NotFound {
        /// Which.
        wanted: String,
        /// Where it was looked for.
        looked: Vec<String>,
        /// What to do about it.
        remedy: String,
    },
    /// It did not start.
    #[error("the browser did not start: {reason}")]
    Failed {
        /// Why.
        reason: String,
        /// The last lines that it wrote.
        stderr: Vec<String>,
    },
    /// A window was asked for, and there is nothing to show it on.
    #[error("a browser with a window needs a display, and there is none")]
    NoDisplay,
    /// The server is ending.
    #[error("the server is ending")]
    Ending,
}

/// The browsers of one server. Clones are the same browsers.
#[derive(Debug, Clone)]
pub(crate) struct Browsers(Arc<Pool>);

#[derive(Debug)]
struct Pool {
    launcher: Arc<dyn Launcher>,
    metrics: Metrics,
    state: Mutex<State>,
    /// Starts that are under way are given up.
    ending: CancellationToken,
}

#[derive(Debug, Default)]
struct State {
    slots: Vec<Slot>,
    serial: u64,
    ending: bool,
}

#[derive(Debug, Clone)]
struct Slot {
    serial: u64,
    owner: Owner,
    launching: Launching,
}

/// Who may use a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    All(Wanted),
    One(SessionId),
}

type Launching = Shared<BoxFuture<'static, Launched>>;

impl Browsers {
    pub(crate) fn new(launcher: Arc<dyn Launcher>, metrics: Metrics) -> Self {
        Self(Arc::new(Pool { launcher, metrics, state: Mutex::default(), ending: CancellationToken::new() }))
    }

    /// The browser that sessions share. Comes when it runs; may be dropped, which stops no start.
    pub(super) fn shared(&self, wanted: Wanted) -> impl Future<Output = Launched> + Send + 'static {
        self.get(Owner::All(wanted), wanted)
    }

    /// A browser for one session alone.
    pub(super) fn own(
        &self,
        session: SessionId,
        wanted: Wanted,
    ) -> impl Future<Output = Launched> + Send + 'static {
        self.get(Owner::One(session), wanted)
    }

    /// What is counted.
    pub(super) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// What to use instead of an ability that browsers of this kind lack.
    pub(super) fn instead_of(&self, ability: Ability, kind: BrowserKind) -> Option<Instead> {
        self.0.launcher.instead_of(ability, kind)
    }

    /// Starts the shared browser without waiting for it.
    pub(super) fn prelaunch(&self, wanted: Wanted) {
        drop(self.shared(wanted));
    }

    /// Forgets the browser, so that nobody gets it any more.
    pub(super) fn forget(&self, browser: &Arc<dyn Browser>) {
        let is_it = |slot: &Slot| matches!(slot.launching.peek(), Some(Ok(launched)) if Arc::ptr_eq(launched, browser));
        self.0.state().slots.retain(|slot| !is_it(slot));
    }

    /// Ends every browser, by `deadline`.
    pub(super) async fn close(&self, deadline: Deadline) {
        let slots = {
            let mut state = self.0.state();
            state.ending = true;
            std::mem::take(&mut state.slots)
        };
        self.0.ending.cancel();
        join_all(slots.into_iter().map(|slot| async move {
            if let Ok(Ok(browser)) = deadline.race(slot.launching).await {
                browser.close(deadline).await;
            }
        }))
        .await;
    }

    fn get(&self, owner: Owner, wanted: Wanted) -> impl Future<Output = Launched> + Send + 'static {
        let launching = {
            let mut state = self.0.state();
            let running = state.slots.iter().find(|slot| slot.owner == owner);
            match running {
                Some(slot) => Ok(slot.launching.clone()),
                None if state.ending => Err(LaunchRefused::Ending),
                None => {
                    state.serial += 1;
                    let serial = state.serial;
                    let launching = self.launch(serial, wanted);
                    state.slots.push(Slot { serial, owner, launching: launching.clone() });
                    Ok(launching)
                }
            }
        };
        async move { launching?.await }
    }

    /// A start in a task of its own: whoever asked for it may go away.
    fn launch(&self, serial: u64, wanted: Wanted) -> Launching {
        let pool = Arc::clone(&self.0);
        let task = tokio::spawn(async move {
            let launched = tokio::select! {
                launched = pool.launcher.launch(wanted, Deadline::after(LAUNCH_LIMIT)) => launched,
                // What there is of it goes with the one who started it.
                () = pool.ending.cancelled() => Err(LaunchRefused::Ending),
            };
            match &launched {
                Ok(browser) => {
                    let identity = browser.identity();
                    pool.metrics.browser_started();
                    tracing::info!(
                        component = "session",
                        event = "browser_started",
                        product = identity.product
                    );
                    tokio::spawn(watch(Arc::downgrade(&pool), serial, Arc::clone(browser)));
                }
                Err(refused) => {
                    tracing::warn!(component = "session", event = "browser_not_started", %refused);
                    pool.remove(serial);
                }
            }
            launched
        });
        let joined = async move {
            task.await.unwrap_or_else(|error| {
                let reason = format!("its start was cut short: {error}");
                Err(LaunchRefused::Failed { reason, stderr: Vec::new() })
            })
        };
        joined.boxed().shared()
    }
}

/// Forgets a browser that died.
async fn watch(pool: std::sync::Weak<Pool>, serial: u64, browser: Arc<dyn Browser>) {
    let gone = browser.gone().await;
    if pool.upgrade().is_some_and(|pool| pool.lost(serial)) {
        tracing::warn!(component = "session", event = "browser_died", why = gone.why);
    }
}

impl Pool {
    /// Forgets a browser that died; false when it was ended on purpose.
    fn lost(&self, serial: u64) -> bool {
        let died = self.remove(serial);
        if died {
            self.metrics.browser_died();
        }
        died
    }

    fn remove(&self, serial: u64) -> bool {
        let mut state = self.state();
        let before = state.slots.len();
        state.slots.retain(|slot| slot.serial != serial);
        state.slots.len() < before
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
