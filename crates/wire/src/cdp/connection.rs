//! One connection to a browser: a task that reads, a task that writes, and what they share with the callers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::message::{Answer, Incoming};
use super::routes::Routes;
use super::{Arrival, CallError, Command, Events, Session, SessionId};
use crate::Closed;
use crate::outbox::Outbox;
use crate::pending::Pending;
use crate::transport::{Inbound, Outbound};

/// A connection. Clones are the same one; it is closed when the last of them and of its sessions is dropped.
#[derive(Debug, Clone)]
pub struct Connection {
    pub(super) shared: Arc<Shared>,
    tasks: Arc<Tasks>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) pending: Arc<Pending<Option<SessionId>, Answer>>,
    pub(super) outbox: Outbox,
    routes: Mutex<Routes>,
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
    /// Takes over both halves of a transport. The events are the browser's own: those of no session.
    ///
    /// Needs a tokio runtime.
    pub fn open(inbound: impl Inbound, outbound: impl Outbound) -> (Self, Events) {
        let (routes, events) = Routes::new();
        let shared = Arc::new(Shared {
            pending: Arc::default(),
            outbox: Outbox::default(),
            routes: Mutex::new(routes),
            closed: watch::Sender::new(None),
        });
        let reading = tokio::spawn(read(inbound, shared.clone())).abort_handle();
        let writing = tokio::spawn(write(outbound, shared.clone())).abort_handle();
        let tasks = Arc::new(Tasks { reading, writing, shared: shared.clone() });
        (Self { shared, tasks }, events)
    }

    /// The browser itself as what commands are sent to.
    pub fn browser(&self) -> Session {
        Session { connection: self.clone(), id: None }
    }

    /// An attached target as what commands are sent to.
    pub fn session(&self, id: SessionId) -> Session {
        Session { connection: self.clone(), id: Some(id) }
    }

    /// The events of an attached session, from its first. They can be had once; `None` afterwards, and when the
    /// session is unknown or has ended.
    pub fn events(&self, id: &SessionId) -> Option<Events> {
        self.shared.routes().events(id)
    }

    /// The events of an attached session and of every session that is announced in it from now on, as one stream in the
    /// order of their arrival: a page with its frames and workers. [`Event::session`](super::Event::session) tells them
    /// apart. Otherwise like [`Connection::events`].
    pub fn tree_events(&self, id: &SessionId) -> Option<Events> {
        self.shared.routes().tree_events(id)
    }

    /// Sends a command to the browser itself and waits for its answer.
    ///
    /// # Errors
    /// [`CallError`] says why there is none.
    pub async fn call<C: Command>(&self, command: &C) -> Result<C::Response, CallError> {
        self.browser().call(command).await
    }

    /// Waits until the connection is closed, and says why.
    pub async fn closed(&self) -> Closed {
        let mut closed = self.shared.closed.subscribe();
        let why = closed.wait_for(Option::is_some).await.ok().and_then(|why| why.clone());
        // The sender lives in `shared`, which we hold.
        why.unwrap_or(Closed::ByUs)
    }

    /// Closes it: every call that is under way fails, and the browser sees the end of its input.
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
    fn routes(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Only the first reason counts.
    fn close(&self, why: &Closed) {
        self.pending.close(why);
        self.routes().close(why);
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

async fn read(mut inbound: impl Inbound, shared: Arc<Shared>) {
    let mut count = 0;
    loop {
        let message = match inbound.receive().await {
            Ok(message) => message,
            Err(why) => return shared.close(&why),
        };
        count += 1;
        match Incoming::parse(&message, Arrival(count)) {
            Ok(Incoming::Answer { number, answer }) => {
                shared.pending.answer(number, answer);
            }
            Ok(Incoming::Event { session, event }) => {
                let ended = shared.routes().deliver(session.as_ref(), event);
                if !ended.is_empty() {
                    shared.pending.end_groups(|group| group.as_ref().is_some_and(|id| ended.contains(id)));
                }
            }
            // One message that nobody understands is no reason to lose every page.
            Err(error) => tracing::warn!(component = "wire", event = "unreadable_message", %error),
        }
    }
}
