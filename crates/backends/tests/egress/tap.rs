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
/// The heads of IP and of TCP or UDP are within the first bytes.
const HEAD: usize = 128;
const TCP: u8 = 6;
const UDP: u8 = 17;
/// TCP's flags of a connection that begins (RFC 9293, section 3.1).
const SYN: u8 = 0x02;
const ACK: u8 = 0x10;

/// The beginning of a connection, or a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Seen {
    pub(crate) tcp: bool,
    pub(crate) to: IpAddr,
    pub(crate) port: u16,
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
    begins.then_some(Seen { tcp: protocol == TCP, to, port })
}
