//! The watchdog: a process of ours between us and a tree, that survives us.
//!
//! It is this same binary, started as `… watchdog -- PROGRAM ARGS…`. It leads a session of its own, so that no
//! terminal and no signal to our process group reaches it or the tree; it is the tree's subreaper, so that every
//! descendant stays below it whatever it does; and its standard input is a socket to its owner. It does what the
//! owner orders there, and when the socket closes it ends the tree unasked, after the farewell that the owner left for that
//! case. When nothing of the tree lives any more, it removes what the owner named at the start, and nothing else.
//!
//! It uses no runtime and no threads: one loop over two descriptors, so that little can go wrong in it.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};
use serde::{Deserialize, Serialize};

use crate::farewell::Farewell;
use crate::platform::kin::{self, Kin, Kinsman};
use crate::platform::{marks, start};
use crate::will::Will;
use crate::{Ended, EndedBy, Ladder, StopReport};

/// The subcommand that turns the binary into a watchdog.
pub const SUBCOMMAND: &str = "watchdog";
/// How many ends are remembered.
const DEPARTED_KEPT: usize = 64;

/// What the owner tells the watchdog, one JSON object a line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    Stop {
        grace_ms: u64,
        kill_ms: u64,
    },
    /// Tell when this descendant has ended.
    Follow {
        pid: u32,
    },
}

/// What the watchdog tells the owner, one JSON object a line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum News {
    Started {
        pid: u32,
    },
    NotStarted {
        kind: NotStarted,
        reason: String,
    },
    Exited {
        code: Option<i32>,
        signal: Option<i32>,
    },
    /// The descendant that is followed.
    Gone {
        code: Option<i32>,
        signal: Option<i32>,
    },
    Stopped(StopReport),
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) enum NotStarted {
    NotFound,
    PermissionDenied,
    Other,
}

/// Becomes the watchdog if the command line says so, and never returns then. Call it first thing in `main`, before
/// any thread exists.
pub fn run_if_asked() {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == SUBCOMMAND) {
        let outcome = run(args.collect());
        if let Err(error) = &outcome {
            let _ = writeln!(std::io::stderr(), "{SUBCOMMAND}: {error}; it is started by the server only");
        }
        std::process::exit(if outcome.is_ok() { 0 } else { 2 });
    }
}

fn run(mut args: Vec<OsString>) -> std::io::Result<()> {
    if args.first().is_some_and(|first| first == "--") {
        args.remove(0);
    }
    let Some((program, args)) = args.split_first() else {
        return Err(std::io::Error::other("no program was given"));
    };
    let owner = take_owner()?;
    // Fails only if we lead a group already, and then nothing is lost.
    let _ = rustix::process::setsid();
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let signals = signal_pipe()?;
    let start = start::receive(&owner)?;
    let mut owner = Owner { socket: owner, pending: Vec::new() };

    let spawned = spawn(program, args, start.descriptors);
    // From here on only the tree holds the pipes; while we held them too, their end would never come.
    silence_outputs()?;
    let child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let kind = match error.kind() {
                std::io::ErrorKind::NotFound => NotStarted::NotFound,
                std::io::ErrorKind::PermissionDenied => NotStarted::PermissionDenied,
                _ => NotStarted::Other,
            };
            start.will.execute();
            owner.tell(&News::NotStarted { kind, reason: error.to_string() });
            return Ok(());
        }
    };
    owner.tell(&News::Started { pid: child.id() });
    let kin = Kin::of_this_process(child.id());
    let (will, farewell) = (start.will, start.farewell);
    Watchdog {
        owner,
        signals,
        root: child.id(),
        kin,
        will,
        farewell,
        speaking: None,
        followed: None,
        departed: VecDeque::new(),
    }
    .watch();
    Ok(())
}

/// Starts the program. What was meant for it alone is closed here when this returns: a copy of ours would hide its end.
fn spawn(program: &OsStr, args: &[OsString], descriptors: start::Descriptors) -> std::io::Result<Child> {
    let mut command = Command::new(program);
    command.args(args).env_remove(marks::WATCHDOG_VARIABLE).process_group(0);
    let _reserved = descriptors.map_onto(&mut command)?;
    command.spawn()
}

/// Takes the socket from standard input and puts nothing in its place, which the tree then inherits.
fn take_owner() -> std::io::Result<UnixStream> {
    let socket = UnixStream::from(std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned()?);
    socket.peer_addr().map_err(|_| std::io::Error::other("standard input is not a socket"))?;
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    Ok(socket)
}

