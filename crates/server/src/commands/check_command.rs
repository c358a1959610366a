//! `e2e-mcp-server check-command`: a user's server command against the contract.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, Command, value_parser};
use devserver::ServerCommand;
use devserver::check::{self, Report};
use supervise::Supervisor;

use super::{Told, USAGE, parse, print};

/// The subcommand's name.
pub(super) const SUBCOMMAND: &str = "check-command";

const PURPOSE: &str = "\
Runs a server command through the eleven criteria of its contract, and says of
each whether it holds, what was seen, and how to mend it. Stops the dev server
first and leaves nothing running.";

/// Runs it with the words after `check-command`.
pub(super) fn run(args: Vec<OsString>) -> ExitCode {
    let mut matches = match parse(command(), args) {
        Ok(matches) => matches,
        Err(Told::Help(text)) => return print(&text, 0),
        Err(Told::Wrong(wrong)) => return fail(&wrong, USAGE),
    };
    let json = matches.get_flag("json");
    let path: PathBuf = matches.remove_one("path").unwrap_or_default();
    let args: Vec<OsString> = matches.remove_many("args").unwrap_or_default().collect();
    match checked(path, args) {
        Ok(report) if json => print(&format!("{}\n", report.json()), u8::from(!report.holds())),
        Ok(report) => print(&report.text(), u8::from(!report.holds())),
        Err(error) => fail(&format!("{error:#}"), 1),
    }
}

fn checked(path: PathBuf, args: Vec<OsString>) -> anyhow::Result<Report> {
    let folder = std::env::current_dir()?;
    let path = std::path::absolute(path)?;
    let command = ServerCommand::check(path, args, folder)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let report = runtime.block_on(check::run(&command, &Supervisor::of_this_program()?));
    runtime.shutdown_background();
    Ok(report)
}

fn fail(text: &str, code: u8) -> ExitCode {
    use std::io::Write as _;
    // Standard error may be closed; the exit code says the same.
    let _ = writeln!(std::io::stderr(), "e2e-mcp-server: {text}");
    ExitCode::from(code)
}

fn command() -> Command {
    Command::new(SUBCOMMAND)
        .about(PURPOSE)
        .override_usage("e2e-mcp-server check-command [--json] PATH [-- ARGS...]")
        .next_line_help(true)
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Answer in JSON, for programs"))
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("The server command, run in the current folder without a shell"),
        )
        .arg(
            Arg::new("args")
                .value_name("ARGS")
                .last(true)
                .num_args(0..)
                .value_parser(value_parser!(OsString))
                .help("Further arguments for it, behind --start and the others"),
        )
}
