//! What went wrong with a server command, in the words of the error codes: what, why and what next (A3.3, A5.1).

use base::clip;
use base::scope::Interrupted;
use devserver::logs::Log;
use devserver::{CommandError, LogPaths};
use serde_json::{Map, Value, json};
use supervise::Exit;

use super::codes::*;
use super::witness;
use crate::session::StartRefused;
use crate::tools::arguments::INVALID_INPUT;
use crate::tools::run::{CANCELLED, INTERNAL_ERROR, TIMEOUT};
use crate::tools::{ErrorCode, Failure, browser};

/// As much of the command's own words as an error repeats.
const WORDS: usize = 2_000;

/// A session that was not started.
pub(super) fn start(why: StartRefused) -> Failure {
    match why {
        StartRefused::Session(refused) => browser::refused(refused),
        StartRefused::Server(error) => command(&error),
    }
}

/// A server command that did not do what it was asked.
pub(super) fn command(error: &CommandError) -> Failure {
    if let CommandError::Interrupted { why: Interrupted::Cancelled, .. } = error {
        return Interrupted::Cancelled.into();
    }
    let code = code(error.outcome());
    let mut failure =
        Failure::new(code, error.to_string()).detail("kind", error.kind()).suggest(suggestion(error));
    if let CommandError::NotAbsolute { path } = error {
        failure = failure.fact("field", "commandPath").fact("received", path.display().to_string());
    }
    if let CommandError::Timeout { limit, .. } = error {
        failure = failure.fact("timeout", limit.as_millis() as u64);
    }
    if let Some(said) = error.said() {
        if let Some(Exit::Code(exit)) = said.exit {
            failure = failure.fact("exitCode", exit);
        }
        for (name, words) in [("stderr", &said.stderr), ("stdout", &said.stdout)] {
            // What it printed matters only when that could not be understood.
            let told = name == "stderr" || error.kind() == "invalid_json";
            if told && !words.trim().is_empty() {
                failure = failure.detail(name, clip::tail(&plain(words.trim_end()), WORDS));
            }
        }
    }
    match error.reported().map(|reported| &reported.logs).filter(|logs| !logs.is_empty()) {
        Some(logs) => with_logs(failure.detail("logs", paths(logs)), logs),
        None => failure,
    }
}

/// The end of what the server wrote before it failed.
fn with_logs(failure: Failure, logs: &LogPaths) -> Failure {
    match witness::tail(logs) {
        Some(tail) => failure.beside("serverLogs", tail),
        None => failure,
    }
}

/// Several lines without colours and the like.
pub(super) fn plain(text: &str) -> String {
    text.lines().map(base::plain::text).collect::<Vec<_>>().join("\n")
}

/// The logs' paths, by name.
pub(super) fn paths(logs: &LogPaths) -> Value {
    logs.iter().map(|(name, path)| (name.to_owned(), json!(path))).collect::<Map<_, _>>().into()
}

/// A log that can't be read.
pub(super) fn log(log: &Log, error: &devserver::logs::LogError) -> Failure {
    let code = match error.kind() {
        "log_file_not_found" => LOG_FILE_NOT_FOUND,
        _ => LOG_READ_FAILED,
    };
    Failure::new(code, error.to_string())
        .fact("path", log.path().display().to_string())
        .suggest("read another logType; get_session_status shows the logs' paths")
}

/// The code that the crate's own word stands for.
fn code(word: &str) -> ErrorCode {
    let known = [
        SERVER_START_FAILED,
        SHUTDOWN_FAILED,
        COMMAND_NOT_FOUND,
        PERMISSION_DENIED,
        INVALID_INPUT,
        TIMEOUT,
        CANCELLED,
    ];
    known.into_iter().find(|code| code.lower() == word).unwrap_or(INTERNAL_ERROR)
}

fn suggestion(error: &CommandError) -> &'static str {
    match error {
        CommandError::NotAbsolute { .. } => "pass the whole path, from the root",
        CommandError::NotFound { .. } => {
            "correct commandPath; it must be the absolute path of an existing program"
        }
        CommandError::PermissionDenied { .. } => {
            "make it executable: chmod +x, and a first line such as #!/bin/sh"
        }
        CommandError::Timeout { .. } => {
            "details.stderr has what it said until then; run it by hand, or `e2e-mcp-server check-command` on it"
        }
        CommandError::InvalidJson { .. } => {
            "details.stdout has what it printed; `e2e-mcp-server check-command` says what is missing"
        }
        _ => "mend what the message and details.stderr say, then start again",
    }
}
