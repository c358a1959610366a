//! A page as it was before an action, to tell what the action did.

use crate::backend::{Request, ResourceKind};
use crate::page::{Exchange, Life, LoadState, Outcome, Popups, State, Transfers};

/// What was asked for this often before is polled for.
const POLLED: usize = 2;

/// A page as it was before an action.
#[derive(Debug, Clone)]
pub struct Mark {
    pub(super) documents: u64,
    /// Whether a dialog holds up the document while it is being parsed.
    pub(super) held_up: bool,
    navigations: u64,
    pub(super) requests: usize,
    choosing: bool,
    popups: Popups,
    transfers: Transfers,
    failures: u64,
}

impl Mark {
    pub(super) fn of(state: &State) -> Self {
        let top = state.frames.top();
        Self {
            documents: top.documents,
            held_up: !state.dialogs.is_empty() && top.state < LoadState::DomContentLoaded,
            navigations: state.navigations,
            requests: state.network.next_index(),
            choosing: state.chooser.is_some(),
            popups: state.popups,
            transfers: state.transfers,
            failures: state.failures,
        }
    }

    pub(super) fn navigated(&self, state: &State) -> bool {
        state.frames.top().documents > self.documents
    }

    /// Whether a navigation began, in any frame.
    pub(super) fn has_left(&self, state: &State) -> bool {
        state.navigations > self.navigations || self.navigated(state)
    }

    pub(super) fn chooser_opened(&self, state: &State) -> bool {
        state.chooser.is_some() && !self.choosing
    }

    /// Whether a page that was asked for is not there yet.
    pub(super) fn awaits_popup(&self, state: &State) -> bool {
        state.popups.asked - self.popups.asked > state.popups.come - self.popups.come
    }

    /// Whether a download goes on, or one is to be expected: the page said so, or a navigation led nowhere.
    pub(super) fn awaits_download(&self, state: &State, announced: bool) -> bool {
        let begun = state.transfers.begun - self.transfers.begun;
        let ended = state.transfers.ended - self.transfers.ended;
        let expected = announced || state.failures > self.failures;
        if begun == 0 { expected && !self.navigated(state) } else { ended < begun }
    }

    /// Whether nothing more happens until the agent does something about it.
    pub(super) fn stops(&self, state: &State) -> bool {
        state.life != Life::Open || !state.dialogs.is_empty() || self.chooser_opened(state)
    }

    /// Whether a request that the action began is under way.
    pub(super) fn is_busy(&self, state: &State) -> bool {
        let network = &state.network;
        let began = network.since(self.requests);
        began.iter().any(|exchange| is_awaited(exchange) && !self.is_polled(state, &exchange.request))
    }

    /// Whether this document asked for the same before, again and again, and on its own.
    fn is_polled(&self, state: &State, request: &Request) -> bool {
        let network = &state.network;
        let document = state.frames.top().navigation.as_ref().and_then(|by| network.document_of(by));
        let since = document.map_or(0, |document| document.index);
        let same = |earlier: &&Exchange| {
            (since..self.requests).contains(&earlier.index)
                && !state.hand.own.iter().any(|own| own.contains(&earlier.index))
                && earlier.request.method == request.method
                && address(&earlier.request) == address(request)
        };
        network.exchanges().iter().rev().filter(same).take(POLLED).count() == POLLED
    }
}

/// What changes the page when it comes: no pictures, no fonts, and no streams, which never end.
fn is_awaited(exchange: &Exchange) -> bool {
    use ResourceKind::{Document, Fetch, Script, Stylesheet, Xhr};
    let streams = |mime: &str| mime == "text/event-stream" || mime == "application/x-ndjson";
    exchange.outcome == Outcome::Pending
        && matches!(exchange.request.kind, Document | Fetch | Script | Stylesheet | Xhr)
        && !exchange.request.url.starts_with("data:")
        && !exchange.response.as_ref().is_some_and(|response| streams(&response.mime))
}

fn address(request: &Request) -> &str {
    request.url.split(['?', '#']).next().unwrap_or_default()
}
