//! What is remembered of sessions that ended, so that a late call learns why and not only that.

use std::collections::VecDeque;

use tokio::time::Instant;

use super::{End, SessionId};
use crate::auth::Subject;

/// As many as are remembered; what ended before them never was.
const REMEMBERED: usize = 200;

#[derive(Debug)]
struct Tombstone {
    id: SessionId,
    owner: Subject,
    end: End,
    at: Instant,
}

/// The ends of sessions, the newest last.
#[derive(Debug, Default)]
pub(super) struct Tombstones(VecDeque<Tombstone>);

impl Tombstones {
    pub(super) fn add(&mut self, id: SessionId, owner: Subject, end: End) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(Tombstone { id, owner, end, at: Instant::now() });
    }

    /// How and when the session of `owner`'s ended, if it did.
    pub(super) fn of(&self, id: SessionId, owner: &Subject) -> Option<(&End, Instant)> {
        let ended = self.0.iter().rfind(|ended| ended.id == id && ended.owner == *owner)?;
        Some((&ended.end, ended.at))
    }

    /// How the session of `owner`'s that ended last did.
    pub(super) fn last(&self, owner: &Subject) -> Option<&End> {
        self.0.iter().rfind(|ended| ended.owner == *owner).map(|ended| &ended.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_server_that_runs_for_months_remembers_a_bounded_number_of_ends() {
        let mut tombstones = Tombstones::default();
        let first = SessionId::fresh();
        let nobody = Subject::default();
        tombstones.add(first, nobody.clone(), End::Closed);
        assert!(tombstones.of(first, &nobody).is_some());
        assert!(tombstones.of(first, &Subject::of("another")).is_none());
        for _ in 0..REMEMBERED {
            tombstones.add(SessionId::fresh(), nobody.clone(), End::Closed);
        }
        assert!(tombstones.of(first, &nobody).is_none());
        assert_eq!(tombstones.0.len(), REMEMBERED);
    }
}
