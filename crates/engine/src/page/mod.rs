//! A page: what is known of it, and waiting for something to become true of it.
//!
//! One task applies the browser's events to the page's state, in order; everything else looks at that state and waits
//! for its changes. No wait outlives its call, a dialog, a crash or the page.

mod bodies;
mod console;
mod dialog;
mod frames;
mod held;
mod navigate;
mod network;
mod state;
#[cfg(test)]
mod tests;
mod travel;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use base::scope::Interrupted;
use base::{CallScope, Followers, Following};
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

pub use console::Console;
pub use frames::{Frame, Frames, LoadState};
pub use navigate::{Arrival, NavigationRefused, WaitUntil};
pub use network::{Exchange, Network, Outcome};
pub use state::{Chooser, Life, Popups, State, Transfers};

use crate::backend::{self, BackendError, Dialog, OpenedPage, PageId};
use crate::snapshot::Seen;

/// A tab or popup. Clones are the same page.
#[derive(Debug, Clone)]
pub struct Page {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    backend: Arc<dyn backend::Page>,
    state: Mutex<State>,
    /// Counts the events; whoever waits is woken by each.
    changed: watch::Sender<u64>,
    opener: Option<PageId>,
    pump: OnceLock<AbortHandle>,
    /// What the agent saw of it last.
    seen: Mutex<Option<Seen>>,
    /// Whoever wants to know when the events so far are applied.
    followers: Followers,
}

/// Why a wait on a page ended without what it waited for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Interruption {
    /// Nobody wants it any more.
    #[error("the call was cancelled")]
    Cancelled,
    /// The time is up.
    #[error("the time limit passed")]
    TimedOut,
    /// A dialog opened, and the page does nothing until it is answered.
    #[error("a dialog opened: {:?} {:?}", .0.kind, .0.message)]
    Dialog(Dialog),
    /// The page's process died.
    #[error("the page crashed")]
    Crashed,
    /// The page was closed.
    #[error("the page was closed")]
    Closed,
    /// The browser refused, or is gone.
    #[error(transparent)]
    Backend(BackendError),
}

impl From<Interrupted> for Interruption {
    fn from(why: Interrupted) -> Self {
        match why {
            Interrupted::Cancelled => Self::Cancelled,
            Interrupted::Deadline => Self::TimedOut,
        }
    }
}

impl Page {
    /// Takes over a page that was just opened. Must be called within a tokio runtime.
    pub fn new(opened: OpenedPage) -> Self {
        let OpenedPage { page: backend, events, main_frame, opener } = opened;
        let (followers, following) = base::followers();
        let inner = Arc::new(Inner {
            backend,
            state: Mutex::new(State::new(main_frame)),
            changed: watch::Sender::new(0),
            opener,
            pump: OnceLock::new(),
            seen: Mutex::default(),
            followers,
        });
        // Not before the page is there: a pump that finds none takes it for gone.
        let pump = tokio::spawn(pump(events, following, Arc::downgrade(&inner)));
        let _ = inner.pump.set(pump.abort_handle());
        Self { inner }
    }

    /// The browser's name for it.
    pub fn id(&self) -> &PageId {
        self.inner.backend.id()
    }

    /// The page that opened it, if one did and the browser told.
    pub fn opener(&self) -> Option<&PageId> {
        self.inner.opener.as_ref()
    }

