//! A session's app: its dev server, from the command's `--start` to the proof that it is gone.
//!
//! What we started, we stop; a server that ran before is left as it was found. The tree that a start left behind is the
//! last word: stopping it ends whatever `--shutdown` did not, and proves that nothing lives.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::{Activity, CallScope, Deadline};
use devserver::logs::LogWatch;
use devserver::{
    CommandError, LogPaths, Running, ServerCommand, ServerProcess, ServerTree, Started, Status, Verb,
};
use supervise::{Exit, Ladder, Process, Supervisor};
use tokio_util::sync::CancellationToken;

/// What a shutdown leaves of its time for the ladder.
const FOR_THE_LADDER: Duration = Duration::from_millis(1400);
/// How long a shutdown that is late may take to be ended itself.
const RESISTING: Duration = Duration::from_millis(200);
/// A shorter time is no use to a shutdown.
const SHORTEST: Duration = Duration::from_millis(200);
/// A server that said that it stops may take this long to be gone.
const LEAVING: Duration = Duration::from_secs(2);
/// How long it is waited to learn how a dead server died.
const POST_MORTEM: Duration = Duration::from_secs(1);
/// How patiently what stayed is ended.
const LADDER: Ladder = Ladder { grace: Duration::from_millis(300), kill: Duration::from_millis(700) };

/// The dev server of one session.
#[derive(Debug)]
pub(crate) struct App {
    command: ServerCommand,
    supervisor: Supervisor,
    /// What the last start left running; held by whoever changes it, so that a restart and the end do not meet.
    tree: tokio::sync::Mutex<Option<ServerTree>>,
    now: Mutex<Now>,
    logs: Told,
}

/// What of a server's logs has been told. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Told(Arc<Mutex<LogWatch>>);

impl Told {
    fn begin(logs: &LogPaths) -> Self {
        Self(Arc::new(Mutex::new(LogWatch::begin(logs))))
    }

    /// The lines that were not told yet, as many as fit. Reads files.
    pub(crate) fn take(&self, budget: usize) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take(budget)
    }

    /// The server has other logs from now on.
    fn turn_to(&self, logs: &LogPaths) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = LogWatch::begin(logs);
    }
}

#[derive(Debug, Clone)]
struct Now {
    running: Running,
    server: Option<ServerProcess>,
    /// We started it, so we stop it.
    ours: bool,
    /// Somebody was told that it died.
    told: bool,
    /// How it died, once that was asked for; nothing if nobody could say.
    exit: Option<Option<Exit>>,
}

/// What is known of the server without asking anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pulse {
    Alive,
    /// It is gone; whether that is told for the first time.
    Dead {
        first: bool,
    },
    /// The command named no process.
    Unknown,
}

/// How a session's app came to its end.
#[derive(Debug)]
pub(crate) struct AppEnd {
    pub(crate) how: Ending,
    pub(crate) pid: Option<u32>,
    pub(crate) url: String,
    /// What the command said about it.
    pub(crate) message: Option<String>,
    /// Why `--shutdown` did not do it.
    pub(crate) failed: Option<CommandError>,
    /// What else lived in its tree.
    pub(crate) swept: Vec<Process>,
    /// What lives still.
    pub(crate) survivors: Vec<Process>,
}

/// What it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// `--shutdown` did it.
    Stopped,
    /// It did not, and the server was ended all the same.
    Forced,
    /// It was not ours.
    Left,
    /// It lives on against our will.
    Survived,
}

impl App {
    /// Starts the dev server, or takes the one that runs.
    ///
    /// # Errors
    /// [`CommandError`]; nothing that this started runs then.
    pub(super) async fn start(
        command: ServerCommand,
        supervisor: Supervisor,
        scope: &CallScope,
    ) -> Result<Self, CommandError> {
        let Started { running, server, tree } = command.start(&supervisor, scope).await?;
        let logs = Told::begin(&running.logs);
        let now = Now { ours: !running.already, running, server, told: false, exit: None };
        Ok(Self { command, supervisor, tree: tokio::sync::Mutex::new(tree), now: Mutex::new(now), logs })
    }

    /// What its command last said of it.
    pub(crate) fn running(&self) -> Running {
        self.now().running.clone()
    }

    /// What of its logs has been told.
    pub(crate) fn logs(&self) -> Told {
        self.logs.clone()
    }

    /// Whether it ends with its session.
    pub(crate) fn is_ours(&self) -> bool {
        self.now().ours
    }

