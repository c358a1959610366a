//! The proxy of one session: everything that its browser asks for comes through here, or is refused.
//!
//! It listens on this machine alone. Who else runs here and finds its port gets what the session gets and no more: the
//! rules are the same for everybody, and public hosts are reached without it, too.

mod answers;
mod connection;
mod forward;
mod hop;
mod reach;
mod target;
mod tunnel;
mod watched;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

use crate::host::Host;
use crate::notes::{Notes, Refusals, Unreached};
use crate::refusal::Refusal;
use crate::resolve::{Resolver, System};
use crate::rules::Rules;

/// How much and how long a gate bears with.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at a time; others wait to be accepted.
    pub connections: usize,
    /// Bytes of a request's head.
    pub head: usize,
    /// Until a request's head is there, on a connection that is kept too.
    pub head_time: Duration,
    /// Until a name is looked up.
    pub look_up: Duration,
    /// Until one of the addresses answers.
    pub connect: Duration,
    /// Silence of a client's connection until it is given up, whatever it carries.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            head: 64 * 1024,
            head_time: Duration::from_secs(30),
            look_up: Duration::from_secs(10),
            connect: Duration::from_secs(15),
            // A WebSocket may be silent for as long as a session lives.
            idle: Duration::from_secs(3600),
        }
    }
}

/// An open gate. Dropping it closes its port and every connection through it.
#[derive(Debug)]
pub struct Gate {
    at: SocketAddr,
    shared: Arc<Shared>,
    /// Owns the listener and every connection.
    _accepting: AbortOnDropHandle<()>,
}

/// What the gate's connections know.
#[derive(Debug)]
struct Shared {
    at: SocketAddr,
    limits: Limits,
    resolver: Arc<dyn Resolver>,
    rules: Mutex<Rules>,
    notes: Mutex<Notes>,
    /// A tunnel that is refused has no answer.
    hangs_up: AtomicBool,
}

impl Gate {
    /// Opens a gate on a free port of this machine. Needs a runtime.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(rules: Rules) -> io::Result<Self> {
        Self::open_with(rules, Arc::new(System), Limits::default())
    }

    /// The same, with another resolver and other limits.
    ///
    /// # Errors
    /// When there is no free port.
    pub fn open_with(rules: Rules, resolver: Arc<dyn Resolver>, limits: Limits) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        let at = listener.local_addr()?;
        let shared = Arc::new(Shared {
            at,
            limits,
            resolver,
            rules: Mutex::new(rules),
            notes: Mutex::default(),
            hangs_up: AtomicBool::new(false),
        });
        let accepting = tokio::spawn(connection::accept(listener, shared.clone()));
        Ok(Self { at, shared, _accepting: AbortOnDropHandle::new(accepting) })
    }

    /// Where browsers find it: `http://127.0.0.1:4711`.
    pub fn address(&self) -> String {
        format!("http://{}", self.at)
    }

    /// Permits the session's app at `port` of this machine.
    pub fn admit(&self, port: u16) {
        self.shared.rules().admit(&Host::Address(Ipv4Addr::LOCALHOST.into()), port);
    }

    /// Permits the session's app at `port` of `host`, wherever that is.
    pub fn admit_host(&self, host: &Host, port: u16) {
        self.shared.rules().admit(host, port);
    }

    /// The session has no app any more, or another one.
    pub fn dismiss(&self) {
        self.shared.rules().dismiss();
    }

    /// Refuses tunnels by hanging up, for a client that takes a proxy's answer to CONNECT for the host's own, as libsoup does.
    pub fn hang_up_on_tunnels(&self) {
        self.shared.hangs_up.store(true, Ordering::Relaxed);
    }

    /// Why a host will be refused, as far as nobody needs to be asked for its addresses.
    pub fn foresee(&self, host: &Host, port: u16) -> Option<Refusal> {
        self.shared.rules().before_look_up(host, port).err()
    }

    /// What was refused since the last time.
    pub fn refusals(&self) -> Refusals {
        self.shared.notes().take()
    }

    /// What could not be reached since the last time, though nothing was against it.
    pub fn unreached(&self) -> Vec<Unreached> {
        self.shared.notes().take_unreached()
    }

    /// How many requests were refused since it was opened.
    pub fn refused(&self) -> u64 {
        self.shared.notes().ever()
    }
}

impl Shared {
    fn rules(&self) -> MutexGuard<'_, Rules> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
