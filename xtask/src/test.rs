//! `cargo xtask test`: everything that must hold before a change is taken, from a fresh clone on a fresh machine.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use anyhow::{Context, ensure};

use crate::steps::Steps;
use crate::{check_targets, machine, markdown, repo, requirements};

pub(crate) fn run(_arguments: &[String]) -> anyhow::Result<()> {
    let mut steps = Steps::begin();
    let mut tests = String::from("No tests ran.");
    steps.foundation("Machine", machine::prepare);
    steps.step("Format", || cargo(&["fmt", "--all", "--check"]));
    steps.step("Lints", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])
    });
    steps.foundation("Build", || cargo(&["build", "--workspace", "--bins"]));
    steps.step("Tests", || {
        let passed = nextest(&mut tests)?;
        ensure!(passed, "{tests}");
        Ok(tests.clone())
    });
    steps.step("Rust documentation", || {
        let mut doc = repo::cargo();
        doc.args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "--deny warnings");
        repo::show(&mut doc).map(|()| String::new())
    });
    steps.step("Documents", markdown::check);
    steps.step("Requirements", || requirements::check(true));
    steps.step("Other systems", || check_targets::run(&[]).map(|()| String::new()));
    steps.finish(&tests)
}

fn cargo(arguments: &[&str]) -> anyhow::Result<String> {
    repo::show(repo::cargo().args(arguments))?;
    Ok(String::new())
}

/// Runs the tests, shows what they say as they say it, and keeps nextest's summary; answers whether all passed.
fn nextest(summary: &mut String) -> anyhow::Result<bool> {
    let bins = repo::target_dir()?.join("debug");
    let mut run = repo::cargo();
    run.args(["nextest", "run", "--workspace"]).env(testkit::BIN_DIR, bins).stderr(Stdio::piped());
    let mut child = run.spawn().context("can't run cargo nextest")?;
    let stderr = child.stderr.take().context("no stderr")?;
    for line in BufReader::new(stderr).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        if let Some((_, counts)) = line.split_once("Summary [").and_then(|(_, rest)| rest.split_once(']')) {
            counts.trim().clone_into(summary);
        }
    }
    Ok(child.wait()?.success())
}
