//! Why a call has no answer.

use crate::Closed;
use crate::pending::Lost;

/// A call that failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// The connection is closed; so are all its sessions.
    #[error("{why}")]
    Closed {
        /// How that came.
        why: Closed,
    },
    /// The session is detached: its page, frame or worker is gone, or somebody detached it.
    #[error("the page or frame is gone")]
    SessionGone,
    /// The browser refused the command.
    #[error("{method}: {message} (code {code}){}", data.as_ref().map(|data| format!(": {data}")).unwrap_or_default())]
    Protocol {
        /// Which command.
        method: &'static str,
        /// JSON-RPC 2.0, section 5.1; -32000 is the browser's usual one.
        code: i64,
        /// The browser's words.
        message: String,
        /// More of them, if any.
        data: Option<String>,
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
            Lost::GroupGone => Self::SessionGone,
        }
    }
}
