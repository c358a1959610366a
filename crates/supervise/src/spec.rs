//! What to start: a program with its arguments, its folder and what it is told through the environment.

use std::ffi::OsString;
use std::path::PathBuf;

/// A program to be started without a shell, with nothing on its standard input.
#[derive(Debug, Clone)]
pub struct Spec {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) folder: PathBuf,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) env_removed: Vec<OsString>,
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
}
