//! Libtest's output.

use super::collect::Collection;
use super::{Extractor, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Libtest {
    failures: Collection,
}

impl Extractor for Libtest {
    fn line(&mut self, _line: &str) {}

    fn finish(self: Box<Self>) -> Failures {
        self.failures.finish()
    }
}
