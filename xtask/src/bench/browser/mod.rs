//! `cargo xtask bench browser`: the browser tools beside those of our peers, on the same Chromium and the same pages.
//!
//! Everything is a ratio within one run. Every step is done by one contender after the other before the next step
//! begins, so that a busy machine slows all of them; who is first changes with every round.

mod book;
mod cli;
mod contender;
mod field;
mod guard;
mod mcp;
mod memory;
mod pages;
mod peers;
mod rounds;
mod rows;
mod table;

use std::path::PathBuf;

use anyhow::{bail, ensure};

use self::book::Book;
use self::contender::Contender;
use self::field::Field;
use self::guard::Guard;
use self::pages::Pages;
use crate::repo;

/// Measures, prints a table for each peer, and fails when a goal is missed.
pub(super) fn run(arguments: &[String]) -> anyhow::Result<()> {
    ensure!(cfg!(target_os = "linux"), "this bench reads /proc, which only Linux has");
    let server = match arguments {
        [] => build()?,
        [flag, path] if flag == "--server" => std::path::absolute(path)?,
        [flag, mark, folder] if flag == guard::FLAG => return guard::run(mark, folder.as_ref()),
        _ => bail!("cargo xtask bench browser [--server PATH]"),
    };
    let field = Field::new()?;
    let _guard = Guard::start(&field)?;
    let peers = peers::install()?;
    let contenders: Vec<Box<dyn Contender>> = vec![
        Box::new(mcp::ours(&server, &field)),
        Box::new(mcp::playwright(&peers, &field)),
        Box::new(cli::AgentBrowser::new(&peers, &field)),
    ];
    let pages = Pages::start()?;
    let mut book = Book::new(contenders.len());
    println!("measuring; this takes one to two minutes …");
    rounds::starts(&contenders, &pages, &mut book);
    rounds::steps(&contenders, &pages, &mut book);
    table::print(&contenders, &book)
}

fn build() -> anyhow::Result<PathBuf> {
    println!("building what is shipped …");
    repo::show(repo::cargo().args(["build", "--profile", "dist", "--package", "e2e-mcp-server"]))?;
    Ok(repo::target_dir()?.join("dist/e2e-mcp-server"))
}
