//! The log for whoever listens besides: a client that asked for it over MCP.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::broadcast;
use tracing::Level;

/// As many lines as a listener may be behind; it misses older ones.
const MOST_WAITING: usize = 256;

/// A line of the log.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) level: Level,
    pub(crate) component: String,
    /// As it is written.
    pub(crate) data: Value,
}

/// The lines as they come. Clones are the same log.
#[derive(Debug, Clone)]
pub(crate) struct News(broadcast::Sender<Arc<Line>>);

impl Default for News {
    fn default() -> Self {
        Self(broadcast::Sender::new(MOST_WAITING))
    }
}

impl News {
    /// What is logged from now on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<Arc<Line>> {
        self.0.subscribe()
    }

    /// Whether anybody listens.
    pub(super) fn is_heard(&self) -> bool {
        self.0.receiver_count() > 0
    }

    pub(super) fn tell(&self, line: Line) {
        // The last listener may just have left.
        let _ = self.0.send(Arc::new(line));
    }
}
