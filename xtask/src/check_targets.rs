//! `cargo xtask check-targets`: the workspace compiles for the systems that we can't run here.
//!
//! Only `cargo check`: there is no linker and no C compiler for them, so every dependency must be pure Rust. The one
//! that is not (ring) belongs to the server's default feature `oauth`, which is left out here.

use std::process::Command;

use anyhow::{Context, ensure};

use crate::repo;

const TARGETS: &[&str] = &["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

pub(crate) fn run(_arguments: &[String]) -> anyhow::Result<()> {
    let mut failed = Vec::new();
    for target in TARGETS {
        match check(target) {
            Ok(()) => println!("✓ {target}"),
            Err(error) => {
                println!("✗ {target}: {error:#}");
                failed.push(*target);
            }
        }
    }
    ensure!(failed.is_empty(), "does not compile for {}", failed.join(", "));
    Ok(())
}

fn check(target: &str) -> anyhow::Result<()> {
    let installed = Command::new("rustup")
        .args(["target", "list", "--installed"])
        .output()
        .context("rustup is needed to add the standard library of other systems")?;
    let installed = String::from_utf8_lossy(&installed.stdout);
    if !installed.lines().any(|line| line == target) {
        println!("installing the Rust standard library for {target}");
        repo::show(Command::new("rustup").args(["target", "add", target]))?;
    }
    repo::show(repo::cargo().args([
        "check",
        "--quiet",
        "--workspace",
        "--no-default-features",
        "--target",
        target,
    ]))
}
