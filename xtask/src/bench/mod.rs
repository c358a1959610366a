//! `cargo xtask bench WHAT`: measurements against goals, as ratios in one run, so that they hold on any machine.

mod app;
mod browser;
mod engines;
mod http;
mod load;
mod report;
mod timebox;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::repo;

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    match arguments {
        [what, rest @ ..] if what == "app" => app::run(rest),
        [what, rest @ ..] if what == "http" => http::run(rest),
        [what, rest @ ..] if what == "load" => load::run(rest),
        [what] if what == "timebox" => timebox::run(),
        [what, rest @ ..] if what == "browser" => browser::run(rest),
        [what, rest @ ..] if what == "engines" => engines::run(rest),
        _ => bail!("cargo xtask bench app|browser|engines|http|load|timebox"),
    }
}

/// The server as it is shipped, built.
fn shipped() -> anyhow::Result<PathBuf> {
    println!("building what is shipped …");
    repo::show(repo::cargo().args(["build", "--profile", "dist", "--package", "e2e-mcp-server", "--bins"]))?;
    Ok(repo::target_dir()?.join("dist/e2e-mcp-server"))
}

/// A line of `/proc/PID/status` in MiB.
fn memory_of(pid: u32, field: &str) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status"))?;
    let line = status.lines().find(|line| line.starts_with(field)).with_context(|| format!("no {field}"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1).context("no number")?.parse()?;
    Ok(kibibytes / 1024.0)
}
