//! Jest's default reporter.
//!
//! ```text
//! FAIL src/sum.test.js
//!   ● sum › adds wrongly
//!
//!     expect(received).toBe(expected) // Object.is equality
//!     …
//!       at Object.toBe (src/sum.test.js:6:19)
//! ```

use super::collect::{Collection, Message};
use super::stack::{self, Place};
use super::{Extractor, Failure, Failures};
use crate::census::before;

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Jest {
    failures: Collection,
    /// The file that is being told.
    file: Option<String>,
    /// After many suites all failures are told once more.
    over: bool,
    block: Option<Block>,
}

#[derive(Debug, Default)]
struct Block {
    test: Option<String>,
    message: Message,
    place: Option<Place>,
    /// The line that the excerpt of the source points at.
    pointed_at: Option<u32>,
    over: bool,
}

impl Extractor for Jest {
    fn line(&mut self, line: &str) {
        if line == "Summary of all failing tests" {
            self.close();
            self.over = true;
        }
        if self.over {
            return;
        }
        if let Some(title) = line.strip_prefix("  ● ") {
            self.close();
            self.block = Block::begin(title);
        } else if !line.is_empty() && !line.starts_with(' ') {
            self.close();
            let file =
                line.strip_prefix("FAIL ").map(|rest| rest.rsplit_once(" (").map_or(rest, |(file, _)| file));
            // In a build of several projects, the project's name stands before the file.
            self.file = file.and_then(|file| file.split_whitespace().last()).map(str::to_owned);
        } else if let Some(block) = &mut self.block {
            block.line(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Jest {
    fn close(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        let (file, line) = match block.place {
            Some(place) => (Some(place.file), Some(place.line)),
            None => (self.file.clone(), block.pointed_at),
        };
        self.failures.add(Failure { test: block.test, file, line, message: block.message.take() });
    }
}

impl Block {
    fn begin(title: &str) -> Option<Self> {
        match title {
            "Console" => None,
            "Test suite failed to run" => Some(Self::default()),
            test => Some(Self { test: Some(test.to_owned()), ..Self::default() }),
        }
    }

    fn line(&mut self, line: &str) {
        if let Some(place) = stack::frame(line) {
            self.over = true;
            if self.place.is_none() && !stack::is_foreign(&place.file) {
                self.place = Some(place);
            }
        } else if let Some(number) = source_line(line) {
            self.over = true;
            if line.trim_start().starts_with('>') {
                self.pointed_at.get_or_insert(number);
            }
        } else if line.trim() == "Details:" {
            // What precedes is advice of a general kind.
            self.message.take();
        } else if !self.over {
            self.message.push(line.strip_prefix("    ").unwrap_or(line));
        }
    }
}

/// The number in `    > 6 |     expect(1 + 2).toBe(4);`.
pub(super) fn source_line(line: &str) -> Option<u32> {
    let (number, _) = line.split_once('|')?;
    number.trim().trim_start_matches('>').trim().parse().ok()
}

/// `Tests:       1 failed, 2 passed, 3 total`
pub(crate) fn ran(line: &str) -> Option<u64> {
    if line.starts_with("No tests found") {
        return Some(0);
    }
    let counts = line.strip_prefix("Tests: ")?;
    Some(before(counts, "passed") + before(counts, "failed"))
}
