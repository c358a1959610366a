//! PHPUnit.
//!
//! ```text
//! There were 2 failures:
//!
//! 1) CartTest::testAddsWrongly
//! Failed asserting that 3 is identical to 4.
//!
//! /repo/tests/CartTest.php:10
//! ```

use super::collect::{Collection, Message};
use super::stack::{self, Place};
use super::{Extractor, Failure, Failures};
use crate::census::{after, before};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Phpunit {
    failures: Collection,
    /// Inside a list of errors or failures, not of risky tests, warnings or deprecations.
    failing: bool,
    block: Option<Block>,
}

#[derive(Debug, Default)]
struct Block {
    test: String,
    message: Message,
    place: Option<Place>,
}

impl Extractor for Phpunit {
    fn line(&mut self, line: &str) {
        if line.starts_with("There was ") || line.starts_with("There were ") {
            self.close();
            let kind = line.trim_end_matches(':');
            self.failing = ["error", "errors", "failure", "failures"].iter().any(|word| kind.ends_with(word));
        } else if let Some(test) = numbered(line) {
            self.close();
            if self.failing {
                self.block = Some(Block { test: test.to_owned(), ..Block::default() });
            }
        } else if line == "--" || line == "ERRORS!" || line == "FAILURES!" {
            self.close();
        } else if let Some(block) = &mut self.block {
            block.line(line);
        } else {
            self.failures.extend(fatal(line));
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Phpunit {
    fn close(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        let (file, line) = block.place.map_or((None, None), |place| (Some(place.file), Some(place.line)));
        self.failures.add(Failure { test: Some(block.test), file, line, message: block.message.take() });
    }
}

impl Block {
    /// A line that is nothing but a place is a frame; the last one is the test's own, the others are what it called.
    fn line(&mut self, line: &str) {
        match stack::place(line).filter(|place| place.file.ends_with(".php") && !place.file.contains(' ')) {
            Some(place) => self.place = Some(place),
            None => self.message.push(line),
        }
    }
}

fn numbered(line: &str) -> Option<&str> {
    let (number, test) = line.split_once(") ")?;
    number.parse::<u32>().ok()?;
    test.contains("::").then_some(test)
}

/// `PHP Fatal error:  Uncaught ParseError: … in /repo/tests/BrokenTest.php:3`, `PHP Parse error:  … in X on line 3`.
fn fatal(line: &str) -> Option<Failure> {
    let known = ["PHP Fatal error:", "PHP Parse error:"];
    let text = known.iter().find_map(|head| line.strip_prefix(head))?.trim();
    let (message, at) = text.rsplit_once(" in ").unwrap_or((text, ""));
    let place = stack::place(&at.replace(" on line ", ":"));
    let (file, line) = place.map_or((None, None), |place| (Some(place.file), Some(place.line)));
    Some(Failure { test: None, file, line, message: message.to_owned() })
}

/// `OK (1 test, 1 assertion)`, or `Tests: 3, Assertions: 2, Failures: 1, Skipped: 1.`
pub(crate) fn ran(line: &str) -> Option<u64> {
    if line == "No tests executed!" {
        return Some(0);
    }
    if let Some(counts) = line.strip_prefix("OK (") {
        return Some(before(counts, "test") + before(counts, "tests"));
    }
    let counts = line.strip_prefix("Tests: ").filter(|counts| counts.contains(", Assertions: "))?;
    let skipped = after(counts, "Skipped:").unwrap_or(0);
    after(line, "Tests:").map(|run| run.saturating_sub(skipped))
}
