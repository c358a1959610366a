//! What a dev server has to say when something fails or happens: the end of its log, its status, and whether it lives.

use std::time::Duration;

use base::CallScope;
use base::clip;
use base::scope::Interrupted;
use devserver::logs::Log;
use devserver::{LogPaths, Status};
use serde_json::{Value, json};

use crate::session::{App, Pulse};
use crate::tools::now;

/// A5.3: the last hundred lines; and as much of them as an error may hold.
const LAST_LINES: usize = 100;
const TAIL: usize = 6_000;
/// What was written since the last answer.
const MEANWHILE_LINES: usize = 20;
const MEANWHILE: usize = 2_000;
/// What a server said before it died.
const LAST_WORDS: usize = 10;

/// The end of the error log, or of the one there is: `{stderr, path, capturedAt}`.
pub(super) fn tail(logs: &LogPaths) -> Option<Value> {
    let path = logs.stderr.as_ref().or(logs.combined.as_ref()).or(logs.stdout.as_ref())?;
    let chunk = Log::new(path).tail(LAST_LINES, TAIL, None).ok()?;
    Some(json!({"stderr": chunk.text, "path": path, "capturedAt": now()}))
}

/// Why a dev server was not heard.
#[derive(Debug, thiserror::Error)]
pub(in crate::tools) enum Unheard {
    #[error("the server command named no log")]
    NoLog,
    #[error("the server's log can't be read")]
    Unreadable,
    #[error(transparent)]
    Command(#[from] devserver::CommandError),
    #[error(transparent)]
    Late(#[from] Interrupted),
}

/// The same, away from the tasks, within the scope's time.
///
/// # Errors
/// [`Unheard`] when there is nothing to be read.
pub(in crate::tools) async fn server_logs(app: &App, scope: &CallScope) -> Result<Value, Unheard> {
    let logs = app.running().logs;
    if logs.is_empty() {
        return Err(Unheard::NoLog);
    }
    let read = scope.race(tokio::task::spawn_blocking(move || tail(&logs))).await?;
    read.ok().flatten().ok_or(Unheard::Unreadable)
}

/// What `--status` says (A5.4).
///
/// # Errors
/// [`Unheard`] when it does not say it within the scope's time.
pub(in crate::tools) async fn server_status(app: &App, scope: &CallScope) -> Result<Value, Unheard> {
    // Raced, too: what does not end in time is ended in the background.
    let status = scope.race(app.status(scope)).await??;
    Ok(told(&status))
}

/// A status as it came, with our word for its state.
pub(super) fn told(status: &Status) -> Value {
    let mut told = status.raw.clone();
    told["status"] = status.state.name().into();
    told
}

/// The lines that no answer has told yet; the newest, if there are many. A server's words may come a moment later than what
/// it did to the page: they are in this answer or in the next.
pub(in crate::tools) async fn unheard(app: &App) -> Vec<String> {
    let logs = app.logs();
    let read = tokio::task::spawn_blocking(move || logs.take(MEANWHILE)).await;
    let mut lines = read.unwrap_or_default();
    let more = lines.len().saturating_sub(MEANWHILE_LINES);
    if more > 0 {
        lines.drain(..more);
        lines.insert(0, format!("{more} earlier ones: see read_server_logs"));
    }
    lines
}

/// The last lines of its error log.
pub(in crate::tools) async fn last_words(app: &App) -> Vec<String> {
    let logs = app.running().logs;
    let read = tokio::task::spawn_blocking(move || {
        let path = logs.stderr.or(logs.combined).or(logs.stdout)?;
        Log::new(path).tail(LAST_WORDS, MEANWHILE, None).ok()
    });
    let chunk = read.await.ok().flatten();
    chunk
        .map(|chunk| chunk.text.lines().map(|line| clip::head(line, 300).into_owned()).collect())
        .unwrap_or_default()
}

/// That the server died, if it did: for an answer, with its last words when it is news.
pub(in crate::tools) async fn death(app: &App) -> Option<(String, Vec<String>)> {
    let Pulse::Dead { first } = app.take_pulse() else { return None };
    let pid = app.running().pid.map(|pid| format!(" (pid {pid})")).unwrap_or_default();
    let line = format!("The dev server died{pid}{}. Call restart_server.", exit_words(app).await);
    let words = if first { last_words(app).await } else { Vec::new() };
    Some((line, words))
}

async fn exit_words(app: &App) -> String {
    match app.exit().await {
        Some(supervise::Exit::Code(code)) => format!(" with exit code {code}"),
        Some(supervise::Exit::Signal(signal)) => format!(" by signal {signal}"),
        Some(supervise::Exit::Unknown) | None => String::new(),
    }
}

/// How long `--status` is waited for when it is what was asked for: the contract's 5 s, and ending a command that hangs.
pub(super) const STATUS: Duration = Duration::from_secs(9);
