//! What to start: a program with its arguments, its folder and what it is told through the environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::farewell::Farewell;
use crate::will::Will;

/// A program to be started without a shell, with nothing on its standard input.
#[derive(Debug, Clone)]
pub struct Spec {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) folder: PathBuf,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) env_removed: Vec<OsString>,
    pub(crate) will: Will,
    pub(crate) farewell: Option<Farewell>,
}

impl Spec {
    /// `program`, started in `folder`.
    pub fn new(program: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            folder: folder.into(),
            env: Vec::new(),
            env_removed: Vec::new(),
            will: Will::default(),
            farewell: None,
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets a variable on top of what we have ourselves.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Takes a variable of ours away.
    #[must_use]
    pub fn env_remove(mut self, name: impl Into<OsString>) -> Self {
        self.env_removed.push(name.into());
        self
    }

    /// Has a file or folder removed when nothing of the tree lives any more, however it ended, and also if it never
    /// started: a browser's profile. A path that is not absolute is meant from the tree's folder.
    ///
    /// On Unix the watchdog does it, so our own death by SIGKILL does not prevent it. On Windows it does. Links are
    /// removed, not followed.
    #[must_use]
    pub fn remove_afterwards(mut self, path: impl AsRef<Path>) -> Self {
        // "" and "." would become the folder itself; they stay what they are, and are refused.
        let path = path.as_ref();
        self.will.add(if path.file_name().is_some() { self.folder.join(path) } else { path.to_owned() });
        self
    }

    /// Has a command run before the tree is ended, if its owner vanished (dropped it, or died by SIGKILL) or its
    /// watchdog was asked to end by a signal: a dev server's own `--shutdown`. Not on an ordered stop: who can order one
    /// can say farewell himself. It gets the tree's environment and no pipes; it is killed after `limit`, 15 s at most.
    ///
    /// On Windows there is no watchdog, and the tree is ended without it.
    #[must_use]
    pub fn farewell(
        mut self,
        program: impl Into<PathBuf>,
        args: impl IntoIterator<Item = impl Into<OsString>>,
        folder: impl Into<PathBuf>,
        limit: Duration,
    ) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        self.farewell = Some(Farewell::new(program.into(), args, folder.into(), limit));
        self
    }
}
