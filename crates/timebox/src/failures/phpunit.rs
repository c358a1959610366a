//! Phpunit's output.

use super::collect::Collection;
use super::{Extractor, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Phpunit {
    failures: Collection,
}

impl Extractor for Phpunit {
    fn line(&mut self, _line: &str) {}

    fn finish(self: Box<Self>) -> Failures {
        self.failures.finish()
    }
}
