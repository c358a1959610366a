//! Packages of npm that the tests need, in a folder of their own below cargo's target folder.

use std::process::{Command, Stdio};

use anyhow::Context;
use testkit::npm;

use crate::repo;

/// No package's own scripts run here, and nothing is written outside the folder but npm's cache.
const INSTALL: &[&str] = &["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];

/// Installs them unless these very versions are there, and says in a word what was done.
pub(crate) fn prepare() -> anyhow::Result<Option<&'static str>> {
    let folder = npm::folder(&repo::target_dir()?);
    if npm::is_installed(&folder) {
        return Ok(None);
    }
    let packages: Vec<String> =
        npm::PACKAGES.iter().map(|(name, version)| format!("{name} {version}")).collect();
    println!("installing from npm into {}: {}, run by tests", folder.display(), packages.join(", "));
    // Only a complete folder gets the name under which the tests look for it.
    let unfinished = folder.with_extension("unfinished");
    for old in [&folder, &unfinished] {
        if old.exists() {
            std::fs::remove_dir_all(old).with_context(|| format!("can't remove {}", old.display()))?;
        }
    }
    std::fs::create_dir_all(&unfinished)?;
    std::fs::write(unfinished.join("package.json"), npm::manifest())?;
    repo::show(Command::new("npm").args(INSTALL).current_dir(&unfinished).stdin(Stdio::null()))?;
    std::fs::rename(&unfinished, &folder)?;
    Ok(Some("packages of npm"))
}
