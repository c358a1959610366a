//! The console of a page, as the agent may ask about it.

use std::collections::VecDeque;

use crate::backend::{ConsoleEntry, ConsoleLevel};

/// As many lines as are remembered.
const REMEMBERED: usize = 1_000;
/// As much of a line as is kept.
const LONGEST: usize = 10_000;

/// The newest lines, each with its number.
#[derive(Debug, Default)]
pub struct Console {
    lines: VecDeque<ConsoleEntry>,
    forgotten: usize,
}

impl Console {
    /// The number that the next line will have.
    pub fn next_index(&self) -> usize {
        self.forgotten + self.lines.len()
    }

    /// The lines from number `index` on that are at least as grave as `level`.
    pub fn since(&self, index: usize, level: ConsoleLevel) -> impl Iterator<Item = &ConsoleEntry> {
        let skip = index.saturating_sub(self.forgotten);
        self.lines.iter().skip(skip).filter(move |entry| entry.level >= level)
    }

    /// Adds a line; the oldest goes when there are too many.
    pub fn push(&mut self, mut entry: ConsoleEntry) {
        if self.lines.len() == REMEMBERED {
            self.lines.pop_front();
            self.forgotten += 1;
        }
        if entry.text.len() > LONGEST {
            entry.text = base::clip::head(&entry.text, LONGEST).into_owned();
        }
        self.lines.push_back(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(level: ConsoleLevel, text: &str) -> ConsoleEntry {
        ConsoleEntry { level, text: text.to_owned(), place: None, uncaught: false, at: 0.0 }
    }

    #[test]
    fn lines_are_told_from_a_number_and_a_level_on() {
        let mut console = Console::default();
        console.push(entry(ConsoleLevel::Error, "early"));
        let mark = console.next_index();
        console.push(entry(ConsoleLevel::Info, "info"));
        console.push(entry(ConsoleLevel::Error, "late"));
        let texts = |level| console.since(mark, level).map(|entry| entry.text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts(ConsoleLevel::Debug), ["info", "late"]);
        assert_eq!(texts(ConsoleLevel::Warning), ["late"]);
    }

    #[test]
    fn a_flood_of_lines_and_a_line_without_end_fill_no_memory() {
        let mut console = Console::default();
        for number in 0..REMEMBERED + 5 {
            console.push(entry(ConsoleLevel::Info, &number.to_string()));
        }
        console.push(entry(ConsoleLevel::Info, &"x".repeat(10 * LONGEST)));
        assert_eq!(console.lines.len(), REMEMBERED);
        assert_eq!(console.next_index(), REMEMBERED + 6);
        assert!(console.lines.back().unwrap().text.len() < 2 * LONGEST);
    }
}
