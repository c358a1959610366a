//! The command line: flags made from the settings, and the help that people read.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, value_parser};

use super::given::{Given, Value, Written, text};
use super::refusal::{ConfigError, Source};
use super::setting::{Kind, Section, Setting};
use super::settings::SETTINGS;
use crate::words::nearest;

/// What the command line asks for.
#[derive(Debug)]
pub(super) enum Asked {
    Run(Given),
    Help(String),
    Version(String),
}

/// Wider help is harder to read, and a test compares it.
const COLUMNS: usize = 80;

const PURPOSE: &str = "\
Lets an AI coding agent check its own work end to end, over MCP: it runs the
project's dev server, drives a browser and runs the tests in a timebox.";

const USAGE: &str = "\
e2e-mcp-server [FLAGS]
       e2e-mcp-server dev-server [FLAGS] -- COMMAND...  runs a plain dev server
       e2e-mcp-server check-command PATH                checks a server command
       e2e-mcp-server init [CLIENT...]                  sets up MCP clients
       e2e-mcp-server doctor                            checks this machine
       (each has a --help of its own)";

const EXAMPLES: &str = r#"Every flag is also a variable (--kill-grace: E2E_MCP_KILL_GRACE) and a key of
the config file (kill-grace). Flags win over variables, variables over the file.

Examples:
  A client's .mcp.json, over stdio:
    {
      "mcpServers": {
        "e2e": { "command": "e2e-mcp-server", "args": ["--tools", "test"] }
      }
    }

  Over HTTP, at http://127.0.0.1:3000/mcp:
    e2e-mcp-server --port 3000"#;

const TEMPLATE: &str = "{about}\n\n{usage-heading} {usage}\n\n{all-args}{after-help}\n";

/// Reads the command line, without the program's name.
pub(super) fn read(args: impl IntoIterator<Item = OsString>, cwd: &Path) -> Result<Asked, ConfigError> {
    let mut matches = match command().try_get_matches_from(tied(args)) {
        Ok(matches) => matches,
        Err(error) => return told(&error),
    };
    let mut given = Given::default();
    for setting in SETTINGS {
        if let Some(value) = matches.remove_one::<OsString>(setting.name) {
            let source = Source::Flag(setting.name);
            let written = Written::Text(text(&value, &source)?);
            given.add(setting, Value { written, source, folder: cwd.to_owned() });
        }
    }
    Ok(Asked::Run(given))
}

/// `--headless false` as `--headless=false`. There are no arguments besides flags, so such a word can't be anything
/// else, and configurations written for other servers have it.
fn tied(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let switch = |arg: &OsString| {
        let name = arg.to_str().and_then(|arg| arg.strip_prefix("--")).unwrap_or_default();
        let named = |setting: &&&Setting| setting.name == name || setting.camel() == name;
        SETTINGS.iter().find(named).is_some_and(|setting| matches!(setting.kind, Kind::Switch))
    };
    let mut tied: Vec<OsString> = Vec::new();
    for arg in args {
        match tied.last_mut().filter(|before| switch(before)) {
            Some(before) if ["true", "false", "1", "0"].iter().any(|word| arg == *word) => {
                before.push("=");
                before.push(arg);
            }
            _ => tied.push(arg),
        }
    }
    tied
}

fn command() -> Command {
    let command = Command::new("e2e-mcp-server")
        .version(env!("CARGO_PKG_VERSION"))
        .no_binary_name(true)
        .args_override_self(true)
        .term_width(COLUMNS)
        .help_template(TEMPLATE)
        .about(PURPOSE)
        .override_usage(USAGE)
        .after_help(EXAMPLES)
        .next_line_help(true)
        .disable_help_flag(true)
        .disable_version_flag(true);
    let sections = Section::ALL.iter();
    let command = sections.fold(command, |command, section| {
        let settings = SETTINGS.iter().filter(|setting| setting.section == *section);
        command.args(settings.map(|setting| flag(setting)))
    });
    let general = Section::General.heading();
    command
        .arg(
            Arg::new("help")
                .long("help")
                .short('h')
                .help("Show this help")
                .help_heading(general)
                .action(ArgAction::Help),
        )
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .help("Show the version")
                .help_heading(general)
                .action(ArgAction::Version),
        )
}

fn flag(setting: &'static Setting) -> Arg {
    let default = match setting.default {
        "" => String::new(),
        default => format!(" [default: {default}]"),
    };
    let also = match setting.variables {
        [] => String::new(),
        names => format!(" [also: ${}]", names.join(", $")),
    };
    let flag = Arg::new(setting.name)
        .long(setting.name)
        .aliases(Some(setting.camel()).filter(|camel| camel != setting.name))
        .value_name(setting.kind.placeholder())
        .value_parser(value_parser!(OsString))
        .allow_hyphen_values(false)
        .help_heading(setting.section.heading())
        .help(format!("{}{also}{default}", setting.help));
    match setting.kind {
        // `--structured-results` alone switches on; clap is given values tied to it only, or one would swallow what
        // follows (see `tied`).
        Kind::Switch => flag.num_args(0..=1).require_equals(true).default_missing_value("true"),
        _ => flag.num_args(1),
    }
}

/// clap's way of saying that it did not parse: help and version were asked for, or something is wrong.
fn told(error: &clap::Error) -> Result<Asked, ConfigError> {
    let rendered = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp => Ok(Asked::Help(rendered)),
        ErrorKind::DisplayVersion => Ok(Asked::Version(rendered)),
        ErrorKind::UnknownArgument => {
            let flag = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(flag)) => flag.clone(),
                _ => String::new(),
            };
            let typed = flag.trim_start_matches('-').split('=').next().unwrap_or_default();
            let near = nearest(typed, SETTINGS.iter().map(|setting| setting.name));
            let near = near.map(|near| format!("--{near}"));
            Err(ConfigError::UnknownFlag { flag, near })
        }
        _ => {
            let first = rendered.lines().next().unwrap_or_default();
            Err(ConfigError::Usage(first.trim_start_matches("error: ").to_owned()))
        }
    }
}
