//! Output of no particular runner: the few forms in which most programs tell an error.
//!
//! It speaks only when the runner's own reader found nothing, and then it says little: a wrong guess costs the reader
//! more than a missing one, because the excerpts are there anyway.

use super::collect::Collection;
use super::{Extractor, Failure, Failures, stack};

/// The first ones are the cause, the others its consequences.
const MOST: usize = 10;

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Generic {
    failures: Collection,
    found: usize,
}

impl Extractor for Generic {
    fn line(&mut self, line: &str) {
        if self.found == MOST {
            return;
        }
        if let Some(failure) = placed(line).or_else(|| named(line)) {
            self.found += 1;
            self.failures.add(failure);
        }
    }

    fn finish(self: Box<Self>) -> Failures {
        self.failures.finish()
    }
}

/// `src/a.c:3:5: error: …`, as compilers have it.
fn placed(line: &str) -> Option<Failure> {
    let (at, message) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
    let place = stack::place(at)?;
    Some(Failure { test: None, file: Some(place.file), line: Some(place.line), message: message.to_owned() })
}

/// `error: …`, `fatal: …`, `SomeError: …`, `com.example.SomeException: …`, `panic: …` at the beginning of a line.
fn named(line: &str) -> Option<Failure> {
    let (name, message) = line.split_once(": ")?;
    let word = name.split(['[', ' ']).next()?;
    let plain = word.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
    let lower = word.to_ascii_lowercase();
    let known = ["error", "fatal", "panic"].contains(&lower.as_str())
        || word.ends_with("Error")
        || word.ends_with("Exception");
    (plain && known && !message.is_empty())
        .then(|| Failure { message: line.to_owned(), ..Failure::default() })
}
