//! The life of a dev server under its keeper: born, ready, ended.

use std::time::Duration;

use base::Deadline;
use regex::Regex;
use supervise::{Exit, Ladder, Recorded, SpawnError, Spec, StopReport, Supervisor, Tree};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use url::Url;

use super::Readiness;
use super::keeper::{Failure, News, Order};
use super::lookout::Lookout;
use super::recorder::Recorder;
use super::state::{self, Ended, Logs, State};
use crate::error::exit_words;
use crate::logs::Log;
use crate::probe;

/// How patiently a server that was ready is ended: many write something down first.
const PATIENT: Ladder = Ladder { grace: Duration::from_secs(5), kill: Duration::from_secs(2) };
/// And one that never was.
const IMPATIENT: Ladder = Ladder { grace: Duration::from_secs(1), kill: Duration::from_secs(2) };
/// How long the last words may take to reach the logs.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// A first process that ended may have left a daemon; how often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// As much of the logs as a failure shows.
const SHOWN_LINES: usize = 20;
const SHOWN: usize = 4000;

/// Starts what `order` says, tells the adapter what became of it, and stays with it to its end.
pub(super) async fn live(
    order: Order,
    lifeline: oneshot::Receiver<()>,
    tell: impl Fn(&News),
) -> std::io::Result<()> {
    let mut asked = Asked::listen()?;
    let born = Life::begin(order).await;
    let mut life = match born {
        Ok(life) => life,
        Err(failure) => {
            tell(&News::Failed(failure));
            return Ok(());
        }
    };
    life.write()?;
    match life.until_ready(&mut asked, lifeline).await {
        Ok(()) => {
            life.write()?;
            tell(&News::Ready(Box::new(life.state.clone())));
        }
        Err(cause) => {
            let failure = life.fail(cause).await;
            tell(&News::Failed(failure));
            return Ok(());
        }
    }
    let by_itself = tokio::select! {
        exit = life.died() => Some(exit_words(exit)),
        () = asked.ended() => None,
    };
    life.end(PATIENT, by_itself).await;
    Ok(())
}

/// A dev server and everything that belongs to it.
struct Life {
    order: Order,
    state: State,
    tree: Option<Tree>,
    recording: JoinHandle<()>,
    lookout: Lookout,
}

/// Why a server did not become ready.
enum Cause {
    Died(Exit),
    TooLate,
    AskedToEnd,
    AdapterGone,
}

impl Life {
    async fn begin(order: Order) -> Result<Self, Failure> {
        if let Readiness::Url(url) = &order.ready
            && let Ok(url) = Url::parse(url)
            && !url.as_str().contains("%7Bport%7D")
            && probe::get(&url, Duration::from_secs(1)).await.is_some()
        {
            let message = format!("something else already answers at {url}; stop it, or choose another URL");
            return Err(Failure::plain("address_in_use", message));
        }
        let logs = Logs::within(&order.place);
        let internal = |error: std::io::Error| Failure::plain("internal", error.to_string());
        let awaited = match &order.ready {
            Readiness::Log(pattern) => Regex::new(pattern).ok(),
            _ => None,
        };
        let (recorder, heard) = Recorder::create(&logs, awaited).map_err(internal)?;
        let supervisor = Supervisor::of_this_program().map_err(internal)?;
        let started_ms = state::now();
        let (tree, output) = supervisor.spawn(&spec(&order)).await.map_err(|error| not_started(&error))?;
        let recording = tokio::spawn(recorder.record(output));
        // Our only child; the tree is below it.
        let watchdog = supervise::descendants(std::process::id()).first().copied().and_then(Recorded::of);
        let unknown = |pid| Recorded { pid, started: String::new() };
        let state = State {
            folder: order.folder.clone(),
            command: order.command.clone(),
            keeper: Recorded::of(std::process::id()).unwrap_or_else(|| unknown(std::process::id())),
            // One that ended at once has no start any more, and nobody will be taken for it.
            root: Recorded::of(tree.pid()).unwrap_or_else(|| unknown(tree.pid())),
            watchdog,
            pid: tree.pid(),
            started_ms,
            url: None,
            port: order.port,
            probe: None,
            logs,
            ended: None,
        };
        let lookout = Lookout {
            ready: order.ready.clone(),
            port: order.port,
            heard,
            unannounced_since: None,
            opened: false,
        };
        Ok(Self { order, state, tree: Some(tree), recording, lookout })
    }

    fn write(&self) -> std::io::Result<()> {
        self.state.write(&self.order.place)
    }

