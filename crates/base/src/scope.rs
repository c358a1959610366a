//! What a tool call carries with it from end to end: its deadline, its cancel token, what it is doing right now, and
//! the log of what it did.
//!
//! The transport makes the token and reads the activity for its progress notifications; handlers only write to the
//! scope and obey it. How a call is cancelled on the wire is none of this module's business.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::Deadline;

/// One tool call's limits and its memory. Clones are the same call.
#[derive(Debug, Clone)]
pub struct CallScope {
    deadline: Deadline,
    cancel: CancellationToken,
    activity: Activity,
    log: CallLog,
}

/// Why a wait inside a call ended without its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Interrupted {
    /// The client cancelled the call, its connection closed, or the server is ending.
    #[error("the call was cancelled")]
    Cancelled,
    /// The call used up its time.
    #[error("the call reached its time limit")]
    Deadline,
}

impl CallScope {
    /// A call that must be over at `deadline`, that `cancel` ends early, and that tells `activity` what it does.
    pub fn new(deadline: Deadline, cancel: CancellationToken, activity: Activity) -> Self {
        Self { deadline, cancel, activity, log: CallLog::default() }
    }

    /// The same call for a part of it that may take no longer than `limit`.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Self {
        Self { deadline: self.deadline.at_most(limit), ..self.clone() }
    }

    /// When the call must be over.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// The token that fires when nobody wants the result any more.
    pub fn cancel_token(&self) -> &CancellationToken {
        &self.cancel
    }

    /// What the call is doing right now; progress notifications show it.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// The call's diary.
    pub fn log(&self) -> &CallLog {
        &self.log
    }

    /// Waits for `work` until the deadline or the cancellation, whichever comes first.
    ///
    /// # Errors
    /// [`Interrupted`] says which of the two came; `work` is dropped then.
    pub async fn race<T>(&self, work: impl Future<Output = T>) -> Result<T, Interrupted> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Interrupted::Cancelled),
            done = self.deadline.race(work) => done.map_err(|_| Interrupted::Deadline),
        }
    }
}

/// The present moment of a call in one line, written by the handler and read by whoever reports progress.
#[derive(Debug, Clone, Default)]
pub struct Activity(Arc<Mutex<Shown>>);

#[derive(Debug)]
enum Shown {
    Line(String),
    Other(Activity),
}

impl Default for Shown {
    fn default() -> Self {
        Self::Line(String::new())
    }
}

impl Activity {
    /// Replaces the line.
    pub fn set(&self, line: impl Into<String>) {
        self.show(Shown::Line(line.into()));
    }

    /// Shows another activity's line from now on: a call that waits for something that goes on without it.
    pub fn follow(&self, other: &Self) {
        if !Arc::ptr_eq(&self.0, &other.0) {
            self.show(Shown::Other(other.clone()));
        }
    }

    fn show(&self, shown: Shown) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = shown;
    }

    /// The line as it stands; empty when nothing was said yet.
    pub fn get(&self) -> String {
        let followed = match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Shown::Line(line) => return line.clone(),
            Shown::Other(other) => other.clone(),
        };
        followed.get()
    }
}

/// What happened in a call, in order, each line with the time since the call began. A time-out's message is made of it.
#[derive(Debug, Clone)]
pub struct CallLog {
    began: Instant,
    lines: Arc<Mutex<Vec<LogLine>>>,
}

/// One line of a [`CallLog`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Time since the call began.
    pub at: Duration,
    /// What happened.
    pub text: String,
}

/// A call that retries for an hour must not grow its diary for an hour; the newest lines tell the most.
const MOST_LINES: usize = 200;

impl Default for CallLog {
    fn default() -> Self {
        Self { began: Instant::now(), lines: Arc::default() }
    }
}

impl CallLog {
    /// Adds a line; the oldest goes when there are too many.
    pub fn note(&self, text: impl Into<String>) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == MOST_LINES {
            lines.remove(0);
        }
        lines.push(LogLine { at: self.began.elapsed(), text: text.into() });
    }

    /// The lines so far.
    pub fn lines(&self) -> Vec<LogLine> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Time since the call began.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(limit: Duration) -> CallScope {
        CallScope::new(Deadline::after(limit), CancellationToken::new(), Activity::default())
    }

    #[tokio::test(start_paused = true)]
    async fn cancelling_wins_over_work_that_never_ends() {
        let scope = scope(Duration::from_secs(60));
        scope.cancel_token().cancel();
        assert_eq!(scope.race(std::future::pending::<()>()).await, Err(Interrupted::Cancelled));
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_ends_work_that_never_ends() {
        let scope = scope(Duration::from_secs(60));
        assert_eq!(scope.race(std::future::pending::<()>()).await, Err(Interrupted::Deadline));
    }

    #[test]
    fn an_activity_shows_what_the_followed_one_is_doing_now() {
        let (call, run) = (Activity::default(), Activity::default());
        call.set("waiting");
        call.follow(&run);
        run.set("test 7");
        assert_eq!(call.get(), "test 7");
        call.follow(&call.clone());
        assert_eq!(call.get(), "test 7");
    }

    #[tokio::test]
    async fn the_diary_keeps_the_newest_lines() {
        let log = CallLog::default();
        for attempt in 0..MOST_LINES + 5 {
            log.note(format!("attempt {attempt}"));
        }
        let lines = log.lines();
        assert_eq!(lines.len(), MOST_LINES);
        assert_eq!(lines[MOST_LINES - 1].text, format!("attempt {}", MOST_LINES + 4));
    }
}