    /// Whether it lives, by its process.
    pub(crate) fn pulse(&self) -> Pulse {
        match &self.now().server {
            None => Pulse::Unknown,
            Some(server) if server.alive() => Pulse::Alive,
            Some(_) => Pulse::Dead { first: false },
        }
    }

    /// The same for whoever tells it on: a death is news once.
    pub(crate) fn take_pulse(&self) -> Pulse {
        match self.pulse() {
            Pulse::Dead { .. } => Pulse::Dead { first: !std::mem::replace(&mut self.now().told, true) },
            other => other,
        }
    }

    /// How it ended, if it did and the system tells.
    pub(crate) async fn exit(&self) -> Option<Exit> {
        if let Some(known) = self.now().exit {
            return known;
        }
        let mut tree = self.tree.try_lock().ok()?;
        let exit = Deadline::after(POST_MORTEM).race(tree.as_mut()?.server_exited()).await.ok();
        self.now().exit = Some(exit);
        exit
    }

    /// Asks the command how it is.
    ///
    /// # Errors
    /// [`CommandError`] when it does not say.
    pub(crate) async fn status(&self, scope: &CallScope) -> Result<Status, CommandError> {
        self.command.status(&self.supervisor, scope).await
    }

    /// Has the command restart it, and answers what it was before. The new one is ours: it was born in our tree.
    ///
    /// # Errors
    /// [`CommandError`]; whether the old one still runs, its pulse tells.
    pub(crate) async fn restart(&self, scope: &CallScope) -> Result<Running, CommandError> {
        let mut tree = self.tree.lock().await;
        let Started { mut running, server, tree: born } =
            self.command.restart(&self.supervisor, scope).await?;
        let before = self.running();
        if running.logs.is_empty() {
            running.logs = before.logs.clone();
        }
        self.logs.turn_to(&running.logs);
        let ours = !running.already;
        if ours {
            let old = std::mem::replace(&mut *tree, born);
            if let Some(old) = old {
                old.stop(LADDER).await;
            }
        }
        let mut now = self.now();
        let ours = ours || now.ours;
        *now = Now { running, server, ours, told: false, exit: None };
        Ok(before)
    }

    /// Ends it by `deadline`, if it is ours.
    pub(super) async fn end(&self, deadline: Deadline) -> AppEnd {
        let Ok(mut tree) = deadline.race(self.tree.lock()).await else {
            // A restart that does not end; dropping its tree with the session has the watchdog say farewell.
            return self.ended(Ending::Survived, None);
        };
        let Now { server, ours, .. } = self.now().clone();
        if !ours {
            return self.ended(Ending::Left, None);
        }
        let time = deadline.remaining().saturating_sub(FOR_THE_LADDER).min(Verb::Shutdown.limit());
        let said = if time >= SHORTEST {
            let scope = CallScope::new(Deadline::after(time), CancellationToken::new(), Activity::default());
            // Raced, too: a command that resists its own end is ended in the background.
            Deadline::after(time + RESISTING).race(self.command.shutdown(&self.supervisor, &scope)).await.ok()
        } else {
            None
        };
        let stopped = matches!(said, Some(Ok(_)));
        let gone = match &server {
            Some(server) if stopped => server.gone(deadline.at_most(LEAVING)).await,
            Some(server) => !server.alive(),
            None => stopped,
        };
        let report = match tree.take() {
            Some(tree) => tree.stop(LADDER).await,
            None => supervise::StopReport::default(),
        };
        // A server that its command started outside of our tree.
        let still = match &server {
            Some(server) if server.alive() => !server.force_stop(LADDER).await,
            _ => false,
        };
        let how = match (gone, still || !report.survivors.is_empty()) {
            (_, true) => Ending::Survived,
            (true, false) => Ending::Stopped,
            (false, false) => Ending::Forced,
        };
        let pid = server.as_ref().map(ServerProcess::pid);
        let mut end = self.ended(how, said);
        let others = report.ended.into_iter().map(|ended| ended.process);
        end.swept = others.filter(|process| Some(process.pid) != pid).collect();
        end.survivors = report.survivors;
        end
    }

    fn ended(&self, how: Ending, said: Option<Result<devserver::Stopped, CommandError>>) -> AppEnd {
        let Running { pid, url, .. } = self.running();
        let (message, failed) = match said {
            Some(Ok(stopped)) => (stopped.message, None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        AppEnd { how, pid, url, message, failed, swept: Vec::new(), survivors: Vec::new() }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ending {
    /// The word for agents; A-design's where it has one.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Forced => "force_stopped",
            Self::Left => "left_running",
            Self::Survived => "survived",
        }
    }
}