    async fn until_ready(&mut self, asked: &mut Asked, lifeline: oneshot::Receiver<()>) -> Result<(), Cause> {
        let deadline = Deadline::after(self.order.ready_within);
        let Self { tree, lookout, state, .. } = self;
        let address = tokio::select! {
            address = lookout.until_ready() => address,
            exit = died(tree.as_mut(), state.watchdog.as_ref()) => return Err(Cause::Died(exit)),
            () = asked.ended() => return Err(Cause::AskedToEnd),
            _ = lifeline => return Err(Cause::AdapterGone),
            () = deadline.passed() => return Err(Cause::TooLate),
        };
        self.state.url = Some(address.text());
        self.state.port = address.port();
        self.state.probe = address.probe.as_ref().map(Url::to_string);
        // A daemon is not below the process that it was started by, which may live a moment longer.
        if let Some(pid) = address.pid
            && pid != self.state.root.pid
            && !supervise::descendants(self.state.root.pid).contains(&pid)
        {
            self.state.pid = pid;
        }
        Ok(())
    }

    /// Waits until nothing of the server lives.
    async fn died(&mut self) -> Exit {
        died(self.tree.as_mut(), self.state.watchdog.as_ref()).await
    }

    /// Ends the server and writes down how that went.
    async fn end(&mut self, ladder: Ladder, by_itself: Option<String>) {
        let report = match self.tree.take() {
            Some(tree) => tree.stop(ladder).await,
            None => StopReport::default(),
        };
        let _ = Deadline::after(LAST_WORDS).race(&mut self.recording).await;
        self.state.ended = Some(Ended { at_ms: state::now(), by_itself, report });
        // The keeper's own end says the same.
        let _ = self.write();
    }

    async fn fail(&mut self, cause: Cause) -> Failure {
        let by_itself = match &cause {
            Cause::Died(exit) => Some(exit_words(*exit)),
            _ => None,
        };
        self.end(IMPATIENT, by_itself).await;
        let exit = match &cause {
            Cause::Died(Exit::Code(code)) => Some(*code),
            _ => None,
        };
        let (error, message) = match cause {
            Cause::Died(exit) => (
                "server_start_failed",
                format!("the dev server ended with {} before it was ready", exit_words(exit)),
            ),
            Cause::TooLate => ("timeout", self.too_late()),
            Cause::AskedToEnd => ("stopped", "the dev server was stopped before it was ready".to_owned()),
            Cause::AdapterGone => ("stopped", "nobody waits for the dev server any more".to_owned()),
        };
        Failure { error: error.to_owned(), message, exit, stderr: self.last_words() }
    }

    fn too_late(&self) -> String {
        let waited = self.order.ready_within.as_secs_f64();
        let awaited = match &self.order.ready {
            Readiness::Port => format!(
                "it neither listened on port {} (PORT) nor on another, nor did it print a URL",
                self.order.port
            ),
            Readiness::Url(url) => format!("{url} did not answer with success"),
            Readiness::Log(pattern) if self.lookout.heard.matched().is_some() => {
                format!("a line matched /{pattern}/, but it listens nowhere")
            }
            Readiness::Log(pattern) => format!("no line of its output matched /{pattern}/"),
        };
        format!("the dev server was not ready within {waited:.0} s: {awaited}")
    }

    /// The end of standard error, or of everything when there is none.
    fn last_words(&self) -> Option<String> {
        let logs = [&self.state.logs.stderr, &self.state.logs.combined];
        let tails = logs.into_iter().filter_map(|path| Log::new(path).tail(SHOWN_LINES, SHOWN, None).ok());
        tails.map(|tail| tail.text).find(|text| !text.trim().is_empty())
    }
}

/// Waits until nothing of the tree lives: a first process that made a daemon of its server ends before it.
async fn died(tree: Option<&mut Tree>, watchdog: Option<&Recorded>) -> Exit {
    let Some(tree) = tree else { return Exit::Unknown };
    let exit = tree.exited().await;
    while watchdog.is_some_and(|watchdog| !supervise::descendants(watchdog.pid).is_empty()) {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    exit
}

fn spec(order: &Order) -> Spec {
    let port = order.port.to_string();
    let mut words = order.command.iter().map(|word| with_port(word, &port));
    let program = words.next().unwrap_or_default();
    Spec::new(program, &order.folder)
        .args(words)
        .env("PORT", &port)
        // Nobody sits here to look at a window that a dev server opens.
        .env("BROWSER", "none")
}

fn with_port(word: &std::ffi::OsStr, port: &str) -> std::ffi::OsString {
    match word.to_str() {
        Some(text) => text.replace("{port}", port).into(),
        None => word.to_owned(),
    }
}

fn not_started(error: &SpawnError) -> Failure {
    let name = match error {
        SpawnError::NotFound { .. } => "command_not_found",
        SpawnError::PermissionDenied { .. } => "permission_denied",
        _ => "server_start_failed",
    };
    Failure::plain(name, format!("the dev server's command can't be run: {error}"))
}

impl Failure {
    pub(super) fn plain(error: &str, message: String) -> Self {
        Self { error: error.to_owned(), message, exit: None, stderr: None }
    }
}

/// The signals that ask a program to end.
struct Asked {
    signals: [Signal; 2],
}

impl Asked {
    fn listen() -> std::io::Result<Self> {
        Ok(Self { signals: [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?] })
    }

    async fn ended(&mut self) {
        let [terminate, interrupt] = &mut self.signals;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}
