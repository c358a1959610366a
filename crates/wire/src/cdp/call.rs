//! A call under way, and several of them sent together.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;

use super::message::{Answer, write_call};
use super::{Arrival, CallError, Command, Session, SessionId};
use crate::pending::Ticket;

/// The answer of a call that was sent: a future. Dropping it forgets the call; the browser does it all the same.
#[derive(Debug)]
#[must_use = "the call is sent, but its answer is forgotten"]
pub struct Call<C> {
    state: State,
    command: PhantomData<fn() -> C>,
}

type Waiting = Ticket<Option<SessionId>, Answer>;

#[derive(Debug)]
enum State {
    Sent(Waiting),
    Failed(Option<CallError>),
}

/// An answer and when it came.
#[derive(Debug, Clone)]
pub struct Answered<R> {
    /// What the browser answered.
    pub value: R,
    /// Every event with an earlier [`Arrival`] happened before the answer was sent.
    pub arrived: Arrival,
}

impl<C: Command> Call<C> {
    pub(super) fn sent(ticket: Waiting) -> Self {
        Self { state: State::Sent(ticket), command: PhantomData }
    }

    pub(super) fn failed(error: CallError) -> Self {
        Self { state: State::Failed(Some(error)), command: PhantomData }
    }

    /// Waits for the answer and says when it came.
    ///
    /// # Errors
    /// [`CallError`] says why there is none.
    pub async fn answered(mut self) -> Result<Answered<C::Response>, CallError> {
        std::future::poll_fn(|context| self.poll_answer(context)).await
    }

    fn poll_answer(&mut self, context: &mut Context<'_>) -> Poll<Result<Answered<C::Response>, CallError>> {
        match &mut self.state {
            State::Sent(ticket) => {
                let answer = ready!(Pin::new(ticket).poll(context))?;
                let arrived = answer.arrived;
                Poll::Ready(answer.read::<C>().map(|value| Answered { value, arrived }))
            }
            // Whoever polls a future after its end gets what a dropped call gets: nothing.
            State::Failed(error) => error.take().map_or(Poll::Pending, |error| Poll::Ready(Err(error))),
        }
    }
}

impl<C: Command> Future for Call<C> {
    type Output = Result<C::Response, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_answer(context).map(|answer| answer.map(|answered| answered.value))
    }
}

/// Calls that leave in one write, in their order, so that nothing comes between them on the wire: the two halves of a
/// click, the keys of a word. They are awaited one by one or together.
///
/// The browser reads them in their order, but does not do all kinds in one queue: Chromium's input goes through its
/// browser process, so that an evaluation sent behind it may overtake it. Await the input before looking at what it did.
#[derive(Debug)]
#[must_use = "a batch goes out when it is sent"]
pub struct Batch<'a> {
    session: &'a Session,
    messages: Vec<Bytes>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        Self { session, messages: Vec::new() }
    }

    /// Adds a command. Its answer comes only after [`Batch::send`].
    pub fn add<C: Command>(&mut self, command: &C) -> Call<C> {
        match prepare(self.session, command) {
            Ok((ticket, message)) => {
                self.messages.push(message);
                Call::sent(ticket)
            }
            Err(error) => Call::failed(error),
        }
    }

    /// Sends them all.
    pub fn send(self) {
        self.session.connection.shared.outbox.put(self.messages);
    }
}

/// Gives a call its number and writes it.
pub(super) fn prepare<C: Command>(session: &Session, command: &C) -> Result<(Waiting, Bytes), CallError> {
    let ticket = session.connection.shared.pending.open(session.id.clone())?;
    let message = write_call(ticket.number(), session.id.as_ref(), command)?;
    Ok((ticket, message))
}
