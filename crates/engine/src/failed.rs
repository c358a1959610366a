//! Why something that an agent asked of a page did not happen.

use std::fmt;

use serde::Deserialize;

use crate::locator::SelectorRefused;
use crate::page::Interruption;

/// A request to a page that came to nothing. Each is the agent's to heal, except the last.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failed {
    /// The selector can't be understood.
    #[error(transparent)]
    Selector(#[from] SelectorRefused),
    /// The ref leads nowhere.
    #[error("{reference} {why}")]
    StaleRef {
        /// As it was given.
        reference: String,
        /// What became of it.
        why: RefGone,
    },
    /// Nothing matches.
    #[error("nothing matches {target}")]
    NotFound {
        /// What was looked for.
        target: String,
    },
    /// More than one element matches.
    #[error("{target} matches {count} elements")]
    NotUnique {
        /// What was looked for.
        target: String,
        /// How many match.
        count: usize,
        /// The first of them.
        matches: Vec<Match>,
    },
    /// The element is there, but a user could not do this to it.
    #[error("{element} {obstacle}")]
    NotActionable {
        /// The element in one line.
        element: String,
        /// What stands in the way.
        obstacle: Obstacle,
        /// What was tried, oldest first: `0.1 s: visible, enabled, not stable`.
        diary: Vec<String>,
    },
    /// The element is not one that this can be done to: `click` fits all, `select_option` only a list.
    #[error("{element} {why}")]
    Unfit {
        /// The element in one line.
        element: String,
        /// Why it does not fit, and what does.
        why: String,
    },
    /// A script of the agent's threw.
    #[error("{message}")]
    Threw {
        /// The exception's text.
        message: String,
        /// Where.
        stack: Option<String>,
    },
    /// Something else ended the wait.
    #[error(transparent)]
    Interrupted(#[from] Interruption),
}

/// What became of a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, thiserror::Error)]
#[serde(rename_all = "lowercase")]
pub enum RefGone {
    /// It was never told.
    #[error("was never in a snapshot of this page; take one")]
    Unknown,
    /// Its element was removed.
    #[error("is no longer in the page; take a new snapshot")]
    Detached,
    /// Its frame was removed, or has another document.
    #[error("was in a frame that is gone; take a new snapshot")]
    Frame,
}

/// One of several elements that match.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Match {
    /// The element in one line.
    pub preview: String,
    /// A selector that finds it alone.
    pub selector: String,
}

/// What stands between a user and an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// It can't be seen.
    Invisible,
    /// It moves.
    NotStable,
    /// It is disabled.
    Disabled,
    /// It can't be edited: read-only, or no field at all.
    NotEditable,
    /// Another element would receive the event.
    Covered {
        /// That one, in one line.
        by: String,
    },
    /// It can't be scrolled into view.
    OutsideViewport,
    /// It was removed meanwhile.
    Detached,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invisible => f.write_str("is not visible"),
            Self::NotStable => f.write_str("does not stop moving"),
            Self::Disabled => f.write_str("is disabled"),
            Self::NotEditable => f.write_str("is not editable"),
            Self::Covered { by } => write!(f, "is covered by {by}"),
            Self::OutsideViewport => f.write_str("can't be scrolled into view"),
            Self::Detached => f.write_str("was removed from the page"),
        }
    }
}
