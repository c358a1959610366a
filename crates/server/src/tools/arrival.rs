//! The order in which calls arrived.
//!
//! A client may send several calls at once; each runs in a task of its own, and tasks begin in any order. A call that
//! must take its place in a row waits until those that arrived before it have taken theirs.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::watch;

/// The calls of one connection that have no place yet.
#[derive(Debug, Default)]
pub(crate) struct Arrivals {
    next: u64,
    waiting: Arc<watch::Sender<BTreeSet<u64>>>,
}

/// When a call arrived, among those of its connection. The default is a call that nobody waits for. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arrival(Option<Arc<Ticket>>);

#[derive(Debug)]
struct Ticket {
    number: u64,
    waiting: Arc<watch::Sender<BTreeSet<u64>>>,
}

impl Arrivals {
    /// A call arrives.
    pub(crate) fn next(&mut self) -> Arrival {
        let number = self.next;
        self.next += 1;
        self.waiting.send_modify(|waiting| {
            waiting.insert(number);
        });
        Arrival(Some(Arc::new(Ticket { number, waiting: Arc::clone(&self.waiting) })))
    }
}

impl Arrival {
    /// Waits until every call that arrived before this one has its place, or wants none.
    pub(crate) async fn in_order(&self) {
        if let Some(ticket) = &self.0 {
            let first = |waiting: &BTreeSet<u64>| waiting.first().is_none_or(|first| *first >= ticket.number);
            // The sender is the ticket's own, so the wait can't fail.
            let _ = ticket.waiting.subscribe().wait_for(first).await;
        }
    }

    /// The call has its place: those that arrived after it may take theirs.
    pub(crate) fn placed(&self) {
        if let Some(ticket) = &self.0 {
            ticket.leave();
        }
    }
}

impl Ticket {
    fn leave(&self) {
        self.waiting.send_if_modified(|waiting| waiting.remove(&self.number));
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn calls_take_their_places_in_the_order_in_which_they_arrived() {
        let mut arrivals = Arrivals::default();
        let (first, second, third) = (arrivals.next(), arrivals.next(), arrivals.next());
        let order = Arc::new(std::sync::Mutex::new(Vec::new()));
        let place = |name: &'static str, arrival: Arrival| {
            let order = order.clone();
            tokio::spawn(async move {
                arrival.in_order().await;
                order.lock().unwrap().push(name);
                arrival.placed();
            })
        };
        let tasks = [place("third", third), place("second", second), place("first", first)];
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["first", "second", "third"]);
    }

    #[tokio::test]
    async fn a_call_that_is_gone_holds_up_nobody() {
        let mut arrivals = Arrivals::default();
        let (first, second) = (arrivals.next(), arrivals.next());
        drop(first);
        second.in_order().await;
    }
}
