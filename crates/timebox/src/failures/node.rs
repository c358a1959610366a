//! `node --test` with the spec reporter.
//!
//! ```text
//! ✖ failing tests:
//!
//! test at test/cart.test.mjs:4:1
//! ✖ adds wrongly (2.18734ms)
//!   AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
//!       at TestContext.<anonymous> (file:///repo/test/cart.test.mjs:5:10)
//! ```
//!
//! The list at the end replaces what was told while the tests ran; a run that was ended early has only the latter.

use super::collect::{Collection, Message};
use super::stack::{self, Place};
use super::{Extractor, Failure, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Node {
    failures: Collection,
    /// What was told before the list at the end.
    early: Collection,
    in_list: bool,
    block: Option<Block>,
    declared_at: Option<Place>,
    /// The last error that a crashing file wrote by itself.
    crash: Option<String>,
}

#[derive(Debug, Default)]
struct Block {
    name: String,
    indent: usize,
    declared_at: Option<Place>,
    message: Message,
    place: Option<Place>,
    over: bool,
}

impl Extractor for Node {
    fn line(&mut self, line: &str) {
        let text = line.trim_start();
        if text == "✖ failing tests:" {
            self.close();
            self.in_list = true;
        } else if let Some(at) = line.strip_prefix("test at ") {
            self.close();
            self.declared_at = stack::place(at);
        } else if let Some(title) = text.strip_prefix("✖ ") {
            self.close();
            let name = title.rsplit_once(" (").map_or(title, |(name, _)| name).to_owned();
            let declared_at = self.declared_at.take();
            self.block = Some(Block { name, indent: indent_of(line), declared_at, ..Block::default() });
        } else if let Some(block) =
            self.block.as_mut().filter(|block| text.is_empty() || indent_of(line) > block.indent)
        {
            block.line(line);
        } else {
            self.close();
            let error = line
                .split_once(": ")
                .is_some_and(|(name, _)| name.split(' ').next().unwrap_or("").ends_with("Error"));
            if error && !line.starts_with(' ') {
                self.crash = Some(line.to_owned());
            }
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        if self.in_list { self.failures.finish() } else { self.early.finish() }
    }
}

impl Node {
    fn close(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        let message = block.message.take();
        // A suite says nothing of its own: its tests are told themselves.
        if message.is_empty() {
            return;
        }
        let place = block.place.or(block.declared_at);
        let (file, line) = place.map_or((None, None), |place| (Some(place.file), Some(place.line)));
        let failure = Failure { test: Some(block.name), file, line, message };
        if failure.message == "'test failed'" {
            self.file_failed(failure);
        } else if self.in_list {
            self.failures.add(failure);
        } else {
            self.early.add(failure);
        }
    }

    /// A whole file failed, and its name is all that Node tells; the error itself was written by the file's process.
    fn file_failed(&mut self, failure: Failure) {
        let name = failure.test.unwrap_or_default();
        if !self.in_list {
            let message =
                self.crash.take().unwrap_or_else(|| "the file failed outside of its tests".to_owned());
            self.early.add(Failure { file: Some(name), message, ..Failure::default() });
        } else if let Some(early) = self.early.of_file(&name) {
            self.failures.add(early.clone());
        } else {
            self.failures.add(Failure { test: None, file: Some(name), line: None, message: failure.message });
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
        } else if line.trim_start().starts_with("at ") {
            self.over = true;
        } else if !self.over {
            self.message.push(line.get(self.indent + 2..).unwrap_or_default());
        }
    }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// `ℹ pass 1`, `ℹ fail 0`, each on its line.
pub(crate) fn ran(line: &str) -> Option<u64> {
    let (outcome, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    if matches!(outcome, "pass" | "fail" | "cancelled") { number.parse().ok() } else { None }
}
