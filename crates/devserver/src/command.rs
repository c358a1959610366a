//! The server command: a program that was looked at before it is run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use supervise::Spec;

use crate::contract::Verb;
use crate::error::CommandError;

/// A program that may be run as the server command. Clones are cheap.
#[derive(Debug, Clone)]
pub struct ServerCommand(Arc<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    program: PathBuf,
    /// What stands before the verb: a subcommand of the program.
    leading: Vec<OsString>,
    args: Vec<OsString>,
    folder: PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl ServerCommand {
    /// Takes `path`, which is called as `path --start args…` in `folder`, without a shell.
    ///
    /// # Errors
    /// [`CommandError`] when the path is relative, does not exist, or is not an executable file.
    pub fn check(
        path: impl Into<PathBuf>,
        args: impl IntoIterator<Item = impl Into<OsString>>,
        folder: impl Into<PathBuf>,
    ) -> Result<Self, CommandError> {
        let path = path.into();
        if !path.is_absolute() {
            return Err(CommandError::NotAbsolute { path });
        }
        let Ok(entry) = path.metadata() else { return Err(CommandError::NotFound { path }) };
        if !entry.is_file() || !executable(&path) {
            return Err(CommandError::PermissionDenied { path });
        }
        Ok(Self(Arc::new(Parts {
            program: path,
            leading: Vec::new(),
            args: args.into_iter().map(Into::into).collect(),
            folder: folder.into(),
            env: Vec::new(),
        })))
    }

    /// Puts words between the program and the verb.
    #[must_use]
    pub(crate) fn leading(mut self, words: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Arc::make_mut(&mut self.0).leading.extend(words.into_iter().map(Into::into));
        self
    }

    /// Sets a variable for the command.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        Arc::make_mut(&mut self.0).env.push((name.into(), value.into()));
        self
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.0.program
    }

    /// The folder that it runs in.
    pub fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// The words after the program, for `verb`.
    pub fn words(&self, verb: Verb) -> Vec<OsString> {
        self.words_for(Some(verb.flag()))
    }

    fn words_for(&self, flag: Option<&str>) -> Vec<OsString> {
        let leading = self.0.leading.iter().cloned();
        leading.chain(flag.map(OsString::from)).chain(self.0.args.iter().cloned()).collect()
    }

    pub(crate) fn spec(&self, flag: Option<&str>) -> Spec {
        let spec = Spec::new(&self.0.program, &self.0.folder).args(self.words_for(flag));
        self.0.env.iter().fold(spec, |spec, (name, value)| spec.env(name, value))
    }
}

#[cfg(unix)]
fn executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn executable(_: &Path) -> bool {
    true
}
