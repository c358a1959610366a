//! `cargo xtask bench WHAT`: measurements against goals, as ratios in one run, so that they hold on any machine.

mod app;
mod browser;
mod engines;
mod http;
#[cfg(unix)]
mod load;
mod report;
mod timebox;

use std::path::Path;

use anyhow::{Context, bail};

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    match arguments {
        [what, rest @ ..] if what == "app" => app::run(rest),
        [what, rest @ ..] if what == "http" => http::run(rest),
        #[cfg(unix)]
        [what, rest @ ..] if what == "load" => load::run(rest),
        [what] if what == "timebox" => timebox::run(),
        [what, rest @ ..] if what == "browser" => browser::run(rest),
        [what, rest @ ..] if what == "engines" => engines::run(rest),
        _ => bail!("cargo xtask bench app|browser|engines|http|load|timebox"),
    }
}

/// A line of `/proc/PID/status` in MiB.
fn memory_of(pid: u32, field: &str) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status"))?;
    let line = status.lines().find(|line| line.starts_with(field)).with_context(|| format!("no {field}"))?;
    let kibibytes: f64 = line.split_whitespace().nth(1).context("no number")?.parse()?;
    Ok(kibibytes / 1024.0)
}
