//! A call under way.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::message::{Answer, read};
use super::{CallError, Command};
use crate::pending::Ticket;

/// The answer of a call that was sent: a future. Dropping it forgets the call; the browser does it all the same.
#[derive(Debug)]
#[must_use = "the call is sent, but its answer is forgotten"]
pub struct Call<C> {
    state: State,
    command: PhantomData<fn() -> C>,
}

#[derive(Debug)]
enum State {
    Sent(Ticket<(), Answer>),
    Failed(Option<CallError>),
}

impl<C: Command> Call<C> {
    pub(super) fn sent(ticket: Ticket<(), Answer>) -> Self {
        Self { state: State::Sent(ticket), command: PhantomData }
    }

    pub(super) fn failed(error: CallError) -> Self {
        Self { state: State::Failed(Some(error)), command: PhantomData }
    }
}

impl<C: Command> Future for Call<C> {
    type Output = Result<C::Response, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.state {
            State::Sent(ticket) => Poll::Ready(read::<C>(ready!(Pin::new(ticket).poll(context))?)),
            // Whoever polls a future after its end gets what a dropped call gets: nothing.
            State::Failed(error) => error.take().map_or(Poll::Pending, |error| Poll::Ready(Err(error))),
        }
    }
}
