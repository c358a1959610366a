//! What is remembered of sessions that ended, so that a late call learns why and not only that.

use std::collections::VecDeque;

use tokio::time::Instant;

use super::{End, SessionId};

/// As many as are remembered; what ended before them never was.
const REMEMBERED: usize = 200;

/// The ends of sessions, the newest last.
#[derive(Debug, Default)]
pub(super) struct Tombstones(VecDeque<(SessionId, End, Instant)>);

impl Tombstones {
    pub(super) fn add(&mut self, id: SessionId, end: End) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back((id, end, Instant::now()));
    }

    /// How and when the session ended, if it did.
    pub(super) fn of(&self, id: SessionId) -> Option<(&End, Instant)> {
        self.0.iter().rfind(|(ended, ..)| *ended == id).map(|(_, end, at)| (end, *at))
    }

    /// How the session that ended last did.
    pub(super) fn last(&self) -> Option<&End> {
        self.0.back().map(|(_, end, _)| end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_server_that_runs_for_months_remembers_a_bounded_number_of_ends() {
        let mut tombstones = Tombstones::default();
        let first = SessionId::fresh();
        tombstones.add(first, End::Closed);
        assert!(tombstones.of(first).is_some());
        for _ in 0..REMEMBERED {
            tombstones.add(SessionId::fresh(), End::Closed);
        }
        assert!(tombstones.of(first).is_none());
        assert_eq!(tombstones.0.len(), REMEMBERED);
    }
}
