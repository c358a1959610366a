//! When a session ends by itself: a time after its last call, and at its age whatever happens (C1.3, C1.4).

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::End;

/// A session's two clocks. The idle one stands still while a call runs: nobody is idle who waits for an answer.
#[derive(Debug)]
pub(super) struct Expiry {
    idle: Duration,
    lifetime: Duration,
    opened: Instant,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Debug)]
struct State {
    calls: usize,
    last: Instant,
}

/// A call that keeps the idle clock from running; dropping it sets that clock back.
#[derive(Debug)]
pub(crate) struct Awake<'a>(&'a Expiry);

impl Expiry {
    pub(super) fn new(idle: Duration, lifetime: Duration) -> Self {
        let opened = Instant::now();
        let state = Mutex::new(State { calls: 0, last: opened });
        Self { idle, lifetime, opened, state, changed: watch::Sender::new(()) }
    }

    /// A call begins.
    pub(super) fn awake(&self) -> Awake<'_> {
        self.change(|state| state.calls += 1);
        Awake(self)
    }

    /// How long nobody has called.
    pub(super) fn idle_for(&self) -> Duration {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.calls > 0 { Duration::ZERO } else { state.last.elapsed() }
    }

    /// How long the session still lives if nobody calls.
    pub(super) fn remaining(&self) -> Duration {
        let age = self.lifetime.saturating_sub(self.opened.elapsed());
        self.idle.saturating_sub(self.idle_for()).min(age)
    }

    /// Waits until the session has expired.
    pub(super) async fn passed(&self) -> End {
        let mut changed = self.changed.subscribe();
        loop {
            let (at, end) = self.next();
            tokio::select! {
                biased;
                // The sender is ours, so this is never the channel's end.
                _ = changed.changed() => {}
                () = tokio::time::sleep_until(at) => return end,
            }
        }
    }

    fn next(&self) -> (Instant, End) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (age, idle) = (self.opened + self.lifetime, state.last + self.idle);
        if state.calls > 0 || age <= idle {
            (age, End::Lifetime(self.lifetime))
        } else {
            (idle, End::Idle(self.idle))
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.send_replace(());
    }
}

impl Drop for Awake<'_> {
    fn drop(&mut self) {
        self.0.change(|state| {
            state.calls -= 1;
            state.last = Instant::now();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE: Duration = Duration::from_secs(10);
    const AGE: Duration = Duration::from_secs(60);

    #[tokio::test(start_paused = true)]
    async fn a_session_expires_by_itself_and_each_call_pushes_that_out() {
        let expiry = Expiry::new(IDLE, AGE);
        let began = Instant::now();
        tokio::time::sleep(Duration::from_secs(9)).await;
        drop(expiry.awake());
        assert_eq!(expiry.passed().await, End::Idle(IDLE));
        assert_eq!(began.elapsed(), Duration::from_secs(19));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_is_idle_while_a_call_runs_but_age_waits_for_nobody() {
        let expiry = Expiry::new(IDLE, AGE);
        let began = Instant::now();
        let _call = expiry.awake();
        assert_eq!(expiry.passed().await, End::Lifetime(AGE));
        assert_eq!(began.elapsed(), AGE);
    }

    #[tokio::test(start_paused = true)]
    async fn what_remains_is_the_shorter_of_both_clocks() {
        let expiry = Expiry::new(IDLE, AGE);
        tokio::time::sleep(Duration::from_secs(4)).await;
        assert_eq!((expiry.idle_for(), expiry.remaining()), (Duration::from_secs(4), Duration::from_secs(6)));
        for _ in 0..11 {
            drop(expiry.awake());
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        assert_eq!(expiry.remaining(), Duration::from_secs(1));
    }
}
