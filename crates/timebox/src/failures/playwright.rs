//! `@playwright/test`'s list reporter.
//!
//! ```text
//!   1) [chromium] › tests/cart.spec.ts:4:3 › cart › adds wrongly ─────────────
//!
//!     Error: the sum
//!     …
//!         at /repo/tests/cart.spec.ts:6:32
//! ```
//!
//! A test that failed and passed when it was tried again is told as `flaky` at the end, and is no failure.

use super::collect::{Collection, Message};
use super::jest::source_line;
use super::stack::{self, Place};
use super::{Extractor, Failure, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Playwright {
    failures: Collection,
    block: Option<Block>,
    /// Inside the list of flaky tests at the end.
    in_flaky: bool,
}

#[derive(Debug, Default)]
struct Block {
    failure: Failure,
    message: Message,
    place: Option<Place>,
    over: bool,
}

impl Extractor for Playwright {
    fn line(&mut self, line: &str) {
        if let Some(block) = Block::begin(line) {
            self.close();
            self.block = Some(block);
        } else if let Some(status) = summary(line) {
            self.close();
            self.in_flaky = status == "flaky";
        } else if self.in_flaky {
            if let Some((_, test)) = heading(line) {
                // A step's name follows the test's.
                self.failures.forget(|told| told.starts_with(&test));
            }
        } else if line.trim_start().starts_with("Retry #") {
            // The first try's message is as good as the second's.
            self.close();
        } else if is_load_error(line) {
            self.close();
            let mut block = Block::default();
            block.line(line);
            self.block = Some(block);
        } else if let Some(block) = &mut self.block {
            block.line(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Playwright {
    fn close(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        block.failure.message = block.message.take();
        if let Some(place) = block.place {
            // `at cart.spec.ts:2` is relative to the tests' folder; the message may have the whole path.
            let whole = block.failure.message.split([' ', '\n']).map(|word| word.trim_end_matches(':'));
            let mut whole = whole.filter(|word| word.ends_with(&format!("/{}", place.file)));
            block.failure.file = Some(whole.next().map_or_else(|| place.file.clone(), str::to_owned));
            block.failure.line = Some(place.line);
        }
        // Said after every error that kept the files from loading.
        if block.failure.message != "Error: No tests found" || self.failures.is_empty() {
            self.failures.add(block.failure);
        }
    }
}

impl Block {
    /// `  1) [chromium] › tests/cart.spec.ts:4:3 › cart › adds wrongly ───`
    fn begin(line: &str) -> Option<Self> {
        let (number, rest) = line.strip_prefix("  ")?.split_once(") ")?;
        number.parse::<u32>().ok()?;
        let (place, test) = heading(rest)?;
        let failure = Failure {
            test: Some(test),
            file: Some(place.file),
            line: Some(place.line),
            ..Failure::default()
        };
        Some(Self { failure, ..Self::default() })
    }

    fn line(&mut self, line: &str) {
        if let Some(place) = stack::frame(line) {
            self.over = true;
            // `at cart.spec.ts:2` comes before the frame that has the whole path.
            let fuller =
                self.place.as_ref().is_none_or(|known| place.file.ends_with(&format!("/{}", known.file)));
            if fuller && !stack::is_foreign(&place.file) {
                self.place = Some(place);
            }
        } else if source_line(line).is_some() || line.trim_start().starts_with("Error Context:") {
            self.over = true;
        } else if !self.over {
            self.message.push(line.strip_prefix("    ").unwrap_or(line));
        }
    }
}

/// The place and the titles in `[chromium] › tests/cart.spec.ts:4:3 › cart › adds wrongly ───`.
fn heading(line: &str) -> Option<(Place, String)> {
    let line = line.trim_end_matches(['─', ' ']).trim();
    let mut parts = line.split(" › ");
    let place = parts.by_ref().find_map(stack::place)?;
    let titles: Vec<&str> = parts.collect();
    (!titles.is_empty()).then(|| (place, titles.join(" › ")))
}

/// The word in `  3 failed`, `  1 flaky`, `  2 passed (3.3s)`.
fn summary(line: &str) -> Option<&str> {
    let (number, word) = line.strip_prefix("  ")?.split_once(' ')?;
    number.parse::<u32>().ok()?;
    ["failed", "flaky", "skipped", "passed", "interrupted", "did not run"]
        .into_iter()
        .find(|known| word.starts_with(known))
}

/// An error outside every test: a file that could not be loaded, a configuration that is wrong.
fn is_load_error(line: &str) -> bool {
    let name = line.split_once(": ").map_or("", |(name, _)| name);
    name.ends_with("Error") && name.chars().all(char::is_alphanumeric)
}

/// `  1 failed`, `  2 passed (1.2s)`, each on its line.
pub(crate) fn ran(line: &str) -> Option<u64> {
    if line == "Error: No tests found" {
        return Some(0);
    }
    let (number, outcome) = line.strip_prefix("  ")?.split_once(' ')?;
    let number = number.parse().ok()?;
    match outcome.split(" (").next()? {
        "passed" | "failed" | "flaky" | "interrupted" => Some(number),
        "skipped" | "did not run" => Some(0),
        _ => None,
    }
}
