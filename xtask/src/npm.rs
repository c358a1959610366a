//! Packages of npm that the tests and benches need, in folders of their own below cargo's target folder.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use testkit::{clients, npm};

use crate::repo;

/// No package's own scripts run here, and nothing is written outside the folder but npm's cache.
const INSTALL: &[&str] = &["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];

/// Installs what the tests need, and says in a word what was done.
pub(crate) fn prepare() -> anyhow::Result<Option<&'static str>> {
    let target = repo::target_dir()?;
    let runners = install(&npm::folder(&target), npm::PACKAGES, "run by tests")?;
    let clients = install(&clients::folder(&target), clients::PACKAGES, "talked to by tests")?;
    Ok((runners || clients).then_some("packages of npm"))
}

/// Installs packages into a folder unless these very versions are there.
pub(crate) fn install(folder: &Path, packages: &[(&str, &str)], why: &str) -> anyhow::Result<bool> {
    if npm::is_installed(folder, packages) {
        return Ok(false);
    }
    let named: Vec<String> = packages.iter().map(|(name, version)| format!("{name} {version}")).collect();
    println!("installing from npm into {}: {}, {why}", folder.display(), named.join(", "));
    // Only a complete folder gets the name under which it is looked for.
    let unfinished = folder.with_extension("unfinished");
    for old in [folder, &unfinished] {
        if old.exists() {
            std::fs::remove_dir_all(old).with_context(|| format!("can't remove {}", old.display()))?;
        }
    }
    std::fs::create_dir_all(&unfinished)?;
    std::fs::write(unfinished.join("package.json"), npm::manifest(packages))?;
    repo::show(Command::new("npm").args(INSTALL).current_dir(&unfinished).stdin(Stdio::null()))?;
    std::fs::rename(&unfinished, folder)?;
    Ok(true)
}
