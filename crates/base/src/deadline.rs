//! A point in time after which nobody waits any longer.
//!
//! Every wait in this workspace is raced against a [`Deadline`]; a raw number of milliseconds does not travel.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

/// The moment by which something must be over.
///
/// It is a moment, not a duration, so that a call passed through five functions does not get five times its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

/// The deadline passed before the awaited thing happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the time limit passed")]
pub struct DeadlinePassed;

impl Deadline {
    /// The moment that lies `limit` ahead of now.
    ///
    /// A limit too large for the clock (a client may send `u64::MAX`) becomes a year, which is the same to any call.
    pub fn after(limit: Duration) -> Self {
        const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
        let now = Instant::now();
        Self(now.checked_add(limit).unwrap_or(now + YEAR))
    }

    /// The moment itself, for timers.
    pub fn instant(self) -> Instant {
        self.0
    }

    /// What is left until then; zero once it has passed.
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether the moment has come.
    pub fn has_passed(self) -> bool {
        self.remaining().is_zero()
    }

    /// The earlier of this deadline and one that lies `limit` ahead: a step may be shorter than its call, never longer.
    #[must_use]
    pub fn at_most(self, limit: Duration) -> Self {
        self.min(Self::after(limit))
    }

    /// Waits for `work`, but no longer than until the deadline.
    ///
    /// # Errors
    /// [`DeadlinePassed`] when the moment came first; `work` is dropped then.
    pub async fn race<T>(self, work: impl Future<Output = T>) -> Result<T, DeadlinePassed> {
        tokio::time::timeout_at(self.0, work).await.map_err(|_| DeadlinePassed)
    }

    /// Waits until the moment has come.
    pub async fn passed(self) {
        tokio::time::sleep_until(self.0).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_race_ends_at_the_deadline_even_if_the_work_never_does() {
        let deadline = Deadline::after(Duration::from_millis(50));
        let started = Instant::now();
        assert_eq!(deadline.race(std::future::pending::<()>()).await, Err(DeadlinePassed));
        assert_eq!(started.elapsed(), Duration::from_millis(50));
        assert!(deadline.has_passed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_is_never_longer_than_its_call() {
        let call = Deadline::after(Duration::from_secs(1));
        assert_eq!(call.at_most(Duration::from_secs(5)), call);
        assert!(call.at_most(Duration::from_millis(10)) < call);
    }

    #[tokio::test]
    async fn an_absurd_limit_is_a_long_one_not_a_panic() {
        assert!(Deadline::after(Duration::MAX).remaining() > Duration::from_secs(1000));
    }
}
