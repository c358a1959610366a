//! What was seen of an element while it was waited for: the reason of a refusal, told in time.

use base::CallScope;
use serde::Deserialize;
use tokio::time::Instant;

use crate::failed::{Failed, Obstacle};
use crate::page::Interruption;
use crate::target::Target;

/// More lines than anybody reads; the oldest are given up.
const MOST_LINES: usize = 20;
/// As often as an action is repeated of which its frame saw nothing.
const MOST_LOST: usize = 2;

/// One thing that was seen, as the injected script tells it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Entry {
    /// Milliseconds since the question.
    at: f64,
    text: String,
    times: u32,
}

/// What stands in the way, as the injected script tells it.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Blocked {
    Invisible,
    Moving,
    Disabled,
    Readonly,
    Covered { by: String },
    Outside,
}

impl From<Blocked> for Obstacle {
    fn from(blocked: Blocked) -> Self {
        match blocked {
            Blocked::Invisible => Self::Invisible,
            Blocked::Moving => Self::NotStable,
            Blocked::Disabled => Self::Disabled,
            Blocked::Readonly => Self::NotEditable,
            Blocked::Covered { by } => Self::Covered { by },
            Blocked::Outside => Self::OutsideViewport,
        }
    }
}

/// What was seen last.
#[derive(Debug, Clone)]
enum Sight {
    /// Nothing yet.
    Nothing,
    /// There is no such element.
    Absent,
    /// Something stands in its way.
    Blocked(String, Obstacle),
}

/// Everything that was seen during one action.
#[derive(Debug)]
pub(crate) struct Diary {
    began: Instant,
    entries: Vec<Entry>,
    last: Sight,
    /// An event went elsewhere than it should have.
    missed: bool,
    /// How often nothing of the action came to its frame.
    lost: usize,
}

impl Diary {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), entries: Vec::new(), last: Sight::Nothing, missed: false, lost: 0 }
    }

    /// Adds what a question saw that was asked at `asked`.
    pub(super) fn extend(&mut self, asked: Instant, entries: Vec<Entry>) {
        let offset = asked.saturating_duration_since(self.began).as_secs_f64() * 1000.0;
        for mut entry in entries {
            entry.at += offset;
            match self.entries.last_mut() {
                Some(last) if last.text == entry.text => last.times += entry.times,
                _ => self.entries.push(entry),
            }
        }
        let over = self.entries.len().saturating_sub(MOST_LINES);
        self.entries.drain(..over);
    }

    /// Adds one thing that was seen just now.
    pub(super) fn note(&mut self, text: String) {
        self.extend(Instant::now(), vec![Entry { at: 0.0, text, times: 1 }]);
    }

    /// What stands in the way now.
    pub(super) fn blocked(&mut self, element: String, obstacle: Obstacle) {
        self.last = Sight::Blocked(element, obstacle);
    }

    /// There is no such element now.
    pub(super) fn absent(&mut self) {
        self.last = Sight::Absent;
    }

    /// The action's first event went to `by`, and was stopped.
    pub(super) fn missed(&mut self, element: &str, by: String) {
        self.note(format!("covered by {by} at the moment of the event"));
        self.missed = true;
        self.blocked(element.to_owned(), Obstacle::Covered { by });
    }

    /// Nothing of the action came to the element's frame. Whether that may be tried again: a page that hides its events
    /// from everybody is taken at its word in the end.
    pub(super) fn may_be_lost(&mut self) -> bool {
        self.note("not received by its frame".to_owned());
        self.lost += 1;
        self.lost <= MOST_LOST
    }

    /// Whether the element moves in ways that can't be foreseen: its box is compared over frames from then on.
    pub(super) fn is_suspicious(&self) -> bool {
        self.missed
    }

    /// Why the action did not happen in its time.
    pub(super) fn refusal(&self, target: &Target, scope: &CallScope) -> Failed {
        let (element, obstacle) = match self.last.clone() {
            Sight::Nothing => return Failed::Interrupted(Interruption::TimedOut),
            Sight::Absent => return Failed::NotFound { target: target.to_string() },
            Sight::Blocked(element, obstacle) => (element, obstacle),
        };
        let diary: Vec<String> = self.entries.iter().map(line).collect();
        for line in &diary {
            scope.log().note(line.clone());
        }
        Failed::NotActionable { element, obstacle, diary }
    }
}

fn line(entry: &Entry) -> String {
    let again = if entry.times > 1 { format!(" ×{}", entry.times) } else { String::new() };
    format!("{:.1} s: {}{again}", entry.at / 1000.0, entry.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_same_sight_is_counted_and_not_repeated() {
        let mut diary = Diary::new();
        let entry = |at: f64, text: &str, times| Entry { at, text: text.to_owned(), times };
        diary
            .extend(Instant::now(), vec![entry(0.0, "not visible", 1), entry(150.0, "visible, disabled", 4)]);
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        diary.extend(Instant::now(), vec![entry(0.0, "visible, disabled", 8)]);
        let lines: Vec<String> = diary.entries.iter().map(line).collect();
        assert_eq!(lines, ["0.0 s: not visible", "0.1 s: visible, disabled ×12"]);
    }
}
