//! When a run must end: the pure logic of the two time limits (B3.2, B3.3, BP4, BP5).
//!
//! Time comes in as the time since the run began; nothing here looks at a clock, so every course of events can be
//! played through in a test.

use std::time::Duration;

/// The two limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long the run may take in all.
    pub total: Duration,
    /// How long it may say nothing on either stream.
    pub silence: Duration,
}

/// Which limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expired {
    /// The run took too long.
    Total,
    /// The run said nothing for this long.
    Silence {
        /// The time since the last output, or since the start if there was none.
        silent_for: Duration,
    },
}

/// Watches one run.
#[derive(Debug, Clone)]
pub struct Controller {
    limits: Limits,
    last_output: Duration,
}

impl Controller {
    /// A run that begins now, at time zero, and counts as silent from there.
    pub fn new(limits: Limits) -> Self {
        Self { limits, last_output: Duration::ZERO }
    }

    /// Either stream said something at `now`.
    pub fn output(&mut self, now: Duration) {
        self.last_output = self.last_output.max(now);
    }

    /// When to look again: at that time, and if nothing is said until then, the run has expired.
    pub fn expires_at(&self) -> Duration {
        self.limits.total.min(self.last_output.saturating_add(self.limits.silence))
    }

    /// Whether the run is over at `now`. Where both limits are reached, the one that was reached first is told.
    pub fn check(&self, now: Duration) -> Option<Expired> {
        if now < self.expires_at() {
            return None;
        }
        let silence_ends = self.last_output.saturating_add(self.limits.silence);
        if self.limits.total <= silence_ends {
            Some(Expired::Total)
        } else {
            Some(Expired::Silence { silent_for: now - self.last_output })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Plays a run: it speaks at the given times and never ends by itself. Answers when and why it was ended.
    fn play(limits: Limits, mut speaks: Vec<u64>) -> (Duration, Expired) {
        speaks.sort_unstable();
        let mut controller = Controller::new(limits);
        for at in speaks.into_iter().map(Duration::from_millis) {
            let due = controller.expires_at();
            if at >= due {
                break;
            }
            assert_eq!(controller.check(at), None, "ended too early");
            controller.output(at);
        }
        let due = controller.expires_at();
        let just_before = due.saturating_sub(Duration::from_nanos(1));
        if just_before < due {
            assert_eq!(controller.check(just_before), None, "ended too early");
        }
        (due, controller.check(due).unwrap())
    }

    fn limits(total: u64, silence: u64) -> Limits {
        Limits { total: Duration::from_millis(total), silence: Duration::from_millis(silence) }
    }

    #[test]
    fn a_run_that_never_speaks_ends_at_the_shorter_limit() {
        let silent_for = Duration::from_millis(30);
        assert_eq!(play(limits(100, 30), vec![]), (silent_for, Expired::Silence { silent_for }));
        assert_eq!(play(limits(20, 30), vec![]), (Duration::from_millis(20), Expired::Total));
        assert_eq!(play(limits(30, 30), vec![]), (Duration::from_millis(30), Expired::Total));
    }

    #[test]
    fn output_resets_the_silence_but_never_the_total() {
        assert_eq!(
            play(limits(100, 30), (0..100).step_by(10).collect()),
            (Duration::from_millis(100), Expired::Total)
        );
    }

    #[test]
    fn limits_too_large_for_the_clock_do_not_overflow() {
        let endless = Limits { total: Duration::MAX, silence: Duration::MAX };
        let mut controller = Controller::new(endless);
        controller.output(Duration::from_secs(5));
        assert_eq!(controller.check(Duration::from_secs(1_000_000)), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// BP4: whatever a run does, it ends at its total limit at the latest.
        #[test]
        fn no_run_outlives_its_total_limit(total in 1u64..10_000, silence in 1u64..10_000, speaks in prop::collection::vec(0u64..20_000, 0..50)) {
            let (ended, _) = play(limits(total, silence), speaks);
            prop_assert!(ended <= Duration::from_millis(total));
        }

        /// BP5: a run that is silent for the limit ends then, and not before.
        #[test]
        fn a_run_ends_by_silence_exactly_when_it_was_silent_that_long(total in 1u64..10_000, silence in 1u64..10_000, speaks in prop::collection::vec(0u64..20_000, 0..50)) {
            let (ended, why) = play(limits(total, silence), speaks.clone());
            let last = speaks.into_iter().map(Duration::from_millis).filter(|at| *at < ended).max().unwrap_or_default();
            match why {
                Expired::Silence { silent_for } => {
                    prop_assert_eq!(silent_for, Duration::from_millis(silence));
                    prop_assert_eq!(ended - last, silent_for);
                }
                Expired::Total => prop_assert!(ended - last <= Duration::from_millis(silence)),
            }
        }
    }
}
