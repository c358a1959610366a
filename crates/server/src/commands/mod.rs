//! What the binary does besides serving: `dev-server`, `check-command`, `init` and `doctor`, each with flags of its own.

mod check_command;
mod dev_server;
mod doctor;
mod init;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command};

/// This program, as users call it.
const PROGRAM: &str = "e2e-mcp-server";
/// Exit code of a command line that can't be followed, as the server's own.
const USAGE: u8 = 2;
/// Wider help is harder to read.
const COLUMNS: usize = 80;
const TEMPLATE: &str = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n";

/// Runs the subcommand that the command line begins with, if it does.
pub(crate) fn run_if_named() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let name = args.next()?;
    let rest: Vec<OsString> = args.collect();
    match name.to_str()? {
        devserver::adapter::SUBCOMMAND => Some(dev_server::run(rest)),
        check_command::SUBCOMMAND => Some(check_command::run(rest)),
        doctor::SUBCOMMAND => Some(doctor::run(rest)),
        init::SUBCOMMAND => Some(init::run(rest)),
        _ => None,
    }
}

/// A command line that does not lead to a run.
enum Told {
    /// Help was asked for.
    Help(String),
    /// Something is wrong with it.
    Wrong(String),
}

fn parse(command: Command, args: Vec<OsString>) -> Result<ArgMatches, Told> {
    let command = command.no_binary_name(true).term_width(COLUMNS).help_template(TEMPLATE);
    command.try_get_matches_from(args).map_err(|error| {
        let rendered = error.render().to_string();
        if error.kind() == ErrorKind::DisplayHelp {
            return Told::Help(rendered);
        }
        let first = rendered.split("\n\n").next().unwrap_or_default();
        let words: Vec<&str> = first.trim_start_matches("error: ").split_whitespace().collect();
        Told::Wrong(format!("{} (--help tells more)", words.join(" ")))
    })
}

/// Answers go to standard output. A reader that is gone wants no more.
fn print(text: &str, code: u8) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = stdout.flush();
    ExitCode::from(code)
}
