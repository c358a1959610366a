//! How a session came to its end.

use std::fmt;
use std::time::Duration;

use engine::backend::Gone;

/// Why a session is no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// Somebody closed it, or the server is ending.
    Closed,
    /// Nobody called for this long.
    Idle(Duration),
    /// It reached its age.
    Lifetime(Duration),
    /// Its browser died.
    Crashed(Gone),
}

impl End {
    /// A-design's word for it.
    pub(super) fn reason(&self) -> &'static str {
        match self {
            Self::Closed => "manual",
            Self::Idle(_) | Self::Lifetime(_) => "timeout",
            Self::Crashed(_) => "error",
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("was closed"),
            Self::Idle(limit) => write!(f, "expired: nobody called it for {} s", limit.as_secs_f64()),
            Self::Lifetime(limit) => write!(f, "expired: it reached its age of {} s", limit.as_secs_f64()),
            Self::Crashed(gone) => write!(f, "ended when its browser died: {}", gone.why),
        }
    }
}
