//! The server's log for a client that wants it (MCP 2025-11-25, Logging): from the level that it set on.
//!
//! Deprecated by revision 2026-07-28, which has no such request; and stateless HTTP has nowhere to send a line to.
#![expect(deprecated, reason = "the only way to tell in every revision before 2026-07-28")]

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, SetLevelRequestParams};
use rmcp::service::Peer;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::task::AbortOnDropHandle;
use tracing::Level;

use crate::logging::News;

/// The request that asks for them.
pub(super) type SetLevel = SetLevelRequestParams;

/// Where the lines go, if a client asked for them. Clones are the same connection's.
#[derive(Clone)]
pub(super) enum Log {
    Untold,
    Told { news: News, telling: Telling },
}

type Telling = Arc<Mutex<Option<AbortOnDropHandle<()>>>>;

impl Log {
    pub(super) fn of(news: News) -> Self {
        Self::Told { news, telling: Arc::default() }
    }

    /// Whether a client may ask.
    pub(super) fn is_told(&self) -> bool {
        matches!(self, Self::Told { .. })
    }

    /// Tells the client from this level on. False when it can't be told.
    pub(super) fn set(&self, request: &SetLevel, client: Peer<RoleServer>) -> bool {
        let Self::Told { news, telling } = self else { return false };
        let task = AbortOnDropHandle::new(tokio::spawn(tell(news.listen(), request.level, client)));
        *telling.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
        true
    }
}

/// Tells until nobody is there to be told.
async fn tell(
    mut lines: tokio::sync::broadcast::Receiver<Arc<crate::logging::Line>>,
    from: LoggingLevel,
    client: Peer<RoleServer>,
) {
    loop {
        let line = match lines.recv().await {
            Ok(line) => line,
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        let level = named(line.level);
        if gravity(level) < gravity(from) {
            continue;
        }
        let mut message = LoggingMessageNotificationParam::new(level, line.data.clone());
        message.logger = Some(line.component.clone());
        if client.notify_logging_message(message).await.is_err() {
            return;
        }
    }
}

fn named(level: Level) -> LoggingLevel {
    match level {
        Level::ERROR => LoggingLevel::Error,
        Level::WARN => LoggingLevel::Warning,
        Level::INFO => LoggingLevel::Info,
        _ => LoggingLevel::Debug,
    }
}

/// RFC 5424's order, turned round.
fn gravity(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}
