//! Reading a request's body, within the limits of time and of memory.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::response::Response;
use base::Deadline;
use futures_util::StreamExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::limits::Limits;
use super::message::refuse;
use crate::mcp::fault::{Fault, LARGEST_MESSAGE};

/// So much of a body that is refused is read and dropped, because a client that still writes can't read the refusal.
const DRAINED: usize = 4 * LARGEST_MESSAGE;

/// The same of a request that is refused before its body matters, by whoever sent it.
const DRAINED_UNSEEN: usize = 64 * 1024;
const UNSEEN: Duration = Duration::from_secs(2);

/// Reads a body that nobody wants, if it is short and comes soon. Without it the connection would be closed on a client
/// that still writes, and it would see the reset in place of the refusal.
pub(super) async fn drain(body: Body) {
    let mut pieces = body.into_data_stream();
    let short = async {
        let mut size = 0;
        while let Some(Ok(piece)) = pieces.next().await {
            size += piece.len();
            if size > DRAINED_UNSEEN {
                return;
            }
        }
    };
    // One that comes too slowly is closed on.
    let _ = Deadline::after(UNSEEN).race(short).await;
}

/// Reads bodies, and knows what those that are held weigh together.
#[derive(Debug)]
pub(super) struct Bodies {
    patience: Duration,
    /// The most that one may weigh.
    largest: usize,
    /// A permit a byte.
    room: Arc<Semaphore>,
}

/// A body in memory. Its room is given back when it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) bytes: Bytes,
    _room: OwnedSemaphorePermit,
}

/// A body that could not be taken.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum NoBody {
    #[error(transparent)]
    Unacceptable(#[from] Fault),
    #[error("the body took longer than {} s", .patience.as_secs_f32())]
    TooSlow { patience: Duration },
    #[error("the body broke off")]
    Broken,
}

impl Bodies {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            patience: limits.body,
            largest: limits.body_size,
            room: Arc::new(Semaphore::new(limits.bodies)),
        }
    }

    /// Reads a body to its end.
    ///
    /// # Errors
    /// [`NoBody`] when it is too large, comes too slowly or not at all, or there is no room for it now.
    pub(super) async fn read(&self, body: Body) -> Result<Held, NoBody> {
        let deadline = Deadline::after(self.patience);
        let mut pieces = body.into_data_stream();
        let mut reading = Ok(Reading::new(&self.room)?);
        let mut size = 0;
        while size <= DRAINED {
            let piece = deadline.race(pieces.next()).await;
            let piece = piece.map_err(|_| NoBody::TooSlow { patience: self.patience })?;
            let Some(piece) = piece else { break };
            let piece = piece.map_err(|_| NoBody::Broken)?;
            size += piece.len();
            // What was held of a refused body is dropped here, and its room with it.
            reading = reading.and_then(|reading| reading.add(&piece, self.largest, &self.room));
        }
        let Reading { bytes, room } = reading?;
        Ok(Held { bytes: bytes.into(), _room: room })
    }
}

/// What was read so far.
struct Reading {
    bytes: Vec<u8>,
    room: OwnedSemaphorePermit,
}

impl Reading {
    fn new(room: &Arc<Semaphore>) -> Result<Self, Fault> {
        Ok(Self { bytes: Vec::new(), room: take(room, 0)? })
    }

    fn add(mut self, piece: &[u8], largest: usize, room: &Arc<Semaphore>) -> Result<Self, Fault> {
        if self.bytes.len() + piece.len() > largest {
            return Err(Fault::TooLarge { limit: largest });
        }
        self.room.merge(take(room, piece.len())?);
        self.bytes.extend_from_slice(piece);
        Ok(self)
    }
}

fn take(room: &Arc<Semaphore>, bytes: usize) -> Result<OwnedSemaphorePermit, Fault> {
    let bytes = u32::try_from(bytes).map_err(|_| Fault::TooLarge { limit: LARGEST_MESSAGE })?;
    Arc::clone(room).try_acquire_many_owned(bytes).map_err(|_| Fault::NoRoom)
}

impl NoBody {
    pub(super) fn into_response(self) -> Response {
        match self {
            Self::Unacceptable(fault) => {
                let status = match fault {
                    Fault::NoRoom => StatusCode::SERVICE_UNAVAILABLE,
                    _ => StatusCode::PAYLOAD_TOO_LARGE,
                };
                refuse(status, &fault, None)
            }
            Self::TooSlow { .. } => {
                refuse(StatusCode::REQUEST_TIMEOUT, &Fault::Transport { reason: self.to_string() }, None)
            }
            Self::Broken => {
                refuse(StatusCode::BAD_REQUEST, &Fault::Transport { reason: self.to_string() }, None)
            }
        }
    }
}
