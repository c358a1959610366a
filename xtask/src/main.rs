//! Everything a contributor runs: `cargo xtask COMMAND`.
//!
//! A command is one file and one line of [`COMMANDS`]. This crate may print and may fail with plain words: nobody
//! matches on its errors, people read them.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for people at a terminal")]

mod bench;
mod check_targets;
mod conformance;
mod demo;
mod docs;
mod machine;
mod markdown;
mod npm;
mod package;
mod python;
mod repo;
mod requirements;
mod steps;
mod test;

use std::process::ExitCode;

/// Something that `cargo xtask` can do.
struct Command {
    name: &'static str,
    help: &'static str,
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// Every command, in the order in which a newcomer meets them.
const COMMANDS: &[Command] = &[
    Command {
        name: "demo",
        help: "show what an agent gets, on a small project [--dev] [--browsers all]",
        run: demo::run,
    },
    Command { name: "test", help: "install what is missing, then check and test everything", run: test::run },
    Command {
        name: "requirements",
        help: "check docs/requirements.md against the tests that exist [--strict]",
        run: requirements::run,
    },
    Command { name: "check-targets", help: "cargo check for Windows and macOS", run: check_targets::run },
    Command {
        name: "conformance",
        help: "run MCP's own conformance suite against the server",
        run: conformance::run,
    },
    Command {
        name: "bench",
        help: "measure against the goals: bench app|browser|engines|http|load|timebox",
        run: bench::run,
    },
    Command {
        name: "npm",
        help: "pack the npm packages [--out DIR] [--binary PLATFORM=PATH]...",
        run: package::run,
    },
    Command { name: "docs", help: "regenerate the documents that tests compare", run: docs::run },
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "help".to_owned());
    let arguments: Vec<String> = words.collect();
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print_help();
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("error: there is no command `{name}`\n");
        print_help();
        return ExitCode::FAILURE;
    };
    match (command.run)(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn print_help() {
    println!("cargo xtask COMMAND\n");
    for command in COMMANDS {
        println!("  {:<14} {}", command.name, command.help);
    }
}
