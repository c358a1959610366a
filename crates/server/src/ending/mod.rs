//! How the process ends: why, in which order, and by when.
//!
//! A closed client, a signal or a vanished parent begins the ending. Calls in flight are cancelled, their replies go
//! out, then the owners of processes close ([`Closing`]); all of it within [`LIMIT`]. A second signal cuts it short.

mod closing;
mod parent;
mod signals;

use std::time::Duration;

use base::Deadline;
use tokio_util::sync::CancellationToken;

pub(crate) use closing::{Close, Closed, Closing};
pub(crate) use parent::Parent;
pub(crate) use signals::{Signal, Signals};

/// The whole ending takes no longer; the promise to clients is 5 s.
const LIMIT: Duration = Duration::from_millis(4500);
/// A client may close its end right after its last request; calls get this long before they are cancelled.
const CHANCE: Duration = Duration::from_millis(1500);
/// How long cancelled calls have for their replies; the rest of [`LIMIT`] belongs to [`Closing`].
const REPLIES: Duration = Duration::from_millis(1700);

/// Why the server ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Cause {
    #[error("the client closed the connection")]
    ClientGone,
    #[error("the process that started the server is gone")]
    ParentGone,
    #[error("received {0}")]
    Signal(Signal),
}

/// Whether everything that the server had started is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Clean,
    /// Something resisted; the log names it.
    Unclean,
}

/// Ends the server, whose connections are over when `finished` is: cancels what runs by `ending`, waits for the
/// replies, closes what owns processes.
pub(crate) async fn end(
    cause: Cause,
    ending: &CancellationToken,
    finished: impl Future<Output = ()>,
    closing: &Closing,
) -> End {
    tracing::info!(%cause, "ending");
    let deadline = Deadline::after(LIMIT);
    let mut finished = std::pin::pin!(finished);
    let all_answered =
        cause == Cause::ClientGone && deadline.at_most(CHANCE).race(&mut finished).await.is_ok();
    ending.cancel();
    if !all_answered && deadline.at_most(REPLIES).race(&mut finished).await.is_err() {
        tracing::warn!("some replies could not be delivered in time");
    }
    closing.close(deadline).await
}
