//! Playwright's output.

use super::collect::Collection;
use super::{Extractor, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Playwright {
    failures: Collection,
}

impl Extractor for Playwright {
    fn line(&mut self, _line: &str) {}

    fn finish(self: Box<Self>) -> Failures {
        self.failures.finish()
    }
}
