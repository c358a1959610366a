//! What happened in a context between two moments, as the result of an action tells it.

use std::collections::HashSet;

use super::Context;
use crate::backend::{ConsoleEntry, ConsoleLevel, Download, PageId};
use crate::page::{Exchange, Outcome, Page};

/// A moment in a context's life, to tell later what happened since.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The tab in front, and how much its console and network held.
    front: Option<(PageId, usize, usize)>,
    pages: HashSet<PageId>,
    downloads: u64,
    closed: usize,
}

/// What happened since a moment.
#[derive(Debug, Clone, Default)]
pub struct Happened {
    /// Warnings and errors on the console of the tab that was in front.
    pub console: Vec<ConsoleEntry>,
    /// Its requests that came to nothing, or that a server refused.
    pub requests: Vec<Exchange>,
    /// Tabs that were opened.
    pub opened: Vec<Page>,
    /// How many were closed.
    pub closed: usize,
    /// Downloads that began or ended.
    pub downloads: Vec<Download>,
}

impl Context {
    /// This moment.
    pub fn moment(&self) -> Moment {
        let tabs = self.tabs();
        let front = tabs.current().map(|page| {
            let state = page.state();
            (page.id().clone(), state.console.next_index(), state.network.next_index())
        });
        Moment {
            front,
            pages: tabs.pages.iter().map(|page| page.id().clone()).collect(),
            downloads: tabs.downloads.changes(),
            closed: tabs.closed,
        }
    }

    /// What happened since then.
    pub fn since(&self, moment: &Moment) -> Happened {
        let tabs = self.tabs();
        let mut happened = Happened {
            opened: tabs.pages.iter().filter(|page| !moment.pages.contains(page.id())).cloned().collect(),
            closed: tabs.closed - moment.closed,
            downloads: tabs.downloads.since(moment.downloads),
            ..Happened::default()
        };
        // A call that opened the first tab tells of it from its beginning.
        let (front, console, network) = match &moment.front {
            Some((id, console, network)) => {
                (tabs.pages.iter().find(|page| page.id() == id), *console, *network)
            }
            None => (tabs.current(), 0, 0),
        };
        if let Some(page) = front {
            let state = page.state();
            happened.console = state.console.since(console, ConsoleLevel::Warning).cloned().collect();
            happened.requests = state
                .network
                .since(network)
                .iter()
                .filter(|exchange| is_failure(exchange))
                .cloned()
                .collect();
        }
        happened
    }
}

/// Whether a request came to nothing by a fault, or was answered with one.
fn is_failure(exchange: &Exchange) -> bool {
    let refused = exchange.response.as_ref().is_some_and(|response| response.status >= 400);
    refused || matches!(exchange.outcome, Outcome::Failed { cancelled: false, .. })
}
