//! One run, from its command line to the moment when nothing of it lives any more.
//!
//! A run always comes to its end: by itself, at one of its limits, or because nobody wants it any more. Its output is
//! in raw.log then. What that output means is `extract`'s and `report`'s business.

use std::path::Path;
use std::time::Duration;

use base::{Activity, Deadline};
use supervise::{Exit, Ladder, Output, SpawnError, Spec, StopReport, Supervisor, Tree};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::controller::{Controller, Expired, Limits};
use crate::recorder::{Recorded, Recorder};
use crate::runners::{CommandLine, CommandRefused};

/// After a program's end its last words are still in the pipe; but a grandchild may hold the pipe for ever.
const LAST_WORDS: Duration = Duration::from_millis(250);
/// When everything is dead, the pipes end at once; this is for what could not be killed.
const PIPE_END: Duration = Duration::from_millis(500);
/// How long the disk may take for what is still queued.
const DISK: Duration = Duration::from_secs(5);

/// The longest that all of this can take beyond a run's own limit and its ladder.
pub(crate) const OVERTIME: Duration = Duration::from_millis(
    LAST_WORDS.as_millis() as u64 + PIPE_END.as_millis() as u64 + DISK.as_millis() as u64 + 1000,
);

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By itself.
    Exited(Exit),
    /// At one of its limits.
    Expired(Expired),
    /// Nobody wants it any more.
    Cancelled,
}

/// A run that is over.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) ending: Ending,
    /// From the start to the ending, not counting what stopping took.
    pub(crate) duration: Duration,
    /// The newest line at the ending.
    pub(crate) last_line: String,
    /// What still lived at the ending, and what ending it took.
    pub(crate) stopped: StopReport,
    pub(crate) recorded: Recorded,
}

/// Why a run did not begin. Nothing was started; there are no artifacts.
#[derive(Debug, thiserror::Error)]
pub enum NotStarted {
    /// The report's folder can't be made or written to.
    #[error("the report can't be written to {folder}: {source}")]
    Report {
        /// Where it was to be.
        folder: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another run writes its report there.
    #[error(
        "another run that is still going on writes its report to {folder}; choose another report_dir or wait for it"
    )]
    ReportInUse {
        /// Where it was to be.
        folder: String,
    },
    /// There is no command line for it: the runner is not installed, or the target can't be expressed.
    #[error(transparent)]
    Command(#[from] CommandRefused),
    /// The program could not be started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
}

/// Who watches over a run.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub(crate) limits: Limits,
    pub(crate) ladder: Ladder,
    pub(crate) cancel: CancellationToken,
    pub(crate) activity: Activity,
}

/// Runs `command` in `folder` and records it in `raw_log`.
pub(crate) async fn run(
    supervisor: &Supervisor,
    command: &CommandLine,
    folder: &Path,
    raw_log: &Path,
    watch: &Watch,
) -> Result<Finished, NotStarted> {
    let recorder = Recorder::create(raw_log)
        .map_err(|source| NotStarted::Report { folder: raw_log.display().to_string(), source })?;
    watch.activity.set("starting");
    let (tree, output) = match supervisor.spawn(&spec(command, folder)).await {
        Ok(started) => started,
        Err(error) => {
            // No run, no artifacts.
            recorder.finish(DISK).await;
            let _ = std::fs::remove_file(raw_log);
            return Err(error.into());
        }
    };
    let listener = Listener { output, recorder, open: true };
    let running = Running { tree, listener, began: Instant::now(), watch };
    Ok(running.to_the_end().await)
}

fn spec(command: &CommandLine, folder: &Path) -> Spec {
    let mut spec = Spec::new(&command.program, folder).args(&command.args);
    for (name, value) in &command.env {
        spec = spec.env(name, value);
    }
    for name in &command.unset {
        spec = spec.env_remove(name);
    }
    spec
}

struct Running<'a> {
    tree: Tree,
    listener: Listener,
    began: Instant,
    watch: &'a Watch,
}

impl Running<'_> {
    async fn to_the_end(mut self) -> Finished {
        let ending = self.until_it_ends().await;
        let duration = self.began.elapsed();
        let Self { tree, mut listener, watch, .. } = self;
        if matches!(ending, Ending::Exited(_)) {
            listener.listen_until(Deadline::after(LAST_WORDS)).await;
        }
        let last_line = listener.recorder.last_line();
        watch.activity.set("ending what is left of the run");
        let stopped = listener.listen_while(tree.stop(watch.ladder)).await;
        listener.listen_until(Deadline::after(PIPE_END)).await;
        let recorded = listener.recorder.finish(DISK).await;
        Finished { ending, duration, last_line, stopped, recorded }
    }

    async fn until_it_ends(&mut self) -> Ending {
        let mut controller = Controller::new(self.watch.limits);
        loop {
            let due = Deadline::after(controller.expires_at().saturating_sub(self.began.elapsed()));
            tokio::select! {
                biased;
                exit = self.tree.exited() => return Ending::Exited(exit),
                () = self.watch.cancel.cancelled() => return Ending::Cancelled,
                () = self.listener.hear() => {
                    controller.output(self.began.elapsed());
                    self.watch.activity.set(self.listener.recorder.last_line());
                }
                () = due.passed() => {}
            }
            // Looked at every time round: a run that never stops talking must not put it off.
            if let Some(expired) = controller.check(self.began.elapsed()) {
                return Ending::Expired(expired);
            }
        }
    }
}

/// Takes a run's output to its recorder.
struct Listener {
    output: Output,
    recorder: Recorder,
    /// Whether either stream may still say something.
    open: bool,
}

impl Listener {
    /// Waits for output and records it. Waits for ever when none can come.
    async fn hear(&mut self) {
        while self.open {
            if self.recorder.next(&mut self.output).await {
                return;
            }
            self.open = false;
        }
        std::future::pending().await
    }

    /// Records what still comes until both streams end or `deadline` passes.
    async fn listen_until(&mut self, deadline: Deadline) {
        while self.open && deadline.race(self.recorder.next(&mut self.output)).await == Ok(true) {}
    }

    /// Records while `work` goes on: programs say why they end, and one that can't write may not be able to end.
    async fn listen_while<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = self.hear() => {}
            }
        }
    }
}
