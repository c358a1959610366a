//! Dart's output.

use super::collect::Collection;
use super::{Extractor, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Dart {
    failures: Collection,
}

impl Extractor for Dart {
    fn line(&mut self, _line: &str) {}

    fn finish(self: Box<Self>) -> Failures {
        self.failures.finish()
    }
}