    /// What is known of it now. Held for a moment only, never across a wait.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn backend(&self) -> &Arc<dyn backend::Page> {
        &self.inner.backend
    }

    /// A page that it asked for is there.
    pub(crate) fn popup_came(&self) {
        self.state().popups.come += 1;
        self.inner.changed.send_modify(|count| *count += 1);
    }

    /// A download of its began, or ended.
    pub(crate) fn transfer(&self, ended: bool) {
        {
            let transfers = &mut self.state().transfers;
            let count = if ended { &mut transfers.ended } else { &mut transfers.begun };
            *count += 1;
        }
        self.inner.changed.send_modify(|count| *count += 1);
    }

    /// Takes note of what the agent sees now, and gives what it saw before.
    pub(crate) fn remember(&self, now: Seen) -> Option<Seen> {
        self.inner.seen.lock().unwrap_or_else(PoisonError::into_inner).replace(now)
    }

    /// Forgets what the agent saw of other documents than this: nothing is compared with it any more.
    pub(crate) fn forget_others(&self, document: u64) {
        let mut seen = self.inner.seen.lock().unwrap_or_else(PoisonError::into_inner);
        *seen = seen.take().filter(|seen| seen.is_of(document));
    }

    /// Waits until the events that have come so far are applied: an answer may overtake what happened before it.
    pub(crate) async fn caught_up(&self, scope: &CallScope) -> Result<(), Interrupted> {
        // A browser that is gone has told everything.
        drop(scope.race(self.inner.backend.caught_up()).await?);
        // A page without its pump is closed, and has no more events.
        scope.race(Box::pin(self.inner.followers.follow())).await
    }

    /// Waits until `look` sees something in the page's state.
    ///
    /// # Errors
    /// [`Interruption`] when the call ends first, a dialog is open, or the page is no more.
    pub async fn wait_for<T>(
        &self,
        scope: &CallScope,
        mut look: impl FnMut(&State) -> Option<T>,
    ) -> Result<T, Interruption> {
        let mut changed = self.inner.changed.subscribe();
        loop {
            {
                let state = self.state();
                if let Some(seen) = look(&state) {
                    return Ok(seen);
                }
                state.interruption().map_or(Ok(()), Err)?;
            }
            if scope.race(changed.changed()).await?.is_err() {
                return Err(Interruption::Closed);
            }
        }
    }

    /// Waits for something that the browser was asked, but not past a dialog, a crash or the call's end: a page with an
    /// open dialog answers nothing.
    ///
    /// # Errors
    /// [`Interruption`], or what the browser said.
    pub async fn attempt<T>(
        &self,
        scope: &CallScope,
        work: impl Future<Output = Result<T, BackendError>>,
    ) -> Result<T, Interruption> {
        // What is not asked now is not done later either, when nobody waits for it any more.
        let before = self.state().interruption();
        before.map_or(Ok(()), Err)?;
        tokio::select! {
            biased;
            done = work => match done {
                Ok(done) => Ok(done),
                Err(error) => Err(self.blamed(error, scope).await),
            },
            interrupted = self.wait_for(scope, |_| None::<std::convert::Infallible>) => match interrupted {
                Ok(never) => match never {},
                Err(why) => Err(why),
            },
        }
    }

    /// A crash, a closing page and a dialog are told as what they are, whatever the browser said of the call that they hit.
    async fn blamed(&self, error: BackendError, scope: &CallScope) -> Interruption {
        use BackendError::{DialogOpen, DocumentGone, FrameGone, PageGone};
        if !matches!(error, PageGone | DocumentGone | FrameGone | DialogOpen) {
            return Interruption::Backend(error);
        }
        // The answer may overtake the event that explains it.
        match self.caught_up(scope).await {
            Ok(()) => self.state().interruption().unwrap_or(Interruption::Backend(error)),
            Err(interrupted) => interrupted.into(),
        }
    }
}

/// Applies the events of a page to its state, until it is closed or nobody has it any more.
async fn pump(
    mut events: mpsc::UnboundedReceiver<backend::PageEvent>,
    mut following: Following,
    page: Weak<Inner>,
) {
    loop {
        tokio::select! {
            // Events first: whoever follows is told when none is left.
            biased;
            event = events.recv() => {
                let Some(event) = event else { break };
                let Some(inner) = page.upgrade() else { return };
                inner.apply(event);
            }
            follower = following.next() => follower.tell(),
        }
    }
    // Events end only with the page.
    if let Some(inner) = page.upgrade() {
        inner.apply(backend::PageEvent::Closed);
    }
}

impl Inner {
    fn apply(&self, event: backend::PageEvent) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).apply(event);
        self.changed.send_modify(|count| *count += 1);
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(pump) = self.pump.get() {
            pump.abort();
        }
    }
}