fn silence_outputs() -> std::io::Result<()> {
    let nothing = std::fs::File::options().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    Ok(())
}

/// A pipe that becomes readable when a child ended, and when somebody wants us gone.
fn signal_pipe() -> std::io::Result<Signals> {
    let (ours, handlers) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register(signal, asked.clone())?;
        signal_hook::low_level::pipe::register(signal, handlers.try_clone()?)?;
    }
    signal_hook::low_level::pipe::register(signal_hook::consts::SIGCHLD, handlers)?;
    Ok(Signals { pipe: ours, asked_to_end: asked })
}

struct Signals {
    pipe: UnixStream,
    asked_to_end: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

struct Owner {
    socket: UnixStream,
    pending: Vec<u8>,
}

impl Owner {
    /// An owner that is gone can't be told anything; the loop learns of it by the socket's end.
    fn tell(&mut self, news: &News) {
        if let Ok(mut line) = serde_json::to_vec(news) {
            line.push(b'\n');
            let _ = self.socket.write_all(&line);
        }
    }

    /// Reads what is there. `Err` when the owner is gone.
    fn read(&mut self) -> Result<Vec<Order>, OwnerGone> {
        let mut chunk = [0; 512];
        match self.socket.read(&mut chunk) {
            Ok(0) | Err(_) => return Err(OwnerGone),
            Ok(length) => self.pending.extend_from_slice(&chunk[..length]),
        }
        let mut orders = Vec::new();
        while let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.pending.drain(..=end).collect();
            orders.extend(serde_json::from_slice::<Order>(&line).ok());
        }
        Ok(orders)
    }
}

struct OwnerGone;

struct Watchdog {
    owner: Owner,
    signals: Signals,
    root: u32,
    kin: Kin,
    will: Will,
    farewell: Option<Farewell>,
    /// The farewell's process, while it runs.
    speaking: Option<u32>,
    /// The descendant whose end the owner wants to know.
    followed: Option<u32>,
    /// How those ended that were collected last: the wish to know may come after the end.
    departed: VecDeque<(u32, WaitStatus)>,
}

impl Watchdog {
    /// Lives as long as the owner wants it to. Returns when the tree is gone.
    fn watch(&mut self) {
        let ordered = loop {
            self.reap();
            if self.signals.asked_to_end.load(std::sync::atomic::Ordering::Relaxed) {
                break None;
            }
            if self.wait(None, true) {
                match self.owner.read() {
                    Ok(orders) => {
                        if let Some(ladder) = self.take(orders) {
                            break Some(ladder);
                        }
                    }
                    Err(OwnerGone) => break None,
                }
            }
        };
        if ordered.is_none() {
            self.say_farewell();
        }
        let report = self.stop(ordered.unwrap_or_default());
        self.will.execute();
        self.owner.tell(&News::Stopped(report));
    }

    /// Does what is ordered; the ladder, if it is to stop.
    fn take(&mut self, orders: Vec<Order>) -> Option<Ladder> {
        let mut ladder = None;
        for order in orders {
            match order {
                Order::Follow { pid } => self.follow(pid),
                Order::Stop { grace_ms, kill_ms } => {
                    let (grace, kill) = (Duration::from_millis(grace_ms), Duration::from_millis(kill_ms));
                    ladder = Some(Ladder { grace, kill });
                }
            }
        }
        ladder
    }

