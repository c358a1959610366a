//! When an action is over: what it set in motion has come to rest, and the agent may look.
//!
//! Nothing here sleeps for luck. A navigation, a request, a dialog are events; timers and frames that the action's
//! handlers asked for are told by the watch in the page (injected/watch.js), changes of the document by the injected
//! script (injected/quiet.js). A page that polls or animates for ever is none of the action's doing, and is not waited
//! for. Every wait has a bound, and settling never fails: it tells what it saw.

mod hand;
mod mark;
mod rest;
#[cfg(test)]
mod tests;

use base::CallScope;

pub(crate) use hand::{Hand, Report};
pub use mark::Mark;

use self::rest::Rest;
use crate::backend::{Dialog, PageId};
use crate::page::{Life, Page};

/// What settling saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The page has another document.
    pub navigated: bool,
    /// A dialog is open, and the page does nothing until it is answered.
    pub dialog: Option<Dialog>,
    /// The page asked for files.
    pub chooser: bool,
    /// Whether the page is still there.
    pub life: Life,
    /// Something was still going on when its time was up.
    pub unfinished: bool,
    /// The page, and its title if it came to rest.
    pub title: Option<(PageId, String)>,
}

impl Page {
    /// The page as it is before an action.
    pub fn mark(&self) -> Mark {
        let mut state = self.state();
        state.hand.report = None;
        Mark::of(&state)
    }

    /// Waits until what happened since `mark` has come to rest.
    pub async fn settle(&self, mark: &Mark, scope: &CallScope) -> Settled {
        let rested = Rest::new(self, mark, scope).until_all_is_quiet().await;
        let mut state = self.state();
        let requests = mark.requests..state.network.next_index();
        state.hand.owns(requests);
        Settled {
            navigated: mark.navigated(&state),
            dialog: state.dialogs.last().cloned(),
            chooser: mark.chooser_opened(&state),
            life: state.life,
            unfinished: rested.is_err() && !mark.stops(&state),
            title: rested.ok().flatten().map(|title| (self.id().clone(), title)),
        }
    }
}
