//! Why there is no session to work in.

use std::time::Duration;

use backends::browsers::Instead;
use base::scope::Interrupted;
use devserver::CommandError;
use engine::backend::{BackendError, Gone};

use super::LaunchRefused;

/// No session was opened or found. Nothing was done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SessionRefused {
    /// It never was, or ended too long ago.
    #[error("there is no session {id:?}")]
    NotFound {
        /// As it was given.
        id: String,
    },
    /// Somebody closed it before this call.
    #[error("the session {id} was closed {} s ago", .ago.as_secs())]
    ClosedBefore {
        /// Which.
        id: String,
        /// When.
        ago: Duration,
    },
    /// It was closed while the call ran.
    #[error("the session was closed while the call ran")]
    Closed,
    /// It expired.
    #[error("the session {id} {why}")]
    Expired {
        /// Which.
        id: String,
        /// Of which of its limits.
        why: String,
    },
    /// Its browser died.
    #[error("the browser died, and the session {id} with it: {}", .gone.why)]
    Crashed {
        /// Which.
        id: String,
        /// What is known of it.
        gone: Gone,
    },
    /// As many are open as may be.
    #[error("{most} sessions are open, which is the most that there may be")]
    TooMany {
        /// So many.
        most: usize,
        /// Those of whoever asked.
        open: Vec<OpenSession>,
    },
    /// Several are open, and none was named.
    #[error("{} sessions are open; say which one is meant by `sessionId`", .open.len())]
    Unnamed {
        /// Those.
        open: Vec<OpenSession>,
    },
    /// Over HTTP nothing else ties a call to a session.
    #[error("`sessionId` is required over HTTP")]
    Required,
    /// What its browser would go through is not there.
    #[error("the session's proxy could not be opened: {0}")]
    NoGate(String),
    /// The browser did not start.
    #[error(transparent)]
    Launch(#[from] LaunchRefused),
    /// Browsers of this kind can't give the session what was asked for.
    #[error("{what} is not supported by {browser}: {}", .instead.why)]
    Unsupported {
        /// What was asked for.
        what: &'static str,
        /// Of whom.
        browser: &'static str,
        /// What to use instead.
        instead: Instead,
    },
    /// The browser did not open the session's context.
    #[error("the browser could not open a session: {0}")]
    Context(BackendError),
    /// The call ended first.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The server is ending.
    #[error("the server is ending")]
    Ending,
}

/// No session was started with its dev server. Nothing of either is left.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartRefused {
    /// The session's own part.
    #[error(transparent)]
    Session(#[from] SessionRefused),
    /// The dev server's.
    #[error(transparent)]
    Server(#[from] CommandError),
}

impl From<Interrupted> for StartRefused {
    fn from(why: Interrupted) -> Self {
        Self::Session(why.into())
    }
}

/// An open session, as others are told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenSession {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) idle: Duration,
}
