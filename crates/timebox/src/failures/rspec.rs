//! Rspec's output.

use super::collect::Collection;
use super::{Extractor, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Rspec {
    failures: Collection,
}

impl Extractor for Rspec {
    fn line(&mut self, _line: &str) {}

    fn finish(self: Box<Self>) -> Failures {
        self.failures.finish()
    }
}
