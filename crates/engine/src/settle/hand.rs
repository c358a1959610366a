//! What the last action left for settling.

use std::collections::VecDeque;
use std::ops::Range;

use serde::Deserialize;

use crate::backend::FrameId;

/// What the last action left for settling.
#[derive(Debug, Default)]
pub(crate) struct Hand {
    /// The frame that was acted in.
    pub(crate) acted: Option<FrameId>,
    /// The requests during actions, by their numbers: what comes again and again without any is polled for.
    pub(crate) own: VecDeque<Range<usize>>,
    /// What was still to come right after it.
    pub(crate) report: Option<Report>,
}

/// As many actions as are remembered.
const MOST_ACTIONS: usize = 100;

impl Hand {
    /// Takes note that these requests came during an action.
    pub(super) fn owns(&mut self, requests: Range<usize>) {
        self.own.push_back(requests);
        if self.own.len() > MOST_ACTIONS {
            self.own.pop_front();
        }
    }
}

/// What the page says about what an action set in motion (`injected.verdict`, `injected.quiet`).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Report {
    /// What received the event instead of the element.
    pub(crate) missed: Option<String>,
    /// Over what the mouse was let go instead, which could not be stopped.
    pub(crate) loose: Option<String>,
    /// No event of a click came to the document.
    pub(crate) unseen: bool,
    /// Nothing is still to come.
    pub(crate) calm: bool,
    /// The document has begun to give way to another one.
    pub(crate) leaving: bool,
    /// Something is to be saved.
    pub(crate) downloading: bool,
    /// The document's title.
    pub(crate) title: Option<String>,
}
