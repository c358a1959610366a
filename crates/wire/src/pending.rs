//! Calls that wait for their answers.
//!
//! Each has a number. It ends when its answer comes, when the connection closes (at once, all of them), when the group
//! that it belongs to ends (a session of the protocol), or when its caller drops it: it is forgotten then, and an
//! answer that comes too late is nobody's. How long to wait is the caller's decision.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::sync::oneshot;

use crate::Closed;

/// Why there will be no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Lost {
    /// The connection is closed.
    #[error(transparent)]
    Closed(Closed),
    /// The group that the call belonged to has ended.
    #[error("what the call was made to is gone")]
    GroupGone,
}

/// The calls of one connection that have no answer yet. `G` tells which of them end together, `A` is an answer.
#[derive(Debug)]
pub struct Pending<G, A>(Mutex<State<G, A>>);

#[derive(Debug)]
struct State<G, A> {
    last: u32,
    waiting: HashMap<u32, Waiting<G, A>>,
    closed: Option<Closed>,
}

#[derive(Debug)]
struct Waiting<G, A> {
    group: G,
    answer: oneshot::Sender<Result<A, Lost>>,
}

/// A call's claim on its answer: a future. Dropping it forgets the call.
#[derive(Debug)]
pub struct Ticket<G, A> {
    number: u32,
    answer: oneshot::Receiver<Result<A, Lost>>,
    pending: Arc<Pending<G, A>>,
}

/// Chromium reads a call's number as a signed 32-bit integer.
const LARGEST: u32 = i32::MAX.unsigned_abs();

impl<G, A> Default for Pending<G, A> {
    fn default() -> Self {
        Self(Mutex::new(State { last: 0, waiting: HashMap::new(), closed: None }))
    }
}

impl<G, A> Pending<G, A> {
    fn state(&self) -> MutexGuard<'_, State<G, A>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a call in `group`.
    ///
    /// # Errors
    /// The connection is closed.
    pub fn open(self: &Arc<Self>, group: G) -> Result<Ticket<G, A>, Lost> {
        let mut state = self.state();
        if let Some(why) = &state.closed {
            return Err(Lost::Closed(why.clone()));
        }
        let number = state.free_number();
        let (answer, ticket) = oneshot::channel();
        state.waiting.insert(number, Waiting { group, answer });
        Ok(Ticket { number, answer: ticket, pending: self.clone() })
    }

    /// Hands an answer to its call; false if nobody waits for it (any more).
    pub fn answer(&self, number: u32, answer: A) -> bool {
        let waiting = self.state().waiting.remove(&number);
        waiting.is_some_and(|waiting| waiting.answer.send(Ok(answer)).is_ok())
    }

    /// The same, unless it is `passed_over`, as no answer to this call: that waits on.
    pub fn answer_unless(&self, number: u32, answer: A, passed_over: impl Fn(&G, &A) -> bool) -> bool {
        let state = self.state();
        if state.waiting.get(&number).is_some_and(|waiting| passed_over(&waiting.group, &answer)) {
            return false;
        }
        drop(state);
        self.answer(number, answer)
    }

    /// Ends every call of the groups that `gone` names.
    pub fn end_groups(&self, gone: impl Fn(&G) -> bool) {
        let ended: Vec<_> = self.state().waiting.extract_if(|_, waiting| gone(&waiting.group)).collect();
        for (_, waiting) in ended {
            let _ = waiting.answer.send(Err(Lost::GroupGone));
        }
    }

    /// Ends every call, now and in future. Only the first reason counts.
    pub fn close(&self, why: &Closed) {
        let mut state = self.state();
        if state.closed.is_some() {
            return;
        }
        state.closed = Some(why.clone());
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        for waiting in waiting.into_values() {
            let _ = waiting.answer.send(Err(Lost::Closed(why.clone())));
        }
    }

    /// How many calls wait.
    pub fn len(&self) -> usize {
        self.state().waiting.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<G, A> State<G, A> {
    fn free_number(&mut self) -> u32 {
        loop {
            self.last = if self.last == LARGEST { 1 } else { self.last + 1 };
            if !self.waiting.contains_key(&self.last) {
                return self.last;
            }
        }
    }
}

impl<G, A> Ticket<G, A> {
    /// The number that the answer will carry.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl<G, A> Future for Ticket<G, A> {
    type Output = Result<A, Lost>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // A sender is dropped without an answer only with the whole of `Pending`, which the ticket holds.
        let answer = ready!(Pin::new(&mut self.answer).poll(context));
        Poll::Ready(answer.unwrap_or(Err(Lost::Closed(Closed::ByUs))))
    }
}

impl<G, A> Drop for Ticket<G, A> {
    fn drop(&mut self) {
        self.pending.state().waiting.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Calls = Arc<Pending<u8, &'static str>>;

    #[tokio::test]
    async fn what_is_no_answer_is_passed_over() {
        let calls = Calls::default();
        let (patient, other) = (calls.open(1).unwrap(), calls.open(0).unwrap());
        let early = |group: &u8, answer: &&'static str| *group == 1 && *answer == "early";
        assert!(!calls.answer_unless(patient.number(), "early", early));
        assert!(calls.answer_unless(other.number(), "early", early));
        assert!(calls.answer_unless(patient.number(), "late", early));
        assert_eq!((patient.await.unwrap(), other.await.unwrap()), ("late", "early"));
        assert!(!calls.answer_unless(1, "late", early), "nobody waits");
    }

    #[tokio::test]
    async fn answers_find_their_calls_in_any_order() {
        let calls = Calls::default();
        let (first, second) = (calls.open(0).unwrap(), calls.open(0).unwrap());
        assert!(calls.answer(second.number(), "second"));
        assert!(calls.answer(first.number(), "first"));
        assert_eq!((first.await.unwrap(), second.await.unwrap()), ("first", "second"));
        assert!(calls.is_empty());
    }

    #[tokio::test]
    async fn closing_fails_what_waits_and_what_comes_later() {
        let calls = Calls::default();
        let call = calls.open(0).unwrap();
        calls.close(&Closed::ByPeer);
        calls.close(&Closed::ByUs);
        assert!(matches!(call.await, Err(Lost::Closed(Closed::ByPeer))));
        assert!(matches!(calls.open(0), Err(Lost::Closed(Closed::ByPeer))));
    }

    #[tokio::test]
    async fn a_group_ends_without_the_others() {
        let calls = Calls::default();
        let (gone, stays) = (calls.open(1).unwrap(), calls.open(2).unwrap());
        calls.end_groups(|group| *group == 1);
        assert!(matches!(gone.await, Err(Lost::GroupGone)));
        assert!(calls.answer(stays.number(), "still here"));
    }

    #[test]
    fn a_dropped_call_is_forgotten_and_its_late_answer_is_nobodys() {
        let calls = Calls::default();
        let number = calls.open(0).unwrap().number();
        assert!(calls.is_empty());
        assert!(!calls.answer(number, "too late"));
    }

    #[test]
    fn numbers_stay_in_what_browsers_can_read_and_are_never_used_twice_at_once() {
        let calls = Calls::default();
        let held = calls.open(0).unwrap();
        calls.state().last = LARGEST - 1;
        assert_eq!(calls.open(0).unwrap().number(), LARGEST);
        assert_eq!(calls.open(0).unwrap().number(), held.number() + 1);
    }
}