    /// A process that is there, be it as a zombie, tells its end when it is collected; one that is not has told it.
    fn follow(&mut self, pid: u32) {
        let there = Pid::from_raw(pid.cast_signed())
            .is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(Errno::SRCH));
        if there {
            self.followed = Some(pid);
            return;
        }
        let status =
            self.departed.iter().rev().find(|(departed, _)| *departed == pid).map(|(_, status)| *status);
        self.owner.tell(&News::Gone {
            code: status.and_then(WaitStatus::exit_status),
            signal: status.and_then(WaitStatus::terminating_signal),
        });
    }

    /// Runs the farewell to its end or its limit. One that can't be started is none: the ladder comes anyway.
    fn say_farewell(&mut self) {
        let Some(farewell) = self.farewell.take() else { return };
        let mut command = farewell.command();
        command.env_remove(marks::WATCHDOG_VARIABLE).process_group(0);
        let Ok(child) = command.spawn() else { return };
        self.speaking = Some(child.id());
        let deadline = Instant::now() + farewell.limit();
        while !self.reap() && self.speaking.is_some() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            // Its end is a signal to us, its parent.
            self.wait(Some(left), false);
        }
        // Not reaped, so the number is still its own.
        if let Some(group) = self.speaking.take().and_then(|pid| Pid::from_raw(pid.cast_signed())) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }

    /// Waits for a signal or, if `orders` is set, for the owner; true if the owner has something to say.
    fn wait(&mut self, limit: Option<Duration>, orders: bool) -> bool {
        let limit = limit.map(|limit| Timespec {
            tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: limit.subsec_nanos().into(),
        });
        let mut descriptors =
            [PollFd::new(&self.signals.pipe, PollFlags::IN), PollFd::new(&self.owner.socket, PollFlags::IN)];
        let watched = if orders { &mut descriptors[..] } else { &mut descriptors[..1] };
        // Interrupted by a signal: its byte is in the pipe, and the caller's loop comes round again.
        let _ = poll(watched, limit.as_ref());
        let owner_speaks = orders && !descriptors[1].revents().is_empty();
        let mut drain = [0; 64];
        while self.signals.pipe.read(&mut drain).is_ok_and(|length| length > 0) {}
        owner_speaks
    }

    /// Collects every child that has ended, adopted ones included. True when no child is left, which proves that no
    /// descendant lives: each would be a child of ours or of a living one.
    fn reap(&mut self) -> bool {
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => self.note_exit(pid, status),
                Ok(None) => return false,
                Err(Errno::INTR) => {}
                Err(_) => return true,
            }
        }
    }

    fn note_exit(&mut self, pid: Pid, status: WaitStatus) {
        let pid = pid.as_raw_nonzero().get().unsigned_abs();
        if self.speaking == Some(pid) {
            self.speaking = None;
        }
        if self.departed.len() == DEPARTED_KEPT {
            self.departed.pop_front();
        }
        self.departed.push_back((pid, status));
        if self.followed == Some(pid) {
            self.owner.tell(&News::Gone { code: status.exit_status(), signal: status.terminating_signal() });
        }
        if pid == self.root {
            self.owner
                .tell(&News::Exited { code: status.exit_status(), signal: status.terminating_signal() });
        }
    }

    /// The ladder. Everything that lives gets TERM once (and CONT, or a stopped process would never see it), the
    /// grace, and then KILL until nothing is left.
    fn stop(&mut self, ladder: Ladder) -> StopReport {
        if self.all_gone() {
            return StopReport::default();
        }
        let mut termed = Vec::new();
        if !ladder.grace.is_zero() {
            termed = self.kin.living();
            self.kin.terminate(&termed);
            let deadline = Instant::now() + ladder.grace;
            if self.wait_until_gone(deadline) {
                return StopReport { ended: ended(&termed, EndedBy::Term), survivors: Vec::new() };
            }
        }
        let mut killed: Vec<Kinsman> = Vec::new();
        let deadline = Instant::now() + ladder.kill;
        let mut survivors = Vec::new();
        while !self.all_gone() {
            survivors = self.kin.living();
            kin::kill(&survivors);
            killed.extend(survivors.iter().filter(|one| !killed.contains(one)).cloned().collect::<Vec<_>>());
            if Instant::now() >= deadline {
                break;
            }
            self.wait(Some(Duration::from_millis(2)), false);
            survivors.clear();
        }
        termed.retain(|one| !killed.contains(one));
        killed.retain(|one| !survivors.contains(one));
        let mut report = StopReport { ended: ended(&termed, EndedBy::Term), survivors: Vec::new() };
        report.ended.extend(ended(&killed, EndedBy::Kill));
        report.survivors = survivors.iter().map(Kinsman::process).collect();
        report
    }

    fn wait_until_gone(&mut self, deadline: Instant) -> bool {
        let mut pause = Duration::from_millis(1);
        loop {
            if self.all_gone() {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            // Only our own children's ends wake us; a grandchild's is seen by looking again.
            self.wait(Some(left.min(pause)), false);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    fn all_gone(&mut self) -> bool {
        self.reap() && self.kin.none_strayed()
    }
}

fn ended(who: &[Kinsman], by: EndedBy) -> Vec<Ended> {
    who.iter().map(|one| Ended { process: one.process(), by }).collect()
}
