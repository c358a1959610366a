//! `cargo xtask bench WHAT`: measurements against goals, as ratios in one run, so that they hold on any machine.

mod app;
mod browser;
mod engines;
mod http;
mod report;
mod timebox;

use anyhow::bail;

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    match arguments {
        [what, rest @ ..] if what == "app" => app::run(rest),
        [what, rest @ ..] if what == "http" => http::run(rest),
        [what] if what == "timebox" => timebox::run(),
        [what, rest @ ..] if what == "browser" => browser::run(rest),
        [what, rest @ ..] if what == "engines" => engines::run(rest),
        _ => bail!("cargo xtask bench app|browser|engines|http|timebox"),
    }
}
