//! `cargo xtask docs`: writes the generated documents anew.
//!
//! A generated document is compared by a test with `docs` in its name; with `UPDATE_DOCS=1` that test writes instead.

use crate::repo;

pub(crate) fn run(_arguments: &[String]) -> anyhow::Result<()> {
    let mut update = repo::cargo();
    update.args(["nextest", "run", "--workspace", "-E", "test(docs)"]).env("UPDATE_DOCS", "1");
    repo::show(&mut update)?;
    println!("what changed:");
    repo::show(
        std::process::Command::new("git").args(["status", "--short", "docs"]).current_dir(repo::root()),
    )
}
