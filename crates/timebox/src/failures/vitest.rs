//! Vitest's default reporter.
//!
//! ```text
//!  FAIL  src/sum.test.ts > sum > adds wrongly
//! AssertionError: expected 3 to be 4 // Object.is equality
//!  ❯ src/sum.test.ts:6:19
//! ⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[2/5]⎯
//! ```
//!
//! Several tests that failed in the same way share one message below all their names.

use super::collect::{Collection, Message};
use super::stack::{self, Place};
use super::{Extractor, Failure, Failures};
use crate::census::before;

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Vitest {
    failures: Collection,
    block: Option<Block>,
}

#[derive(Debug, Default)]
struct Block {
    failed: Vec<Failure>,
    message: Message,
    place: Option<Place>,
    over: bool,
}

impl Extractor for Vitest {
    fn line(&mut self, line: &str) {
        if let Some(header) = line.strip_prefix(" FAIL  ") {
            let shares = self.block.as_ref().is_some_and(|block| block.message.is_empty());
            if !shares {
                self.close();
            }
            self.block.get_or_insert_default().failed.push(failed(header));
        } else if line.starts_with('⎯') {
            self.close();
            if line.contains("Unhandled Rejection") || line.contains("Uncaught Exception") {
                self.block = Some(Block { failed: vec![Failure::default()], ..Block::default() });
            }
        } else if let Some(block) = &mut self.block {
            block.line(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Vitest {
    fn close(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        let message = block.message.take();
        for mut failure in block.failed {
            if let Some(place) = &block.place {
                failure.file = Some(place.file.clone());
                failure.line = Some(place.line);
            }
            failure.message.clone_from(&message);
            self.failures.add(failure);
        }
    }
}

impl Block {
    fn line(&mut self, line: &str) {
        if let Some(place) = stack::frame(line) {
            self.over = true;
            if self.place.is_none() && !stack::is_foreign(&place.file) {
                self.place = Some(place);
            }
        } else if !self.over {
            self.message.push(line);
        }
    }
}

/// `|project| src/sum.test.ts > sum > adds wrongly`, or `src/a.test.ts [ src/a.test.ts ]` for a file that failed whole.
fn failed(header: &str) -> Failure {
    let header =
        header.strip_prefix('|').and_then(|rest| rest.split_once("| ")).map_or(header, |(_, rest)| rest);
    match header.split_once(" > ") {
        Some((file, test)) => {
            Failure { test: Some(test.to_owned()), file: Some(file.to_owned()), ..Failure::default() }
        }
        None => {
            let file = header.split_once(" [ ").map_or(header, |(file, _)| file);
            Failure { file: Some(file.to_owned()), ..Failure::default() }
        }
    }
}

/// `      Tests  1 failed | 2 passed | 3 skipped (6)`
pub(crate) fn ran(line: &str) -> Option<u64> {
    if line.starts_with("No test files found") {
        return Some(0);
    }
    let counts = line.trim_start().strip_prefix("Tests  ")?;
    Some(before(counts, "passed") + before(counts, "failed"))
}
