//! The package of Python's index that the tests need, in a folder of its own below cargo's target folder.

use std::process::{Command, Stdio};

use testkit::clients::{self, PYTHON_PACKAGE};

use crate::repo;

/// Installs it unless this very version is there, and says in a word what was done.
pub(crate) fn prepare() -> anyhow::Result<Option<&'static str>> {
    let folder = clients::python_folder(&repo::target_dir()?);
    if clients::is_python_installed(&folder) {
        return Ok(None);
    }
    println!("installing from Python's index into {}: {PYTHON_PACKAGE}, run by tests", folder.display());
    repo::show(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYTHON_PACKAGE];
    repo::show(Command::new(folder.join("bin/python")).args(install).stdin(Stdio::null()))?;
    // Only a complete folder is taken for one.
    std::fs::write(folder.join("installed"), PYTHON_PACKAGE)?;
    Ok(Some("the Python client of MCP"))
}
