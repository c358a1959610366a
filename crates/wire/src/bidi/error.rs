//! Why a call has no answer.

use crate::Closed;
use crate::pending::Lost;

/// A call that failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// The connection is closed.
    #[error("{why}")]
    Closed {
        /// How that came.
        why: Closed,
    },
    /// The browser refused the command.
    #[error("{method}: {error}: {message}")]
    Protocol {
        /// Which command.
        method: &'static str,
        /// The error's code: `no such frame` (WebDriver BiDi, section 3.6).
        error: String,
        /// The browser's words.
        message: String,
    },
    /// The answer came, but is not what the protocol promises; or the command can't be written as JSON.
    #[error("{method}: {reason}; the browser may be too old or too new")]
    Malformed {
        /// Which command.
        method: &'static str,
        /// Where it differs.
        reason: String,
    },
}

impl From<Lost> for CallError {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Closed(why) => Self::Closed { why },
            // There are no groups of calls in this protocol.
            Lost::GroupGone => Self::Closed { why: Closed::ByUs },
        }
    }
}
