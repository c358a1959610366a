//! Which lines matter (B5.2): seed B's patterns.

use std::sync::LazyLock;

use regex::Regex;

/// FAIL covers FAILED; both are in the seed, one is enough for the machine.
static TROUBLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i:FAIL|ERROR|FATAL)|Exception|Traceback|panic|AssertionError").ok());

/// No pattern's match is longer than this, in bytes.
pub(super) const LONGEST: usize = "AssertionError".len();

/// Where in the line trouble begins, in bytes.
pub(super) fn find(line: &str) -> Option<usize> {
    TROUBLE.as_ref().and_then(|trouble| trouble.find(line)).map(|found| found.start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_seed_is_found_in_the_case_it_asks_for() {
        for line in [
            "FAIL",
            "failed",
            "x Error: y",
            "fatal",
            "IOException",
            "Traceback (",
            "panicked",
            "AssertionError",
        ] {
            assert!(find(line).is_some(), "{line}");
        }
        for line in ["exception", "traceback", "Panic", "all is well", ""] {
            assert!(find(line).is_none(), "{line}");
        }
        assert_eq!(find("1 passed, 2 failed"), Some(12));
    }
}
