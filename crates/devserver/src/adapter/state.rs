//! What a keeper knows about its dev server, in a file that the other verbs read.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use supervise::{Recorded, StopReport};

/// The file's name.
const FILE: &str = "state.json";

/// One dev server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) folder: PathBuf,
    pub(super) command: Vec<OsString>,
    pub(super) keeper: Recorded,
    /// The first process of the tree.
    pub(super) root: Recorded,
    /// Between the two; it ends only when nothing of the tree lives.
    pub(super) watchdog: Option<Recorded>,
    /// Whose `pid` is told: the first process, or, when that made a daemon of itself, the one that listens.
    pub(super) pid: u32,
    pub(super) started_ms: i64,
    /// Where it answers, once it does.
    pub(super) url: Option<String>,
    pub(super) port: u16,
    /// What is asked whether it is healthy; the URL, unless a better one was given.
    pub(super) probe: Option<String>,
    pub(super) logs: Logs,
    /// Set when it is over.
    pub(super) ended: Option<Ended>,
}

/// How a dev server ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Ended {
    pub(super) at_ms: i64,
    /// In words, if it ended by itself.
    pub(super) by_itself: Option<String>,
    pub(super) report: StopReport,
}

/// The three logs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Logs {
    pub(super) stdout: PathBuf,
    pub(super) stderr: PathBuf,
    pub(super) combined: PathBuf,
}

impl Logs {
    pub(super) fn within(folder: &Path) -> Self {
        Self {
            stdout: folder.join("stdout.log"),
            stderr: folder.join("stderr.log"),
            combined: folder.join("combined.log"),
        }
    }
}

impl State {
    /// Reads what lies in `folder`. What can't be read is not there.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(folder.join(FILE)).ok()?).ok()
    }

    /// Writes it so that nobody ever reads a half.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let new = folder.join("state.json.new");
        let _ = std::fs::remove_file(&new);
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        std::fs::rename(&new, folder.join(FILE))
    }

    /// Whether it runs: its keeper lives and has not said that it is over.
    pub(super) fn lives(&self) -> bool {
        self.ended.is_none() && self.keeper.alive()
    }

    /// Whether anything of it may still live.
    pub(super) fn anything_lives(&self) -> bool {
        self.lives() || self.root.alive() || self.watchdog.as_ref().is_some_and(Recorded::alive)
    }

    /// Whether it has become ready.
    pub(super) fn ready(&self) -> bool {
        self.url.is_some()
    }

    /// Until when it ran, or now.
    pub(super) fn uptime(&self) -> i64 {
        let end = self.ended.as_ref().map_or_else(now, |ended| ended.at_ms);
        ((end - self.started_ms) / 1000).max(0)
    }

    /// The answer to `--start` and `--restart`.
    pub(super) fn running(&self, status: &str, message: &str) -> Value {
        json!({
            "status": status,
            "url": self.url,
            "port": self.port,
            "pid": self.pid,
            "startedAt": rfc3339(self.started_ms),
            "logs": self.logs,
            "message": message,
        })
    }
}

/// Now, in milliseconds.
pub(super) fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

/// `2026-01-12T12:34:56.789Z`
pub(super) fn rfc3339(unix_ms: i64) -> String {
    format!("{:.3}", Timestamp::from_millisecond(unix_ms).unwrap_or_default())
}
