//! `e2e-mcp-server dev-server`: the flags of the adapter, and its answer on standard output.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use devserver::Verb;
use devserver::adapter::{self, Answered, MOST_READY, Options, Readiness};

use super::{Told, USAGE, parse, print};

const PURPOSE: &str = "\
Runs a plain dev server as a server command: in the background, on a free port,
with logs, once per project. Answers in JSON.";

const NOTES: &str = "\
The server gets its port in PORT, and {port} in its arguments is replaced by it;
one that takes another port is found all the same. What it writes goes to three
log files, which stay until the next start. One runs per folder and command.
BROWSER=none keeps it from opening a window.

Examples:
  e2e-mcp-server dev-server --start -- npm run dev
  e2e-mcp-server dev-server --restart --ready-url /health -- npm run dev
  e2e-mcp-server dev-server --shutdown -- npm run dev
  e2e-mcp-server dev-server -- python3 -m http.server {port}";

/// Runs it with the words after `dev-server`.
pub(super) fn run(args: Vec<OsString>) -> ExitCode {
    let answered = match parse(command(), args) {
        Ok(matches) => match options(matches) {
            Ok(options) => adapter::run(&options),
            Err(wrong) => refused(&wrong.to_string()),
        },
        Err(Told::Help(text)) => return print(&text, 0),
        Err(Told::Wrong(wrong)) => refused(&wrong),
    };
    print(&format!("{}\n", answered.object), answered.code)
}

/// Also a wrong command line is answered as the contract says.
fn refused(wrong: &str) -> Answered {
    Answered { code: USAGE, ..Answered::error("invalid_input", wrong) }
}

fn command() -> Command {
    let verbs = Verb::ALL.map(|verb| {
        let help = match verb {
            Verb::Start => "Start it, unless it runs [default]",
            Verb::Status => "Say how it is",
            Verb::Restart => "Stop it and start it anew, on a new port",
            Verb::Shutdown => "Stop it and everything it has started",
        };
        let name = verb.flag().trim_start_matches('-');
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    });
    let most = u64::try_from(MOST_READY.as_millis()).unwrap_or(u64::MAX);
    Command::new("dev-server")
        .about(PURPOSE)
        .override_usage("e2e-mcp-server dev-server [FLAGS] -- COMMAND [ARGS]...")
        .after_help(NOTES)
        .next_line_help(true)
        .args(verbs)
        .group(ArgGroup::new("verb").args(Verb::ALL.map(|verb| verb.flag().trim_start_matches('-'))))
        .arg(
            Arg::new("ready-url")
                .long("ready-url")
                .value_name("URL")
                .conflicts_with("ready-log")
                .help("Ready when this answers: an http URL ({port} is the port), or a path such as /health"),
        )
        .arg(Arg::new("ready-log").long("ready-log").value_name("REGEX").help(
            "Ready when a line of its output matches; a first group may be its port or URL \
             [default: ready when it listens]",
        ))
        .arg(
            Arg::new("ready-timeout")
                .long("ready-timeout")
                .value_name("MS")
                .value_parser(value_parser!(u64).range(1..=most))
                .help(format!("How long it may take to be ready [default and most: {most}]")),
        )
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16).range(1..))
                .help("The port that it must have [default: a free one]"),
        )
        .arg(
            Arg::new("command")
                .value_name("COMMAND")
                .last(true)
                .num_args(1..)
                .required(true)
                .value_parser(value_parser!(OsString))
                .help("The dev server's command, run without a shell"),
        )
}

/// What the adapter can't do without.
#[derive(Debug, thiserror::Error)]
enum Lacking {
    #[error("the current folder can't be used: {0}")]
    Folder(std::io::Error),
    #[error("this program can't be found: {0}")]
    Program(std::io::Error),
}

fn options(mut matches: ArgMatches) -> Result<Options, Lacking> {
    let asked = |verb: &Verb| matches.get_flag(verb.flag().trim_start_matches('-'));
    let verb = Verb::ALL.into_iter().find(asked).unwrap_or(Verb::Start);
    let ready = match (matches.remove_one("ready-url"), matches.remove_one("ready-log")) {
        (Some(url), _) => Readiness::Url(url),
        (None, Some(pattern)) => Readiness::Log(pattern),
        (None, None) => Readiness::Port,
    };
    let folder = std::env::current_dir().map_err(Lacking::Folder)?;
    Ok(Options {
        verb,
        ready,
        ready_timeout: matches.remove_one("ready-timeout").map_or(MOST_READY, Duration::from_millis),
        port: matches.remove_one("port"),
        folder,
        command: matches.remove_many("command").unwrap_or_default().collect(),
        state_root: state_root(),
        program: std::env::current_exe().map_err(Lacking::Program)?,
    })
}

#[cfg(unix)]
fn state_root() -> PathBuf {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR");
    adapter::state_root(runtime.as_deref(), &std::env::temp_dir())
}

#[cfg(not(unix))]
fn state_root() -> PathBuf {
    std::env::temp_dir()
}
