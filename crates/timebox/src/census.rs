//! Whether any test ran at all. A pattern that matches nothing passes under many runners, and says little of the code.
//!
//! Each runner's way of counting is beside its reader of failures: one function that knows a line with a count in it
//! from any other. A run may have several such lines, one a package or a kind of outcome; they add up.

/// Counts the tests that ran, line by line.
#[derive(Debug, Clone, Copy)]
pub struct Census {
    count: fn(&str) -> Option<u64>,
    ran: Option<u64>,
}

impl Census {
    pub(crate) fn new(count: fn(&str) -> Option<u64>) -> Self {
        Self { count, ran: None }
    }

    /// Takes the next line: clean, without its line break.
    pub fn line(&mut self, line: &str) {
        if let Some(more) = (self.count)(line) {
            self.ran = Some(self.ran.unwrap_or(0).saturating_add(more));
        }
    }

    /// How many ran, more or less; nothing when no line told.
    pub fn ran(&self) -> Option<u64> {
        self.ran
    }

    /// Whether the output says that none ran. Silence about it proves nothing.
    pub fn nothing_ran(&self) -> bool {
        self.ran == Some(0)
    }
}

/// The number before `word` in a list such as `1 failed, 2 passed`; 0 where the word is missing.
pub(crate) fn before(text: &str, word: &str) -> u64 {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let pairs = words.windows(2).filter(|pair| pair[1] == word);
    pairs.filter_map(|pair| pair[0].parse::<u64>().ok()).sum()
}

/// The number after `label` in a list such as `Failed: 1, Passed: 2`; nothing where the label is missing.
pub(crate) fn after(text: &str, label: &str) -> Option<u64> {
    let (_, rest) = text.split_once(label)?;
    let rest = rest.trim_start();
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_and_silence_is_not_zero() {
        let mut census = Census::new(|line| line.parse().ok());
        census.line("nothing about it");
        assert!(!census.nothing_ran());
        census.line("0");
        assert!(census.nothing_ran());
        census.line("2");
        assert_eq!(census.ran(), Some(2));
    }

    #[test]
    fn numbers_are_read_before_and_after_words() {
        assert_eq!(before("Tests  1 failed | 12 passed (13)", "passed"), 12);
        assert_eq!(before("3 skipped, 3 total", "passed"), 0);
        assert_eq!(after("Failed:     0, Passed:    12, Total: 12", "Passed:"), Some(12));
        assert_eq!(after("Passed: many", "Passed:"), None);
    }
}
