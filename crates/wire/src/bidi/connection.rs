//! One connection to a browser: a task that reads, a task that writes, and what they share with the callers.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::call::Call;
use super::message::{Answer, Incoming, write_call};
use super::{CallError, Command, Event};
use crate::Closed;
use crate::outbox::Outbox;
use crate::pending::Pending;
use crate::transport::{Inbound, Outbound};

/// Hears everything that happens on its own. It must not wait: nothing else is read meanwhile.
pub trait Listener: Send + 'static {
    /// An event came.
    fn hear(&mut self, event: Event);

    /// Nothing more will come.
    fn closed(&mut self, why: &Closed);
}

/// A connection. Clones are the same one; it is closed when the last of them is dropped.
#[derive(Debug, Clone)]
pub struct Connection {
    shared: Arc<Shared>,
    tasks: Arc<Tasks>,
}

#[derive(Debug)]
struct Shared {
    pending: Arc<Pending<(), Answer>>,
    outbox: Outbox,
    closed: watch::Sender<Option<Closed>>,
}

/// The two tasks; neither outlives the connection.
#[derive(Debug)]
struct Tasks {
    reading: AbortHandle,
    writing: AbortHandle,
    shared: Arc<Shared>,
}

impl Connection {
    /// Takes over both halves of a transport. `listener` is told what happens until the connection ends, and of
    /// that end, once.
    ///
    /// Needs a tokio runtime.
    pub fn open(inbound: impl Inbound, outbound: impl Outbound, listener: impl Listener) -> Self {
        let shared = Arc::new(Shared {
            pending: Arc::default(),
            outbox: Outbox::default(),
            closed: watch::Sender::new(None),
        });
        let reading = tokio::spawn(read(inbound, shared.clone(), listener)).abort_handle();
        let writing = tokio::spawn(write(outbound, shared.clone())).abort_handle();
        let tasks = Arc::new(Tasks { reading, writing, shared: shared.clone() });
        Self { shared, tasks }
    }

    /// Sends a command and waits for its answer.
    ///
    /// # Errors
    /// [`CallError`] says why there is none.
    pub async fn call<C: Command>(&self, command: &C) -> Result<C::Response, CallError> {
        self.send(command).await
    }

    /// Sends a command now; its answer is awaited later, or never. Commands that are sent one after the other without a
    /// wait in between leave in their order.
    pub fn send<C: Command>(&self, command: &C) -> Call<C> {
        let ticket = match self.shared.pending.open(()) {
            Ok(ticket) => ticket,
            Err(lost) => return Call::failed(lost.into()),
        };
        match write_call(ticket.number(), command) {
            Ok(message) => {
                self.shared.outbox.put([message]);
                Call::sent(ticket)
            }
            Err(error) => Call::failed(error),
        }
    }

    /// Waits until the connection is closed, and says why.
    pub async fn closed(&self) -> Closed {
        let mut closed = self.shared.closed.subscribe();
        let why = closed.wait_for(Option::is_some).await.ok().and_then(|why| why.clone());
        // The sender lives in `shared`, which we hold.
        why.unwrap_or(Closed::ByUs)
    }

    /// Closes it: every call that is under way fails.
    pub fn close(&self) {
        self.tasks.end();
    }
}

impl Tasks {
    fn end(&self) {
        self.reading.abort();
        self.writing.abort();
        self.shared.close(&Closed::ByUs);
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    /// Only the first reason counts.
    fn close(&self, why: &Closed) {
        self.pending.close(why);
        self.closed.send_if_modified(|closed| {
            let first = closed.is_none();
            closed.get_or_insert_with(|| why.clone());
            first
        });
    }
}

async fn write(mut outbound: impl Outbound, shared: Arc<Shared>) {
    loop {
        let messages = shared.outbox.take().await;
        if let Err(why) = outbound.send(messages).await {
            return shared.close(&why);
        }
    }
}

/// Tells the listener of the end, also when the task is given up.
struct Hearing<L: Listener> {
    listener: L,
    why: Closed,
}

impl<L: Listener> Drop for Hearing<L> {
    fn drop(&mut self) {
        self.listener.closed(&self.why);
    }
}

async fn read(mut inbound: impl Inbound, shared: Arc<Shared>, listener: impl Listener) {
    let mut hearing = Hearing { listener, why: Closed::ByUs };
    loop {
        let message = match inbound.receive().await {
            Ok(message) => message,
            Err(why) => {
                hearing.why = why.clone();
                // Told first: whoever's call ends by what follows can learn why.
                drop(hearing);
                return shared.close(&why);
            }
        };
        match Incoming::parse(&message) {
            Ok(Incoming::Answer { number, answer }) => {
                shared.pending.answer(number, answer);
            }
            Ok(Incoming::Event(event)) => hearing.listener.hear(event),
            // One message that nobody understands is no reason to lose every page.
            Err(error) => tracing::warn!(component = "wire", event = "unreadable_message", %error),
        }
    }
}
