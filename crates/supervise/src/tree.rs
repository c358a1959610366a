//! The owner's handle on one process tree.

use std::path::PathBuf;

use crate::{Ladder, Output, Process, Spec, StopReport, platform};

/// Starts trees. Knows which program acts as the watchdog.
#[derive(Debug, Clone)]
pub struct Supervisor {
    #[cfg_attr(windows, expect(dead_code, reason = "a job object needs no watchdog"))]
    pub(crate) watchdog: PathBuf,
}

/// A running tree. Its owner ends it with [`Tree::stop`]; a tree that is dropped is ended by its watchdog (or job
/// object) in the background.
#[derive(Debug)]
pub struct Tree {
    handle: platform::Handle,
}

/// How the tree's first process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It ended, but nobody could learn how: its watchdog was killed with it.
    Unknown,
}

/// Why a program was not started. Nothing runs.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// There is no such program.
    #[error("{} does not exist", program.display())]
    NotFound {
        /// What was to be started.
        program: PathBuf,
    },
    /// It exists, but may not be executed.
    #[error("{} may not be executed: permission denied", program.display())]
    PermissionDenied {
        /// What was to be started.
        program: PathBuf,
    },
    /// The folder to start it in can't be entered.
    #[error("the folder {} can't be entered: {source}", folder.display())]
    Folder {
        /// Which folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system refused for another reason.
    #[error("{} could not be started: {reason}", program.display())]
    Refused {
        /// What was to be started.
        program: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A descriptor can't be given that number.
    #[error(
        "descriptor {number} can't be passed: numbers begin at 3, each is given once, and there are at most 16"
    )]
    Descriptor {
        /// Which number.
        number: i32,
    },
    /// A path that was to be removed afterwards names nothing that could be.
    #[error("{} can't be removed afterwards: name an absolute path of a file or a folder", path.display())]
    Will {
        /// Which path.
        path: PathBuf,
    },
    /// The watchdog itself could not be started, and nothing is started without one.
    #[error("the watchdog could not be started: {0}")]
    Watchdog(#[source] std::io::Error),
}

impl Supervisor {
    /// Takes the running program as the watchdog: its `main` must begin with [`crate::watchdog::run_if_asked`].
    ///
    /// # Errors
    /// The system can't tell what program this is.
    pub fn of_this_program() -> std::io::Result<Self> {
        // On Linux this name stays right when the file is replaced by an update while we run.
        let this = PathBuf::from("/proc/self/exe");
        let watchdog = if this.exists() { this } else { std::env::current_exe()? };
        Ok(Self { watchdog })
    }

    /// Takes another program as the watchdog, for tests of libraries, which have no binary of their own.
    pub fn with_watchdog(program: impl Into<PathBuf>) -> Self {
        Self { watchdog: program.into() }
    }

    /// Starts `spec` as a tree of its own: no terminal, nothing on its standard input, both outputs piped to us.
    ///
    /// # Errors
    /// [`SpawnError`] says why not; nothing runs then.
    pub async fn spawn(&self, spec: &Spec) -> Result<(Tree, Output), SpawnError> {
        self.spawn_with(spec, platform::Descriptors::default()).await
    }

    /// Starts `spec` as a tree, and gives its first process more descriptors than the first three. Nobody here holds
    /// them any more when this returns, so their other ends see the end when the tree ends.
    ///
    /// # Errors
    /// [`SpawnError`] says why not; nothing runs then, and the descriptors are closed.
    #[cfg(unix)]
    pub async fn spawn_passing(
        &self,
        spec: &Spec,
        descriptors: crate::Descriptors,
    ) -> Result<(Tree, Output), SpawnError> {
        self.spawn_with(spec, descriptors).await
    }

    async fn spawn_with(
        &self,
        spec: &Spec,
        descriptors: platform::Descriptors,
    ) -> Result<(Tree, Output), SpawnError> {
        if let Some(path) = spec.will.nonsense() {
            return Err(SpawnError::Will { path: path.to_owned() });
        }
        let started = self.start(spec, descriptors).await;
        if started.is_err() {
            spec.will.clone().execute_aside().await;
        }
        started
    }

    async fn start(
        &self,
        spec: &Spec,
        descriptors: platform::Descriptors,
    ) -> Result<(Tree, Output), SpawnError> {
        std::fs::read_dir(&spec.folder)
            .map_err(|source| SpawnError::Folder { folder: spec.folder.clone(), source })?;
        let (handle, output) = platform::spawn(self, spec, descriptors).await?;
        Ok((Tree { handle }, output))
    }
}

/// Ends what an earlier server left behind when it and its watchdogs were killed together: processes that carry the
/// mark of an owner that does not live any more. A tree whose watchdog still lives is left to it. Answers what it found. Blocking; a few milliseconds.
pub fn sweep_leftovers() -> StopReport {
    platform::sweep_leftovers()
}

/// What [`sweep_leftovers`] would end, and leaves alone.
pub fn leftovers() -> Vec<Process> {
    platform::leftovers()
}

impl Tree {
    /// The first process's number.
    pub fn pid(&self) -> u32 {
        self.handle.pid()
    }

    /// Waits until the first process has ended. Descendants may go on; the wait may be dropped and taken up again.
    pub async fn exited(&mut self) -> Exit {
        self.handle.exited().await
    }

    /// Has the end of a descendant watched: a server that outlives the program which started it.
    pub async fn follow(&mut self, pid: u32) {
        self.handle.follow(pid).await;
    }

    /// Waits until the descendant that is followed has ended, as far as that is told: one whose parent still lives tells
    /// its parent alone, and on Windows nobody. The wait may be dropped and taken up again.
    pub async fn followed(&mut self) -> Exit {
        self.handle.followed().await
    }

    /// Ends whatever of the tree still lives, and answers only when that is proven or given up.
    ///
    /// Bounded by the ladder's two times and a second for the watchdog itself.
    pub async fn stop(self, ladder: Ladder) -> StopReport {
        self.handle.stop(ladder).await
    }
}
