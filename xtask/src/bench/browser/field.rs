//! Where the contenders run: one browser for all, a home for each, and a mark by which what is left of them is found.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use tempfile::TempDir;
use testkit::process;

use crate::machine;

/// The browser itself: the program on the PATH is a script.
const CHROMIUM: &str = "/usr/lib/chromium/chromium-headless-shell";

/// The variable that marks every process of a run.
const MARK: &str = "XTASK_BENCH_RUN";

/// How long the marked processes may take to be gone once they were killed.
const GONE: Duration = Duration::from_secs(10);

/// The field of one run. Dropping it ends what was started on it and removes what was written.
#[derive(Debug)]
pub(super) struct Field {
    /// Below the system's own folder for such things: a path below target/ may be too long for a socket.
    folder: TempDir,
    mark: String,
}

impl Field {
    pub(super) fn new() -> anyhow::Result<Self> {
        ensure!(Path::new(CHROMIUM).is_file(), "{CHROMIUM} is missing; `cargo xtask test` installs it");
        let folder = tempfile::Builder::new().prefix("xtask-bench-").tempdir()?;
        let mark = format!("{}-{}", std::process::id(), folder.path().display());
        Ok(Self { folder, mark })
    }

    /// The browser that everyone drives.
    pub(super) fn chromium() -> &'static str {
        CHROMIUM
    }

    /// What a browser that is run by root must be told.
    pub(super) fn sandbox_flag() -> Option<&'static str> {
        machine::is_root().then_some("--no-sandbox")
    }

    /// The place of a contender.
    pub(super) fn place(&self, name: &str) -> Place {
        Place { folder: self.folder.path().join(name), mark: self.mark.clone() }
    }

    /// What every process of the run has in its environment, and no other process.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Where everything is written.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Field {
    fn drop(&mut self) {
        end_marked(&self.mark);
    }
}

/// Kills whatever still carries the mark until nothing does: a process may have started another one meanwhile.
pub(super) fn end_marked(mark: &str) {
    let assignment = format!("{MARK}={mark}");
    let gone = process::wait_until(GONE, || {
        let left = process::with_variable(&assignment);
        left.iter().for_each(|pid| process::kill(*pid));
        left.is_empty().then_some(())
    });
    if gone.is_none() {
        println!("still alive: {:?}", process::with_variable(&assignment));
    }
}

/// A contender's home, working folder and temporary folder in one.
#[derive(Debug, Clone)]
pub(super) struct Place {
    folder: PathBuf,
    mark: String,
}

impl Place {
    /// The folder, which is there afterwards.
    pub(super) fn folder(&self) -> anyhow::Result<&Path> {
        std::fs::create_dir_all(self.folder.join("home"))
            .with_context(|| format!("can't make {}", self.folder.display()))?;
        Ok(&self.folder)
    }

    /// What a contender finds in its environment.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        let folder = self.folder.display().to_string();
        // The working folder is a project, and nobody's home is one.
        vec![("HOME", format!("{folder}/home")), ("TMPDIR", folder), (MARK, self.mark.clone())]
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn what_a_contender_leaves_behind_ends_with_the_field() {
        let field = Field::new().unwrap();
        let place = field.place("one");
        let mut left = Command::new("sleep")
            .arg("600")
            .envs(place.variables())
            .current_dir(place.folder().unwrap())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        drop(field);
        assert!(!process::alive(left.id()));
        assert!(!place.folder.exists());
        left.wait().unwrap();
    }
}
