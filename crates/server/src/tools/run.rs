//! One call at work: its time, its cancellation and its panics. Whatever the handler does, the call comes back.

use std::any::Any;
use std::time::Duration;

use base::Deadline;
use base::scope::Interrupted;
use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument as _;

use super::{Call, ErrorCode, Failure, Reply, Tool};

pub(crate) const TIMEOUT: ErrorCode =
    ErrorCode::new("timeout", "the call reached its time limit; `details.log` has what it did until then");
pub(crate) const CANCELLED: ErrorCode =
    ErrorCode::new("cancelled", "the client cancelled the call, or the server is ending");
pub(crate) const INTERNAL_ERROR: ErrorCode = ErrorCode::new(
    "internal_error",
    "a mistake of this server, not of the caller; other calls are not affected",
);

/// After its deadline a handler may still bring its evidence, this long (PRODUCT.md: "its own limit plus 2 s").
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// How much of the diary a failure repeats.
const LAST_LINES: usize = 10;

/// Runs the handler to its end, its deadline or its cancellation, whichever comes first.
///
/// The handler is a task of its own, so that not even one that blocks its thread can hold the reply back. When this
/// future is dropped, the task is too.
pub(super) async fn run(tool: &'static Tool, call: Call, limit: Duration) -> Result<Reply, Failure> {
    let scope = call.scope.clone();
    if scope.cancel_token().is_cancelled() {
        return Err(Interrupted::Cancelled.into());
    }
    // A cancelled handler must end what it started, which takes as long as what it started may resist.
    let tidying = call.services.options.kill_grace.saturating_add(GRACE);
    let mut work = AbortOnDropHandle::new(tokio::spawn((tool.handler)(call).in_current_span()));
    let (why, grace) = tokio::select! {
        biased;
        done = &mut work => return finished(done),
        () = scope.cancel_token().cancelled() => (Interrupted::Cancelled, tidying),
        () = scope.deadline().passed() => (Interrupted::Deadline, GRACE),
    };
    match Deadline::after(grace).race(&mut work).await {
        Ok(done) => finished(done),
        Err(_) if why == Interrupted::Cancelled => Err(why.into()),
        Err(_) => {
            let limit = limit.as_millis() as u64;
            Err(Failure::new(TIMEOUT, format!("{} reached its time limit of {limit} ms", tool.name))
                .fact("timeout", limit))
        }
    }
}

/// Adds to a failure what the call's scope remembers of it.
pub(super) fn with_diary(mut failure: Failure, scope: &base::CallScope) -> Failure {
    if failure.code() == TIMEOUT || failure.code() == CANCELLED {
        let lines = scope.log().lines();
        if !lines.is_empty() {
            let told =
                |line: &base::LogLine| Value::from(format!("{} ms: {}", line.at.as_millis(), line.text));
            let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
            failure.detail_if_untold("log", || last.iter().map(told).collect());
        }
        let activity = scope.activity().get();
        if !activity.is_empty() {
            failure.detail_if_untold("activity", || activity.into());
        }
    }
    failure
}

/// The failure of a call whose handler panicked. The panic hook has logged where.
pub(super) fn panicked(tool: &str, payload: &(dyn Any + Send)) -> Failure {
    let message = panic_message(payload);
    Failure::new(INTERNAL_ERROR, format!("{tool} failed by a mistake of this server: {message}"))
        .suggest("try once more with other arguments; if it stays, report it with the server's log")
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

/// What the task came back with; a panic goes on to whoever catches it.
fn finished(done: Result<Result<Reply, Failure>, tokio::task::JoinError>) -> Result<Reply, Failure> {
    match done {
        Ok(outcome) => outcome,
        Err(error) => match error.try_into_panic() {
            Ok(payload) => std::panic::resume_unwind(payload),
            // The task is aborted by us alone, after which nobody waits for it; or the runtime is ending.
            Err(_) => Err(Interrupted::Cancelled.into()),
        },
    }
}
