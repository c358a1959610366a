//! RSpec.
//!
//! ```text
//! Failures:
//!
//!   1) Cart adds wrongly
//!      Failure/Error: expect(1 + 2).to eq(4)
//!      # ./spec/cart_spec.rb:7:in `block (2 levels) in <top (required)>'
//! ```

use super::collect::{Collection, Message};
use super::stack::{self, Place};
use super::{Extractor, Failure, Failures};
use crate::census::before;

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Rspec {
    failures: Collection,
    /// Pending examples are told in the same form, before.
    in_failures: bool,
    block: Option<Block>,
}

#[derive(Debug, Default)]
struct Block {
    failure: Failure,
    message: Message,
    place: Option<Place>,
    in_trace: bool,
}

impl Extractor for Rspec {
    fn line(&mut self, line: &str) {
        if line == "Failures:" {
            self.in_failures = true;
        } else if let Some(file) = line.strip_prefix("An error occurred while loading ") {
            self.close();
            // `./spec/a_spec.rb. - Did you mean?`
            let file = file.split(". - ").next().unwrap_or(file).trim_end_matches('.').to_owned();
            let failure = Failure { file: Some(file), ..Failure::default() };
            self.block = Some(Block { failure, ..Block::default() });
        } else if let Some(name) = numbered(line).filter(|_| self.in_failures) {
            self.close();
            let failure = Failure { test: Some(name.to_owned()), ..Failure::default() };
            self.block = Some(Block { failure, ..Block::default() });
        } else if line.starts_with("Finished in ")
            || line == "No examples found."
            || line == "Failed examples:"
        {
            self.close();
            self.in_failures = false;
        } else if let Some(block) = &mut self.block {
            block.line(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Rspec {
    fn close(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        block.failure.message = block.message.take();
        if let Some(place) = block.place {
            block.failure.file = Some(place.file);
            block.failure.line = Some(place.line);
        }
        self.failures.add(block.failure);
    }
}

impl Block {
    fn line(&mut self, line: &str) {
        if let Some(frame) = line.trim_start().strip_prefix("# ") {
            self.in_trace = true;
            // Frames of the project begin with `./`; the first one is where it broke.
            let at = frame.split(":in ").next().unwrap_or(frame);
            let place = stack::place(at).filter(|place| place.file.starts_with("./"));
            self.place = self.place.take().or(place);
        } else if self.failure.test.is_none() {
            self.load_line(line);
        } else if !self.in_trace {
            self.message.push(line.strip_prefix("     ").unwrap_or(line));
        }
    }
}

impl Block {
    /// A line about a file that could not be loaded. What comes before the reason is a guess at other files; a syntax
    /// error has its place in its own words: `/repo/spec/a_spec.rb:2: syntax error`.
    fn load_line(&mut self, line: &str) {
        if self.in_trace || (self.message.is_empty() && line.starts_with("      ")) {
            return;
        }
        self.message.push(line);
        let at = line.trim_start().split(": ").next().unwrap_or_default();
        let place = stack::place(at).filter(|place| place.file.ends_with(".rb"));
        self.place = self.place.take().or(place);
    }
}

/// The name in `  1) Cart adds wrongly`.
fn numbered(line: &str) -> Option<&str> {
    let (number, name) = line.strip_prefix("  ")?.split_once(") ")?;
    number.trim().parse::<u32>().ok()?;
    Some(name)
}

/// `3 examples, 1 failure, 1 pending`
pub(crate) fn ran(line: &str) -> Option<u64> {
    let (number, rest) = line.split_once(" example")?;
    let counts = rest.trim_start_matches('s').strip_prefix(", ")?;
    let number: u64 = number.parse().ok()?;
    Some(number.saturating_sub(before(counts, "pending")))
}
