//! Our side of the socket to a watchdog.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use base::Deadline;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::{Child, Command};

use super::marks;
use super::start::{self, Descriptors};
use crate::watchdog::{News, NotStarted, Order, SUBCOMMAND};
use crate::will::Will;
use crate::{Exit, Ladder, Output, SpawnError, Spec, StopReport, Supervisor};

/// How long a watchdog may take beyond its ladder before it is taken for dead itself.
const WATCHDOG_SLACK: Duration = Duration::from_secs(1);
/// How much more it gets when it has folders to remove.
const WILL_SLACK: Duration = Duration::from_secs(5);
/// How long a watchdog may take to start the program. Far beyond what a loaded machine needs.
const START_LIMIT: Duration = Duration::from_secs(20);
/// Room for what a program prints while we are busy elsewhere: fewer, larger reads. The system may refuse.
const PIPE_SIZE: usize = 1 << 20;

#[derive(Debug)]
pub(crate) struct Handle {
    pid: u32,
    mark: String,
    will: Will,
    watchdog: Child,
    news: Lines<BufReader<OwnedReadHalf>>,
    orders: OwnedWriteHalf,
    exit: Option<Exit>,
    /// How the descendant that is followed ended.
    followed: Option<Exit>,
}

/// Starts a watchdog, and through it the program.
pub(crate) async fn spawn(
    supervisor: &Supervisor,
    spec: &Spec,
    descriptors: Descriptors,
) -> Result<(Handle, Output), SpawnError> {
    descriptors.check()?;
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mark = marks::of_this_process(COUNT.fetch_add(1, Ordering::Relaxed));
    let (ours, theirs) = StdUnixStream::pair().map_err(SpawnError::Watchdog)?;
    start::send(&ours, descriptors, spec).map_err(SpawnError::Watchdog)?;
    let mut watchdog =
        watchdog_command(supervisor, spec, &mark, theirs.into()).spawn().map_err(SpawnError::Watchdog)?;
    let output = Output::new(watchdog.stdout.take(), watchdog.stderr.take());
    widen(&output);

    let (news, orders) = UnixStream::from_std(ours).map_err(SpawnError::Watchdog)?.into_split();
    let news = BufReader::new(news).lines();
    let will = spec.will.clone();
    let mut handle = Handle { pid: 0, mark, will, watchdog, news, orders, exit: None, followed: None };
    // If this is dropped or fails, the socket closes and the watchdog ends what it may have started.
    let first = Deadline::after(START_LIMIT).race(handle.next_news()).await.unwrap_or(None);
    match first {
        Some(News::Started { pid }) => {
            handle.pid = pid;
            Ok((handle, output))
        }
        Some(News::NotStarted { kind, reason }) => Err(not_started(kind, reason, &spec.program)),
        _ => Err(SpawnError::Watchdog(std::io::Error::other("it ended without a word"))),
    }
}

fn watchdog_command(supervisor: &Supervisor, spec: &Spec, mark: &str, socket: OwnedFd) -> Command {
    let mut command = Command::new(&supervisor.watchdog);
    command
        .arg(SUBCOMMAND)
        .arg("--")
        .arg(&spec.program)
        .args(&spec.args)
        .current_dir(&spec.folder)
        .envs(spec.env.iter().map(|(name, value)| (name, value)))
        .env(marks::VARIABLE, mark)
        .env(marks::WATCHDOG_VARIABLE, "1")
        .stdin(Stdio::from(socket))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in &spec.env_removed {
        command.env_remove(name);
    }
    command
}

fn not_started(kind: NotStarted, reason: String, program: &Path) -> SpawnError {
    let program = program.to_owned();
    match kind {
        NotStarted::NotFound => SpawnError::NotFound { program },
        NotStarted::PermissionDenied => SpawnError::PermissionDenied { program },
        NotStarted::Other => SpawnError::Refused { program, reason },
    }
}

#[cfg(target_os = "linux")]
fn widen(output: &Output) {
    for pipe in output.descriptors() {
        let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE_SIZE);
    }
}

#[cfg(not(target_os = "linux"))]
fn widen(_: &Output) {
    let _ = PIPE_SIZE;
}

impl Handle {
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// `None` when the watchdog is gone.
    async fn next_news(&mut self) -> Option<News> {
        let line = self.news.next_line().await.ok()??;
        serde_json::from_str(&line).ok()
    }

    pub(crate) async fn exited(&mut self) -> Exit {
        loop {
            if let Some(exit) = self.exit {
                return exit;
            }
            self.hear().await;
        }
    }

    /// Takes the next news. When there are none any more, nobody learns how anything ended.
    async fn hear(&mut self) {
        let exit = |code, signal| match (code, signal) {
            (Some(code), _) => Exit::Code(code),
            (None, Some(signal)) => Exit::Signal(signal),
            (None, None) => Exit::Unknown,
        };
        match self.next_news().await {
            Some(News::Exited { code, signal }) => self.exit = Some(exit(code, signal)),
            Some(News::Gone { code, signal }) => self.followed = Some(exit(code, signal)),
            Some(_) => {}
            None => {
                self.exit.get_or_insert(Exit::Unknown);
                self.followed.get_or_insert(Exit::Unknown);
            }
        }
    }

    pub(crate) async fn follow(&mut self, pid: u32) {
        self.followed = None;
        self.order(&Order::Follow { pid }).await;
    }

    pub(crate) async fn followed(&mut self) -> Exit {
        loop {
            if let Some(exit) = self.followed {
                return exit;
            }
            self.hear().await;
        }
    }

    /// An order that can't be given will be missed by the news.
    async fn order(&mut self, order: &Order) -> Option<()> {
        let mut line = serde_json::to_vec(order).ok()?;
        line.push(b'\n');
        self.orders.write_all(&line).await.ok()
    }

    pub(crate) async fn stop(mut self, ladder: Ladder) -> StopReport {
        let slack = if self.will.is_empty() { WATCHDOG_SLACK } else { WATCHDOG_SLACK + WILL_SLACK };
        let limit = Deadline::after(ladder.grace + ladder.kill + slack);
        let report = limit.race(self.order_stop(ladder)).await.ok().flatten();
        let report = match report {
            Some(report) => report,
            None => self.stop_without_watchdog().await,
        };
        // It has nothing left to do; waiting for it keeps no zombie.
        let _ = Deadline::after(WATCHDOG_SLACK).race(self.watchdog.wait()).await;
        report
    }

    async fn order_stop(&mut self, ladder: Ladder) -> Option<StopReport> {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let order = Order::Stop { grace_ms: millis(ladder.grace), kill_ms: millis(ladder.kill) };
        self.order(&order).await?;
        loop {
            if let News::Stopped(report) = self.next_news().await? {
                return Some(report);
            }
        }
    }

    /// Somebody killed or froze the watchdog. What it started still carries its mark.
    async fn stop_without_watchdog(&mut self) -> StopReport {
        tracing::warn!(component = "supervise", event = "watchdog_lost", pid = self.pid, mark = self.mark);
        let _ = self.watchdog.start_kill();
        let _ = Deadline::after(WATCHDOG_SLACK).race(self.watchdog.wait()).await;
        let mark = self.mark.clone();
        let report = tokio::task::spawn_blocking(move || marks::end_marked(&mark)).await.unwrap_or_default();
        std::mem::take(&mut self.will).execute_aside().await;
        report
    }
}
