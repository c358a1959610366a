//! Everything that leaves a socket in the test's network, seen where it passes.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::sockopt::{self, Timeout};
use rustix::net::{AddressFamily, RecvFlags, SocketType, eth, recv, socket};

/// Room for what comes while the tap's thread waits for its turn.
const ROOM: usize = 64 << 20;
/// The heads of IP and of TCP or UDP, and a name that is looked up, are within the first bytes.
const HEAD: usize = 512;
/// The port that names are looked up at.
pub(crate) const DNS: u16 = 53;
/// Where a datagram to it has the name: behind the heads of UDP and of the question (RFC 1035, section 4.1).
const QUESTION: usize = 8 + 12;
const TCP: u8 = 6;
const UDP: u8 = 17;
/// TCP's flags of a connection that begins (RFC 9293, section 3.1).
const SYN: u8 = 0x02;
const ACK: u8 = 0x10;

/// The beginning of a connection, or a datagram.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Seen {
    pub(crate) tcp: bool,
    pub(crate) to: IpAddr,
    pub(crate) port: u16,
    /// The name that is looked up by it.
    pub(crate) name: Option<String>,
}

/// An open tap.
#[derive(Debug)]
pub(crate) struct Tap {
    seen: Arc<Mutex<BTreeSet<Seen>>>,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Tap {
    pub(crate) fn open() -> Self {
        let packets = socket(AddressFamily::PACKET, SocketType::DGRAM, Some(eth::ALL)).unwrap();
        sockopt::set_socket_recv_buffer_size_force(&packets, ROOM).unwrap();
        sockopt::set_socket_timeout(&packets, Timeout::Recv, Some(Duration::from_millis(100))).unwrap();
        let (seen, ended) = (Arc::<Mutex<BTreeSet<Seen>>>::default(), Arc::<AtomicBool>::default());
        let watch = {
            let (seen, ended) = (seen.clone(), ended.clone());
            move || watch(&packets, &seen, &ended)
        };
        Self { seen, ended, thread: Some(std::thread::spawn(watch)) }
    }

    /// What passed so far.
    pub(crate) fn seen(&self) -> BTreeSet<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn watch(packets: &OwnedFd, seen: &Mutex<BTreeSet<Seen>>, ended: &AtomicBool) {
    let mut head = [0; HEAD];
    while !ended.load(Ordering::Relaxed) {
        match recv(packets, &mut head, RecvFlags::empty()) {
            Ok((length, _)) => seen.lock().unwrap().extend(read(&head[..length])),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => panic!("the tap is broken: {error}"),
        }
    }
}

/// What a packet says of itself, if it begins anything.
fn read(packet: &[u8]) -> Option<Seen> {
    let (protocol, to, inner) = match packet.first()? >> 4 {
        4 => {
            let to = Ipv4Addr::from(<[u8; 4]>::try_from(packet.get(16..20)?).ok()?);
            (*packet.get(9)?, IpAddr::from(to), packet.get(usize::from(packet[0] & 15) * 4..)?)
        }
        6 => {
            let to = Ipv6Addr::from(<[u8; 16]>::try_from(packet.get(24..40)?).ok()?);
            (*packet.get(6)?, IpAddr::from(to), packet.get(40..)?)
        }
        _ => return None,
    };
    let port = u16::from_be_bytes(inner.get(2..4)?.try_into().ok()?);
    let begins = protocol == UDP || (protocol == TCP && inner.get(13)? & (SYN | ACK) == SYN);
    let name = (protocol == UDP && port == DNS).then(|| name(inner.get(QUESTION..).unwrap_or_default()));
    begins.then_some(Seen { tcp: protocol == TCP, to, port, name })
}

/// The name at the beginning of a question: its parts, each behind its length.
fn name(mut question: &[u8]) -> String {
    let mut parts = Vec::new();
    while let Some((length, rest)) = question.split_first().filter(|(length, _)| **length > 0) {
        let (part, behind) = rest.split_at(rest.len().min(usize::from(*length)));
        parts.push(String::from_utf8_lossy(part));
        question = behind;
    }
    parts.join(".")
}
