//! The first message from the owner to the watchdog: what the program gets besides its arguments, the last will
//! and the farewell.
//!
//! It lies in the socket before the watchdog starts. The descriptors travel with its first byte (unix(7),
//! `SCM_RIGHTS`); from then on the socket holds them, and after it the watchdog, until the program has its own.

use std::collections::BTreeSet;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Command;

use command_fds::{CommandFdExt, FdMapping};
use rustix::io::FdFlags;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};
use serde::{Deserialize, Serialize};

use crate::farewell::Farewell;
use crate::will::Will;
use crate::{SpawnError, Spec};

/// The most descriptors that travel.
const MOST: usize = 16;

/// Descriptors that a program gets besides the first three, each under a number of its own.
///
/// They are gone from us when the program runs, so that its death is seen at the other ends.
#[derive(Debug, Default)]
pub struct Descriptors(Vec<(i32, OwnedFd)>);

impl Descriptors {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one, which becomes the program's descriptor `number`.
    #[must_use]
    pub fn pass(mut self, number: i32, descriptor: impl Into<OwnedFd>) -> Self {
        self.0.push((number, descriptor.into()));
        self
    }

    pub(crate) fn check(&self) -> Result<(), SpawnError> {
        let mut numbers = BTreeSet::from([0, 1, 2]);
        match self.0.iter().find(|(number, _)| *number < 0 || !numbers.insert(*number)) {
            Some((number, _)) => Err(SpawnError::Descriptor { number: *number }),
            None if self.0.len() > MOST => Err(SpawnError::Descriptor { number: self.0[MOST].0 }),
            None => Ok(()),
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Message {
    numbers: Vec<i32>,
    will: Will,
    farewell: Option<Farewell>,
}

/// What the watchdog was told.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) descriptors: Descriptors,
    pub(crate) will: Will,
    pub(crate) farewell: Option<Farewell>,
}

/// Puts the message into the socket; it must fit, for nobody reads yet. The descriptors are closed on our side.
pub(crate) fn send(socket: &UnixStream, descriptors: Descriptors, spec: &Spec) -> io::Result<()> {
    let (numbers, descriptors): (Vec<i32>, Vec<OwnedFd>) = descriptors.0.into_iter().unzip();
    let (will, farewell) = (spec.will.clone(), spec.farewell.clone());
    let mut text = serde_json::to_vec(&Message { numbers, will, farewell })?;
    text.push(b'\n');
    let borrowed: Vec<BorrowedFd<'_>> = descriptors.iter().map(AsFd::as_fd).collect();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !borrowed.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(&borrowed)) {
        return Err(io::Error::other("too many descriptors"));
    }
    socket.set_nonblocking(true)?;
    let sent = rustix::net::sendmsg(socket, &[IoSlice::new(&text)], &mut ancillary, SendFlags::empty())?;
    if sent == text.len() { Ok(()) } else { Err(io::Error::other("the start message is too long")) }
}

/// Takes the message out of the socket. Nothing else is in it: the owner speaks again only after our first news.
pub(crate) fn receive(socket: &UnixStream) -> io::Result<Start> {
    let (mut text, mut descriptors) = (Vec::new(), Vec::new());
    while text.last() != Some(&b'\n') {
        let mut chunk = [0; 4096];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let received = rustix::net::recvmsg(
            socket,
            &mut [IoSliceMut::new(&mut chunk)],
            &mut ancillary,
            RecvFlags::empty(),
        )?;
        if received.bytes == 0 {
            return Err(io::Error::other("the owner went away"));
        }
        text.extend_from_slice(&chunk[..received.bytes]);
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(received) = message {
                descriptors.extend(received);
            }
        }
    }
    for descriptor in &descriptors {
        // Not every system can receive them so; and we have no other thread that might fork in between.
        rustix::io::fcntl_setfd(descriptor, FdFlags::CLOEXEC)?;
    }
    let message: Message = serde_json::from_slice(&text)?;
    if message.numbers.len() != descriptors.len() {
        return Err(io::Error::other("descriptors were lost on the way"));
    }
    Ok(Start {
        descriptors: Descriptors(message.numbers.into_iter().zip(descriptors).collect()),
        will: message.will,
        farewell: message.farewell,
    })
}

/// Numbers that must not be given to anything else until the program is started.
#[derive(Debug, Default)]
pub(crate) struct Reserved {
    _held: Vec<OwnedFd>,
}

impl Descriptors {
    /// Has `command` hand them to its child.
    ///
    /// `Command::spawn` opens a pipe of its own to learn whether the program could be executed. If that got one of our
    /// numbers, mapping ours onto it would cut it; so the numbers stay occupied until the spawn is over.
    pub(crate) fn map_onto(self, command: &mut Command) -> io::Result<Reserved> {
        if self.0.is_empty() {
            return Ok(Reserved::default());
        }
        let nothing = std::fs::File::open("/dev/null")?;
        let held = self
            .0
            .iter()
            .map(|(number, _)| rustix::io::fcntl_dupfd_cloexec(&nothing, *number))
            .collect::<Result<_, _>>()?;
        let mappings =
            self.0.into_iter().map(|(child_fd, parent_fd)| FdMapping { parent_fd, child_fd }).collect();
        command.fd_mappings(mappings).map_err(io::Error::other)?;
        Ok(Reserved { _held: held })
    }
}
