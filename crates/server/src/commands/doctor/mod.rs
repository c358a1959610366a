//! `e2e-mcp-server doctor`: whether this machine has what the server needs, and how to mend what it lacks.

mod browsers;
mod leftovers;
mod machine;
mod programs;
mod report;
mod sandbox;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, Command, value_parser};
use report::{Finding, Report};
use supervise::Supervisor;

use super::{Told, USAGE, parse, print};
use crate::config::{self, Environment, Options, Parsed};

/// The subcommand's name.
pub(super) const SUBCOMMAND: &str = "doctor";

const PURPOSE: &str = "\
Checks what the server needs on this machine: settings, browsers (each is
started and closed), their sandbox, a display, room for temporary files, ports,
Node where the project uses it, and what killed servers left behind. Says how to
mend each, and exits with 1 if something will not work.";

/// Runs it with the words after `doctor`.
pub(super) fn run(args: Vec<OsString>) -> ExitCode {
    let mut matches = match parse(command(), args) {
        Ok(matches) => matches,
        Err(Told::Help(text)) => return print(&text, 0),
        Err(Told::Wrong(wrong)) => return print(&format!("e2e-mcp-server: {wrong}\n"), USAGE),
    };
    let flags: Vec<OsString> = matches.remove_many("flags").unwrap_or_default().collect();
    let report = examined(flags);
    let code = u8::from(!report.holds());
    match matches.get_flag("json") {
        true => print(&format!("{:#}\n", report.json()), code),
        false => print(&report.text(), code),
    }
}

fn examined(flags: Vec<OsString>) -> Report {
    let (options, settings) = settings(flags);
    let temporary = std::env::temp_dir();
    let version =
        format!("{} on {} {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    let mut found = vec![Finding::ok("version", version), settings];
    // Before the browsers, which leave something for a moment themselves.
    let left = leftovers::look(&temporary);
    found.extend(programs(&Arc::new(options), &temporary));
    found.extend(left);
    Report(found)
}

/// What needs the runtime: programs are started in trees of their own, and waited for.
fn programs(options: &Arc<Options>, temporary: &std::path::Path) -> Vec<Finding> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let (runtime, supervisor) = match (runtime, Supervisor::of_this_program()) {
        (Ok(runtime), Ok(supervisor)) => (runtime, supervisor),
        (Err(error), _) | (_, Err(error)) => {
            return vec![Finding::failed("system", error.to_string(), "see what this user may do")];
        }
    };
    let mut found = runtime.block_on(browsers::look(options, &supervisor));
    found.push(machine::display(options));
    found.push(machine::temporary(temporary));
    found.extend(machine::ports(&options.transport));
    found.extend(runtime.block_on(programs::node(&options.workspace, &supervisor)));
    runtime.shutdown_background();
    found
}

/// The server's own settings, as it would have them here; the usual ones when they can't be understood.
fn settings(flags: Vec<OsString>) -> (Options, Finding) {
    const CHECK: &str = "settings";
    let environment: Environment = std::env::vars_os().collect();
    let runners: Vec<&str> = timebox::runners::RUNNERS.iter().map(|runner| runner.name).collect();
    let folder = std::env::current_dir().unwrap_or_default();
    match config::resolve(flags, &environment, &folder, &runners) {
        Ok(Parsed::Run(options)) => {
            let finding = match options.warnings.as_slice() {
                [] => Finding::ok(CHECK, format!("the workspace is {}", options.workspace.display())),
                odd => Finding::note(CHECK, odd.join("; "), "see docs/configuration.md"),
            };
            (*options, finding)
        }
        Ok(Parsed::Help(_) | Parsed::Version(_)) => {
            (Options::default(), Finding::ok(CHECK, "none were given"))
        }
        Err(error) => {
            (Options::default(), Finding::failed(CHECK, error.to_string(), "see e2e-mcp-server --help"))
        }
    }
}

fn command() -> Command {
    Command::new(SUBCOMMAND)
        .about(PURPOSE)
        .override_usage("e2e-mcp-server doctor [--json] [-- FLAGS...]")
        .next_line_help(true)
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Answer in JSON, for programs"))
        .arg(
            Arg::new("flags")
                .value_name("FLAGS")
                .last(true)
                .num_args(0..)
                .value_parser(value_parser!(OsString))
                .help("The server's own flags, to check what it would do with them"),
        )
}
