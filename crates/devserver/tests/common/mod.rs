//! What the tests of this crate share: commands in a folder of their own, and calls of them.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::unwrap_used)]

pub(crate) mod project;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Activity, CallScope, Deadline};
use devserver::ServerCommand;
use supervise::{Ladder, Supervisor};
use testkit::bins;
use tokio_util::sync::CancellationToken;

/// Far more than any step here takes; a test that reaches it has failed.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);

/// A folder with commands.
pub(crate) struct Commands {
    dir: tempfile::TempDir,
}

impl Commands {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.dir.path()
    }

    /// Adds a program with this first line and this text.
    pub(crate) fn program(&self, name: &str, interpreter: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, format!("#!{interpreter}\n{text}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A server command in the language of /bin/sh.
    pub(crate) fn shell(&self, text: &str) -> ServerCommand {
        let path = self.program("command", "/bin/sh", text);
        ServerCommand::check(path, Vec::<String>::new(), self.folder()).unwrap()
    }

    /// The numbers that a command wrote to the file `pids`.
    pub(crate) fn pids(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(self.folder().join("pids")).unwrap_or_default();
        text.lines().filter_map(|line| line.trim().parse().ok()).collect()
    }
}

pub(crate) fn supervisor() -> Supervisor {
    Supervisor::with_watchdog(bins().watchdog())
}

pub(crate) fn scope() -> CallScope {
    scope_within(Duration::from_secs(120))
}

pub(crate) fn scope_within(limit: Duration) -> CallScope {
    CallScope::new(Deadline::after(limit), CancellationToken::new(), Activity::default())
}

pub(crate) fn quick() -> Ladder {
    Ladder { grace: Duration::from_millis(300), kill: Duration::from_secs(5) }
}
