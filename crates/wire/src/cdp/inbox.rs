//! The queue of one session's events, from the reader, who never waits, to its consumer. Why it is built so stands in
//! the parent module.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::mpsc;

use super::Event;
use crate::Closed;

/// How many bytes of events a consumer may leave unread.
pub const OVERRUN: usize = 256 << 20;

/// Why there are no more events.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EventsEnded {
    /// The connection is closed.
    #[error(transparent)]
    Closed(Closed),
    /// The session is detached.
    #[error("the page or frame is gone")]
    SessionGone,
    /// The consumer was too slow.
    #[error("events of more than {OVERRUN} bytes were left unread")]
    Overrun,
}

/// What both ends know.
#[derive(Debug, Default)]
struct Gauge {
    unread: AtomicUsize,
    ended: OnceLock<EventsEnded>,
}

/// The reader's end.
#[derive(Debug)]
pub(super) struct Inbox {
    /// `None` once there is nothing more to deliver, or nobody to deliver it to. Shared by the sessions of a tree.
    queue: Arc<Mutex<Option<mpsc::UnboundedSender<Event>>>>,
    gauge: Arc<Gauge>,
    limit: usize,
}

/// The consumer's end: the events of one session, in order.
#[derive(Debug)]
pub struct Events {
    queue: mpsc::UnboundedReceiver<Event>,
    gauge: Arc<Gauge>,
}

/// An empty queue.
pub(super) fn inbox(limit: usize) -> (Inbox, Events) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let gauge = Arc::<Gauge>::default();
    (
        Inbox { queue: Arc::new(Mutex::new(Some(sender))), gauge: gauge.clone(), limit },
        Events { queue: receiver, gauge },
    )
}

impl Inbox {
    /// A second entry to the same queue, for a session whose events join another's.
    pub(super) fn another(&self) -> Self {
        Self { queue: self.queue.clone(), gauge: self.gauge.clone(), limit: self.limit }
    }

    /// Puts an event into the queue; drops it when the consumer has gone.
    pub(super) fn deliver(&self, event: Event) {
        let mut entry = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(queue) = &*entry else { return };
        let size = event.size();
        let unread = self.gauge.unread.fetch_add(size, Ordering::Relaxed) + size;
        if unread > self.limit {
            tracing::warn!(component = "wire", event = "events_overrun", method = event.method(), unread);
            let _ = self.gauge.ended.set(EventsEnded::Overrun);
            *entry = None;
        } else if queue.send(event).is_err() {
            *entry = None;
        }
    }

    /// Nothing more will come. What is in the queue can still be read.
    pub(super) fn end(&self, why: EventsEnded) {
        let _ = self.gauge.ended.set(why);
        *self.queue.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Events {
    /// Waits for the next event. The wait may be dropped without losing one.
    ///
    /// # Errors
    /// [`EventsEnded`] when there will be none.
    pub async fn next(&mut self) -> Result<Event, EventsEnded> {
        let event = self.queue.recv().await;
        event.map(|event| self.taken(event)).ok_or_else(|| {
            // The queue closes after the reason is set; without one, the connection was dropped as a whole.
            self.gauge.ended.get().cloned().unwrap_or(EventsEnded::Closed(Closed::ByUs))
        })
    }

    /// The next event, if it is there already.
    pub fn next_now(&mut self) -> Option<Event> {
        self.queue.try_recv().ok().map(|event| self.taken(event))
    }

    fn taken(&self, event: Event) -> Event {
        self.gauge.unread.fetch_sub(event.size(), Ordering::Relaxed);
        event
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Json;
    use crate::cdp::Arrival;

    fn event(number: u64) -> Event {
        Event::new("Page.x".into(), Json::new(vec![b'1'; 1000].into()), Arrival(number))
    }

    #[tokio::test]
    async fn a_consumer_that_keeps_up_gets_everything_in_order() {
        let (inbox, mut events) = inbox(5000);
        for number in 0..1000 {
            inbox.deliver(event(number));
            assert_eq!(events.next().await.unwrap().arrived(), Arrival(number));
        }
    }

    #[tokio::test]
    async fn a_consumer_that_falls_too_far_behind_reads_what_came_before_and_is_told() {
        let (inbox, mut events) = inbox(5000);
        for number in 0..100 {
            inbox.deliver(event(number));
        }
        let mut last = None;
        let ended = loop {
            match events.next().await {
                Ok(event) => last = Some(event.arrived()),
                Err(ended) => break ended,
            }
        };
        assert_eq!(last, Some(Arrival(3)));
        assert!(matches!(ended, EventsEnded::Overrun));
    }
}
