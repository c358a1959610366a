//! A dev server behind a server command that keeps seed A's contract, and how to make it misbehave.
//!
//! The command is a real program in a folder of its own (`server-command.py` beside this file). What it was asked and
//! what it started is written down there, so that a test can check both.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::process;

const SCRIPT: &str = include_str!("server-command.py");

/// The command and what it did.
#[derive(Debug)]
pub struct ContractApp {
    dir: TempDir,
}

impl ContractApp {
    /// One that nobody has started yet.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn new() -> anyhow::Result<Self> {
        let app = Self { dir: tempfile::tempdir().context("no temporary folder")? };
        std::fs::write(app.program(), SCRIPT)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(app.program(), std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(app)
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.dir.path()
    }

    /// The server command.
    pub fn program(&self) -> PathBuf {
        self.dir.path().join("server-command")
    }

    /// How it is to misbehave from now on: `{"start": "fail" | "hang" | "garbage", "shutdown": "ignore" | …}`.
    ///
    /// # Errors
    /// When that can't be written down.
    pub fn behave(&self, how: &Value) -> anyhow::Result<()> {
        Ok(std::fs::write(self.dir.path().join("behave.json"), how.to_string())?)
    }

    /// What it was asked so far: `start`, `status` …, with the arguments that came with it.
    pub fn calls(&self) -> Vec<String> {
        self.lines("calls")
    }

    /// Every server that it started.
    pub fn pids(&self) -> Vec<u32> {
        self.lines("pids").iter().filter_map(|line| line.parse().ok()).collect()
    }

    /// A log: `stdout`, `stderr` or `combined`.
    pub fn log(&self, name: &str) -> PathBuf {
        self.dir.path().join(format!("{name}.log"))
    }

    /// Runs it by hand, and reads its answer.
    ///
    /// # Errors
    /// When it fails, or answers in no JSON.
    pub fn run(&self, verb: &str) -> anyhow::Result<Value> {
        let output = Command::new(self.program()).arg(verb).output().context("can't run it")?;
        ensure!(output.status.success(), "{verb}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(serde_json::from_str(text.lines().last().unwrap_or_default())?)
    }

    /// Waits until every server that it started is gone.
    ///
    /// # Errors
    /// When the limit passes first; the message names the survivors.
    pub fn wait_gone(&self, limit: Duration) -> anyhow::Result<()> {
        process::wait_gone(&self.pids(), limit)
    }

    fn lines(&self, file: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.dir.path().join(file)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for ContractApp {
    fn drop(&mut self) {
        let ours = self.program().display().to_string();
        for pid in self.pids() {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            // A pid may have been given to someone else meanwhile: only our own program is killed.
            if String::from_utf8_lossy(&line).contains(&ours) {
                process::kill(pid);
            }
        }
    }
}
