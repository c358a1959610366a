//! `e2e-mcp-server init`: writes the server into the configuration of the clients that a project uses.

mod client;
mod edit;
pub(super) mod own;
mod plan;

use std::ffi::OsString;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use client::{CLIENTS, Client, Homes};
use plan::{Plan, Server, Step};

use super::{Told, USAGE, parse, print};
use crate::config::{self, Environment};

/// The subcommand's name.
pub(super) const SUBCOMMAND: &str = "init";

const PURPOSE: &str = "\
Writes this server into the configuration of MCP clients. What is in their files
stays as it is, comments included; what changes is shown. A second run changes
nothing.";

const NOTES: &str = "\
Without a name, every client is set up that the project shows a sign of. Asks
before it writes when started at a terminal, and writes without a word elsewhere.

Examples:
  e2e-mcp-server init
  e2e-mcp-server init claude-code cursor -- --headless --dev \"npm run dev\"
  e2e-mcp-server init codex --dry-run";

/// Runs it with the words after `init`.
pub(super) fn run(args: Vec<OsString>) -> ExitCode {
    let matches = match parse(command(), args) {
        Ok(matches) => matches,
        Err(Told::Help(text)) => return print(&text, 0),
        Err(Told::Wrong(wrong)) => return fail(&wrong, USAGE),
    };
    match set_up(matches) {
        Ok(code) => code,
        Err(refused) => fail(&refused.to_string(), refused.code()),
    }
}

/// Why nothing was looked at.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("the project's folder can't be used: {0}")]
    Folder(std::io::Error),
    #[error("this program can't be found: {0}")]
    Program(std::io::Error),
    #[error("the server does not take these arguments: {0}")]
    Arguments(#[from] config::ConfigError),
    #[error("{} shows no sign of a client; name one: {}", .0.display(), names())]
    NoClient(PathBuf),
}

impl Refused {
    const fn code(&self) -> u8 {
        match self {
            Self::Arguments(_) => USAGE,
            _ => 1,
        }
    }
}

fn names() -> String {
    CLIENTS.iter().map(|client| client.name).collect::<Vec<_>>().join(", ")
}

fn set_up(mut matches: ArgMatches) -> Result<ExitCode, Refused> {
    let project = matches.remove_one::<PathBuf>("project").unwrap_or_else(|| PathBuf::from("."));
    let project = project.canonicalize().map_err(Refused::Folder)?;
    let args: Vec<String> = matches.remove_many("args").unwrap_or_default().collect();
    let runners: Vec<&str> = timebox::runners::RUNNERS.iter().map(|runner| runner.name).collect();
    config::resolve(args.iter().map(OsString::from), &Environment::default(), &project, &runners)?;
    let (command, mut all) = own::command().map_err(Refused::Program)?;
    all.extend(args);
    let server = Server {
        name: matches.remove_one("name").unwrap_or_else(|| "e2e".to_owned()),
        command,
        args: all,
        replace: matches.get_flag("replace"),
    };
    let homes = Homes {
        home: std::env::home_dir(),
        variable: |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from),
    };
    let clients = clients(&mut matches, &project)?;
    let plans: Vec<Plan> =
        clients.into_iter().map(|client| Plan::of(client, &server, &project, &homes)).collect();
    let asking = !matches.get_flag("yes");
    Ok(done(&plans, matches.get_flag("dry-run"), asking))
}

fn clients(matches: &mut ArgMatches, project: &Path) -> Result<Vec<&'static Client>, Refused> {
    let named: Vec<String> = matches.remove_many("client").unwrap_or_default().collect();
    let chosen = |client: &&Client| match named.is_empty() {
        true => client.is_used_in(project),
        false => named.iter().any(|name| name == client.name),
    };
    let clients: Vec<&Client> = CLIENTS.iter().filter(chosen).collect();
    if clients.is_empty() { Err(Refused::NoClient(project.to_owned())) } else { Ok(clients) }
}

/// Shows every plan, asks if there is somebody to ask, and carries them out.
fn done(plans: &[Plan], dry: bool, asking: bool) -> ExitCode {
    let shown: Vec<String> = plans.iter().map(Plan::shown).collect();
    print(&shown.join("\n"), 0);
    let mut code = u8::from(plans.iter().any(|plan| matches!(plan.step, Step::Refused { .. })));
    let writes = plans.iter().filter(|plan| matches!(plan.step, Step::Write { .. }));
    if writes.clone().next().is_none() {
        return ExitCode::from(code);
    }
    if dry {
        return print("\nNothing was written (--dry-run).\n", code);
    }
    if asking && !agreed() {
        return print("Nothing was written.\n", 1);
    }
    for plan in writes {
        match plan.write() {
            Ok(()) => drop(print(&format!("\nWritten: {}\n", plan.file.display()), 0)),
            Err(error) => {
                code = 1;
                fail(&format!("{} can't be written: {error}", plan.file.display()), 1);
            }
        }
    }
    ExitCode::from(code)
}

/// Asks at a terminal; elsewhere nobody could answer, and whoever started this wants it.
fn agreed() -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return true;
    }
    print("\nWrite this? [Y/n] ", 0);
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok_and(|bytes| bytes > 0) && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}

fn fail(text: &str, code: u8) -> ExitCode {
    // Standard error may be closed; the exit code says the same.
    let _ = writeln!(std::io::stderr(), "e2e-mcp-server: {text}");
    ExitCode::from(code)
}

fn command() -> Command {
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    Command::new(SUBCOMMAND)
        .about(PURPOSE)
        .override_usage("e2e-mcp-server init [FLAGS] [CLIENT...] [-- ARGS...]")
        .after_help(NOTES)
        .next_line_help(true)
        .arg(
            Arg::new("client")
                .value_name("CLIENT")
                .num_args(0..)
                .value_parser(CLIENTS.iter().map(|client| client.name).collect::<Vec<_>>())
                .help("The clients to set up [default: those that the project uses]"),
        )
        .arg(
            Arg::new("project")
                .long("project")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("The project's folder [default: the current one]"),
        )
        .arg(Arg::new("name").long("name").value_name("NAME").help("The server's name there [default: e2e]"))
        .arg(switch("replace", "Put it in the place of another server of that name"))
        .arg(switch("yes", "Write without asking"))
        .arg(switch("dry-run", "Show what would change, and write nothing"))
        .arg(
            Arg::new("args")
                .value_name("ARGS")
                .last(true)
                .num_args(0..)
                .help("What the server is started with, as on its own command line"),
        )
}
