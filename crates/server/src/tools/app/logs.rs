//! Reading the dev server's logs (A5.5): those that the server command named, and no other file.

use std::path::PathBuf;
use std::time::Duration;

use devserver::LogPaths;
use devserver::logs::{Chunk, Cursor, Log, LogError};
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::codes::LOG_FILE_NOT_FOUND;
use super::{APP_TOOL, app, failed, session};
use crate::tools::browser::{BUDGET, Files};
use crate::tools::schema::{input_of, output_of};
use crate::tools::{Call, Failure, Hints, Reply, Tool, invalid};

const READING: Duration = Duration::from_secs(10);
/// Room for the answer's other fields.
const TEXT: usize = BUDGET - 1_000;
/// A log up to this size is copied as a whole when it does not fit; a larger one is named only.
const LARGEST_COPY: u64 = 16 * 1024 * 1024;

pub(crate) static READ_SERVER_LOGS: Tool = Tool {
    name: "read_server_logs",
    description: "Reads the dev server's log: all of it, its last lines, or what came since an earlier answer's cursor.",
    input: input_of::<ReadServerLogs>,
    output: Some(output_of::<Read>),
    hints: Hints::READS,
    limit: |args, _| args.millis("timeout").unwrap_or(READING),
    handler: |call| Box::pin(read_server_logs(call)),
    ..APP_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReadServerLogs {
    log_type: Option<LogType>,
    /// The last ones.
    #[schemars(range(min = 1))]
    lines: Option<usize>,
    /// A cursor.
    since: Option<String>,
    /// Regular expression; only lines that match.
    grep: Option<String>,
    #[serde(rename = "sessionId")]
    _session_id: Option<String>,
    #[serde(rename = "timeout")]
    _timeout: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum LogType {
    Stdout,
    Stderr,
    Combined,
}

/// The answer of `read_server_logs`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Read {
    session_id: String,
    log_type: &'static str,
    path: PathBuf,
    text: String,
    lines: usize,
    /// Give it as `since` to read on from here.
    cursor: String,
    /// There is more than this.
    left_out: bool,
    /// All of it, where it does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<String>,
    /// In bytes.
    size: u64,
    /// The log was replaced since the cursor, so this begins at its beginning.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    restarted: bool,
}

async fn read_server_logs(call: Call) -> Result<Reply, Failure> {
    let args: ReadServerLogs = call.args.parse()?;
    let session = session(&call)?;
    let _awake = session.awake();
    let (name, path) = chosen(args.log_type, &app(&session)?.running().logs)?;
    let grep = args.grep.as_deref().map(pattern).transpose()?;
    let since: Option<Cursor> = match &args.since {
        Some(text) => Some(text.parse().map_err(|bad: devserver::logs::BadCursor| {
            invalid(
                "since",
                &format!("the cursor of an earlier answer ({bad})"),
                Some(&Value::from(text.as_str())),
            )
        })?),
        None => None,
    };
    if let (Some(_), Some(lines)) = (&since, args.lines) {
        return Err(invalid("lines", "left out when `since` is given", Some(&Value::from(lines))));
    }
    let log = Log::new(&path);
    let reading = {
        let log = log.clone();
        tokio::task::spawn_blocking(move || read(&log, since.as_ref(), args.lines, grep.as_ref()))
    };
    let chunk = call.scope.race(reading).await?.map_err(|error| {
        Failure::new(crate::tools::run::INTERNAL_ERROR, format!("the log could not be read: {error}"))
    })?;
    let chunk = chunk.map_err(|error| failed::log(&log, &error))?;
    let all = args.lines.is_none() && args.since.is_none() && args.grep.is_none();
    let whole = if all && chunk.left_out { copied(&log, chunk.size, &call).await } else { None };
    Ok(Reply::json(&Read {
        session_id: session.id().to_string(),
        log_type: name,
        path,
        text: chunk.text,
        lines: chunk.lines,
        cursor: chunk.cursor.to_string(),
        left_out: chunk.left_out,
        whole,
        size: chunk.size,
        restarted: chunk.restarted,
    })?)
}

fn read(
    log: &Log,
    since: Option<&Cursor>,
    lines: Option<usize>,
    grep: Option<&Regex>,
) -> Result<Chunk, LogError> {
    match since {
        Some(cursor) => log.since(cursor, TEXT, grep),
        // The end matters most, and is all that fits of a long one.
        None => log.tail(lines.unwrap_or(usize::MAX), TEXT, grep),
    }
}

/// The log that is meant: the one that was asked for, or the fullest that there is.
fn chosen(asked: Option<LogType>, logs: &LogPaths) -> Result<(&'static str, PathBuf), Failure> {
    let of = |kind: LogType| match kind {
        LogType::Stdout => ("stdout", logs.stdout.clone()),
        LogType::Stderr => ("stderr", logs.stderr.clone()),
        LogType::Combined => ("combined", logs.combined.clone()),
    };
    let order = match asked {
        Some(kind) => vec![kind],
        None => vec![LogType::Combined, LogType::Stderr, LogType::Stdout],
    };
    let found = order.into_iter().map(of).find_map(|(name, path)| Some((name, path?)));
    found.ok_or_else(|| {
        let there: Vec<&str> = logs.iter().map(|(name, _)| name).collect();
        let next = match there.as_slice() {
            [] => "have the command name them in `logs`, with absolute paths".to_owned(),
            there => format!("read {}", there.join(" or ")),
        };
        Failure::new(LOG_FILE_NOT_FOUND, "the server command named no such log").suggest(next)
    })
}

fn pattern(text: &str) -> Result<Regex, Failure> {
    Regex::new(text).map_err(|error| {
        let why = error.to_string();
        let why = why.lines().last().unwrap_or_default();
        invalid("grep", &format!("a regular expression ({why})"), Some(&Value::from(text)))
    })
}

/// A copy of the whole log where results go, in which secrets are hidden.
async fn copied(log: &Log, size: u64, call: &Call) -> Option<String> {
    if size > LARGEST_COPY {
        return None;
    }
    let bytes = tokio::fs::read(log.path()).await.ok()?;
    let text = failed::plain(&String::from_utf8_lossy(&bytes));
    Files::of(&call.services).save("server-log", "log", text.as_bytes()).await
}
