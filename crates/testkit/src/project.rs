//! Sample projects: a temporary folder with files, and a private folder of programs to put on PATH.
//!
//! A fake runner is a script that writes down how it was called and then becomes a misbehaving child, so a test can
//! run `flutter test` without Flutter and choose how the suite behaves.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use crate::bins::{bins, target_dir};
use crate::npm;
use crate::process::PidFile;

/// A project in a temporary folder; dropping it removes the folder and kills the children of its fake runners.
#[derive(Debug)]
pub struct SampleProject {
    dir: tempfile::TempDir,
    pids: PidFile,
}

impl SampleProject {
    /// An empty project.
    ///
    /// # Errors
    /// When there is no room for a temporary folder.
    pub fn new() -> anyhow::Result<Self> {
        let dir = tempfile::tempdir().context("no temporary folder")?;
        for folder in ["project", "bin"] {
            std::fs::create_dir(dir.path().join(folder))?;
        }
        Ok(Self { dir, pids: PidFile::new()? })
    }

    /// Adds a file.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn file(self, path: &str, text: &str) -> anyhow::Result<Self> {
        let path = self.root().join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))?;
        Ok(self)
    }

    /// Adds the packages of [`npm::PACKAGES`].
    ///
    /// # Errors
    /// When `cargo xtask test` has not installed them; the message says so.
    pub fn npm(self) -> anyhow::Result<Self> {
        npm::link(&target_dir()?, &self.root())?;
        Ok(self)
    }

    /// Adds a program `name` that records each call and then behaves as `testkit-child BEHAVIOUR`.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn fake_runner(self, name: &str, behaviour: &[&str]) -> anyhow::Result<Self> {
        let child = quote(&bins().child().to_string_lossy());
        let calls = quote(&self.calls_file(name).to_string_lossy());
        let pids = quote(&self.pids.path().to_string_lossy());
        let behaviour: Vec<String> = behaviour.iter().map(|word| quote(word)).collect();
        let script = format!(
            "{child} env \"$@\" </dev/null >>{calls}\nexec {child} --pid-file {pids} {}\n",
            behaviour.join(" ")
        );
        self.program(name, &script)
    }

    /// Adds a program `name`: a shell script with these lines.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn program(self, name: &str, script: &str) -> anyhow::Result<Self> {
        let path = self.bin().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}"))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(self)
    }

    /// How the fake runner was called: one object a call with `argv`, `env` and `cwd`.
    pub fn calls(&self, name: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.calls_file(name)).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// The project's folder.
    pub fn root(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    /// The folder of the project's private programs.
    pub fn bin(&self) -> PathBuf {
        self.dir.path().join("bin")
    }

    /// A PATH that finds the private programs first and everything else after them.
    pub fn path_env(&self) -> String {
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.bin()).chain(std::env::split_paths(&rest));
        // Folders that came out of PATH, and a temporary one, can be joined to a PATH again.
        std::env::join_paths(folders).map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The pids of everything that the fake runners became and started.
    pub fn pids(&self) -> &PidFile {
        &self.pids
    }

    fn calls_file(&self, name: &str) -> PathBuf {
        Path::new(self.dir.path()).join(format!("{name}.calls"))
    }
}

/// A word in single quotes for the shell.
fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
