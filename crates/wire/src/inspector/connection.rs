//! One connection to a browser: a task that reads, a task that writes, and what they share with the callers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::AbortHandle;

use super::call::Group;
use super::channel::{Channel, Current, Event, Events, Wrapping};
use super::frame::{self, Frame};
use super::gvariant::{self, Target};
use super::message::Answer;
use super::socket::{self, Inbound, Outbound};
use crate::Closed;
use crate::pending::Pending;

/// A connection. Clones are the same one; it is closed when the last of them and of its channels is dropped.
#[derive(Debug, Clone)]
pub struct Connection {
    pub(super) shared: Arc<Shared>,
    tasks: Arc<Tasks>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) pending: Arc<Pending<Group, Answer>>,
    outbox: mpsc::UnboundedSender<Bytes>,
    /// What the browser calls this connection.
    number: AtomicU64,
    routes: Mutex<HashMap<u64, Route>>,
    notices: Mutex<Option<mpsc::UnboundedSender<Notice>>>,
    closed: watch::Sender<Option<Closed>>,
}

/// Where a target's messages go.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) events: mpsc::UnboundedSender<Event>,
    pub(super) inner: Option<Current>,
}

/// What the browser says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The automation session began.
    Started {
        /// The program's name.
        browser: String,
        /// Its version.
        version: String,
    },
    /// The targets that there are now.
    Targets(Vec<Target>),
    /// The text of its list of commands.
    Commands(String),
}

/// What the browser says of itself, in order. It ends with the connection.
#[derive(Debug)]
pub struct Notices(mpsc::UnboundedReceiver<Notice>);

impl Notices {
    /// Waits for the next one; nothing when the connection is closed.
    pub async fn next(&mut self) -> Option<Notice> {
        self.0.recv().await
    }
}

/// The two tasks; neither outlives the connection.
#[derive(Debug)]
struct Tasks {
    reading: AbortHandle,
    writing: AbortHandle,
    shared: Arc<Shared>,
}

impl Connection {
    /// Takes over a socket. Needs a tokio runtime.
    pub fn open(stream: TcpStream) -> (Self, Notices) {
        let (inbound, outbound) = socket::split(stream);
        let (outbox, messages) = mpsc::unbounded_channel();
        let (notices, told) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            pending: Arc::default(),
            outbox,
            number: AtomicU64::new(0),
            routes: Mutex::default(),
            notices: Mutex::new(Some(notices)),
            closed: watch::Sender::new(None),
        });
        let reading = tokio::spawn(read(inbound, shared.clone())).abort_handle();
        let writing = tokio::spawn(write(outbound, messages, Arc::downgrade(&shared))).abort_handle();
        let tasks = Arc::new(Tasks { reading, writing, shared: shared.clone() });
        (Self { shared, tasks }, Notices(told))
    }

    /// Begins an automation session, whose target is announced then; also after the last one was lost in a crash.
    pub fn start_automation(&self, session: &str, accept_insecure_certificates: bool) {
        let switches = [("acceptInsecureCerts", true)];
        let switches = if accept_insecure_certificates { &switches[..] } else { &[] };
        self.shared.put("StartAutomationSession", &gvariant::session(session, switches));
    }

    /// Asks for the browser's list of commands.
    pub fn ask_commands(&self) {
        self.shared.put("SetupInspectorClient", &gvariant::bytes_of(""));
    }

    /// Hears no more of a target that is listed although nothing is behind it: its events end, and so do the calls to it.
    pub fn forget(&self, target: u64) {
        self.shared.routes().remove(&target);
        self.shared.pending.end_groups(|group| group.target == target);
    }

    /// Begins to speak to a target. Its events come from now on.
    pub fn channel(&self, target: u64, wrapping: Wrapping) -> (Channel, Events) {
        let inner = (wrapping == Wrapping::Wrapped).then(Current::default);
        let (events, received) = mpsc::unbounded_channel();
        self.shared.routes().insert(target, Route { events, inner: inner.clone() });
        self.shared.put("Setup", &gvariant::pair(self.shared.number(), target));
        (Channel { connection: self.clone(), target, inner }, Events(received))
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
    pub(super) fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    pub(super) fn put(&self, name: &str, parameters: &[u8]) {
        // A connection that is closed has ended every call already.
        let _ = self.outbox.send(frame::write(name, parameters));
    }

    pub(super) fn routes(&self) -> MutexGuard<'_, HashMap<u64, Route>> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, notice: Notice) {
        if let Some(notices) = &*self.notices.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = notices.send(notice);
        }
    }

    /// Only the first reason counts.
    fn close(&self, why: &Closed) {
        self.pending.close(why);
        self.closed.send_if_modified(|closed| {
            let first = closed.is_none();
            closed.get_or_insert_with(|| why.clone());
            first
        });
        self.routes().clear();
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn handle(&self, frame: &Frame) -> Result<(), gvariant::Malformed> {
        match &*frame.name {
            b"SetTargetList" => {
                let (number, targets) = gvariant::read_targets(&frame.parameters)?;
                // Every process of the browser announces what it has to whoever listens; only the first one has pages.
                let known = self.number.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed);
                if known.is_err_and(|known| known != number) {
                    return Ok(());
                }
                let listed = |id: u64| targets.iter().any(|target| target.id == id);
                self.routes().retain(|id, _| listed(*id));
                self.pending.end_groups(|group| !listed(group.target));
                self.tell(Notice::Targets(targets));
            }
            b"SendMessageToFrontend" => {
                let (target, text) = gvariant::read_message(&frame.parameters)?;
                self.say(target, &frame.parameters.slice_ref(text));
            }
            b"DidStartAutomationSession" => {
                let (browser, version) = gvariant::read_two(&frame.parameters)?;
                self.tell(Notice::Started { browser, version });
            }
            b"DidSetupInspectorClient" => {
                self.tell(Notice::Commands(gvariant::read_bytes(&frame.parameters)));
            }
            _ => {}
        }
        Ok(())
    }
}

async fn write(
    mut outbound: Outbound,
    mut messages: mpsc::UnboundedReceiver<Bytes>,
    shared: std::sync::Weak<Shared>,
) {
    while let Some(message) = messages.recv().await {
        let mut batch = vec![message];
        while let Ok(more) = messages.try_recv() {
            batch.push(more);
        }
        if let Err(why) = outbound.send(batch).await {
            if let Some(shared) = shared.upgrade() {
                shared.close(&why);
            }
            return;
        }
    }
}

async fn read(mut inbound: Inbound, shared: Arc<Shared>) {
    loop {
        let frame = match inbound.receive().await {
            Ok(frame) => frame,
            Err(why) => return shared.close(&why),
        };
        if let Err(error) = shared.handle(&frame) {
            return shared.close(&Closed::Unintelligible(error.to_string()));
        }
    }
}
