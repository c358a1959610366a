//! Where the workspace's own binaries are, for tests that run them.
//!
//! `cargo xtask test` builds them once and says where they are; a test that is run by hand builds what it needs.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, ensure};

/// Names the folder that holds the built binaries; set by `cargo xtask test`.
pub const BIN_DIR: &str = "TESTKIT_BIN_DIR";

/// The binaries of the workspace.
#[derive(Debug, Default)]
pub struct Bins {
    built: Mutex<HashMap<&'static str, PathBuf>>,
}

/// The binaries, built at most once in this process.
pub fn bins() -> &'static Bins {
    static BINS: OnceLock<Bins> = OnceLock::new();
    BINS.get_or_init(Bins::default)
}

impl Bins {
    /// The program of the misbehaving children.
    ///
    /// # Panics
    /// When it can't be built: no test can go on then.
    pub fn child(&self) -> PathBuf {
        self.path("testkit", "testkit-child")
    }

    /// The watchdog for trees that a library's test starts.
    ///
    /// # Panics
    /// When it can't be built.
    pub fn watchdog(&self) -> PathBuf {
        self.path("testkit", "testkit-watchdog")
    }

    /// A process that owns a tree, to be killed.
    ///
    /// # Panics
    /// When it can't be built.
    pub fn owner(&self) -> PathBuf {
        self.path("testkit", "testkit-owner")
    }

    /// The product, for tests outside its own crate (inside, cargo sets `CARGO_BIN_EXE_e2e-mcp-server`).
    ///
    /// # Panics
    /// When it can't be built.
    pub fn server(&self) -> PathBuf {
        self.path("e2e-mcp-server", "e2e-mcp-server")
    }

    /// The binary `name` of the package `package`.
    ///
    /// # Panics
    /// When it can't be built.
    pub fn path(&self, package: &'static str, name: &'static str) -> PathBuf {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        built
            .entry(name)
            .or_insert_with(|| match find(package, name) {
                Ok(path) => path,
                Err(error) => panic!("no binary {name}: {error:#}"),
            })
            .clone()
    }
}

/// Looks in the announced folder, or builds.
fn find(package: &str, name: &str) -> anyhow::Result<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    if let Some(dir) = std::env::var_os(BIN_DIR) {
        let path = PathBuf::from(dir).join(file);
        ensure!(path.is_file(), "{BIN_DIR} is set, but {} does not exist", path.display());
        return Ok(path);
    }
    let profile_dir = profile_dir(&std::env::current_exe()?)?;
    build(package, &profile_dir)?;
    Ok(profile_dir.join(file))
}

/// Cargo's target folder, in which this test was built.
pub(crate) fn target_dir() -> anyhow::Result<PathBuf> {
    let profile_dir = match std::env::var_os(BIN_DIR) {
        Some(dir) => PathBuf::from(dir),
        None => profile_dir(&std::env::current_exe()?)?,
    };
    Ok(profile_dir.parent().context("no target folder")?.to_owned())
}

/// The folder of the profile that this test was built in: `target/debug` for `target/debug/deps/test-1234`.
fn profile_dir(test: &Path) -> anyhow::Result<PathBuf> {
    let dir = test.parent().context("the test lies in no folder")?;
    let dir = if dir.ends_with("deps") { dir.parent().context("no profile folder")? } else { dir };
    Ok(dir.to_owned())
}

/// Builds a package's binaries into the same target folder and profile as the running test.
fn build(package: &str, profile_dir: &Path) -> anyhow::Result<()> {
    let target_dir = profile_dir.parent().context("no target folder")?;
    let profile = match profile_dir.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(named) => named,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(cargo)
        .args(["build", "--quiet", "--bins", "--package", package, "--profile", profile, "--target-dir"])
        .arg(target_dir)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .context("can't run cargo")?;
    ensure!(output.status.success(), "cargo build failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
