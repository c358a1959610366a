//! A tree's farewell: what is run before a tree is ended whose owner vanished.
//!
//! An owner that lives ends its tree in good order itself, with whatever words that takes, and then orders the stop.
//! One that was killed can't; the watchdog then says them in its place.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest that a farewell may take, whatever was asked for: nobody is there to notice that it hangs.
const LONGEST: Duration = Duration::from_secs(15);

/// A command, and how long it may take. As `OsString`, because a path in JSON must be UTF-8 and a file's name need not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Farewell {
    program: OsString,
    args: Vec<OsString>,
    folder: OsString,
    limit_ms: u64,
}

impl Farewell {
    pub(crate) fn new(program: PathBuf, args: Vec<OsString>, folder: PathBuf, limit: Duration) -> Self {
        let limit_ms = u64::try_from(limit.min(LONGEST).as_millis()).unwrap_or(u64::MAX);
        Self { program: program.into_os_string(), args, folder: folder.into_os_string(), limit_ms }
    }

    /// The command, without anything that is the watchdog's own.
    #[cfg(unix)]
    pub(crate) fn command(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.program);
        command.args(&self.args).current_dir(&self.folder);
        command
    }

    #[cfg(unix)]
    pub(crate) fn limit(&self) -> Duration {
        Duration::from_millis(self.limit_ms)
    }
}
