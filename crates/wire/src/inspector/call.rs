//! Calls to a target, and why one has no answer.

use std::pin::Pin;
use std::task::{Context, Poll};

use serde::de::DeserializeOwned;

use super::message::Answer;
use crate::pending::{Lost, Ticket};
use crate::{Closed, Json};

/// What calls end together: those to a target, or to one process of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) target: u64,
    pub(super) inner: Option<std::sync::Arc<str>>,
    /// What is no answer to them, if the browser refuses them with it.
    pub(super) overlooked: Option<&'static str>,
}

/// A call that failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// The connection is closed.
    #[error("{why}")]
    Closed {
        /// How that came.
        why: Closed,
    },
    /// What the call was made to is gone: a page, its process, the automation session.
    #[error("the page is gone")]
    TargetGone,
    /// The browser refused the command.
    #[error("{method}: {message}")]
    Protocol {
        /// Which command.
        method: &'static str,
        /// The browser's words.
        message: String,
    },
    /// The answer came, but is not what the protocol promises.
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
            Lost::GroupGone => Self::TargetGone,
        }
    }
}

/// A call under way: a future of its answer, unread. Dropping it forgets the call.
#[derive(Debug)]
pub struct Call {
    method: &'static str,
    state: State,
}

#[derive(Debug)]
enum State {
    Sent(Ticket<Group, Answer>),
    Failed(Option<CallError>),
}

impl Call {
    pub(super) fn sent(method: &'static str, ticket: Ticket<Group, Answer>) -> Self {
        Self { method, state: State::Sent(ticket) }
    }

    pub(super) fn failed(method: &'static str, error: CallError) -> Self {
        Self { method, state: State::Failed(Some(error)) }
    }

    /// Waits for the answer and reads it.
    ///
    /// # Errors
    /// [`CallError`] says why there is none.
    pub async fn read<T: DeserializeOwned>(self) -> Result<T, CallError> {
        let method = self.method;
        let answer = self.await?;
        answer.read().map_err(|error| CallError::Malformed { method, reason: error.to_string() })
    }
}

impl Future for Call {
    type Output = Result<Json, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let method = self.method;
        match &mut self.state {
            State::Sent(ticket) => Pin::new(ticket).poll(context).map(|answer| {
                answer?.0.map_err(|refusal| CallError::Protocol { method, message: refusal.words() })
            }),
            // Whoever polls a future after its end gets what a dropped call gets: nothing.
            State::Failed(error) => error.take().map_or(Poll::Pending, |error| Poll::Ready(Err(error))),
        }
    }
}
