//! How the tools are grouped and spelled, each with the words of `--tools`, `--caps` and `--tool-names`.

/// The product's three parts, as in `--tools app,browser,test`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    App,
    Browser,
    Test,
}

/// A group of tools or arguments that `--caps` switches on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cap {
    Background,
}

/// How `tools/list` spells the names; every spelling is accepted in calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Snake,
    Camel,
    Playwright,
}

/// A choice that people and files write as a word.
pub(crate) trait Word: Sized + Copy + PartialEq + 'static {
    /// Every value with its word, in the order in which people read them.
    const WORDS: &'static [(&'static str, Self)];

    /// The value that `word` stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
    }

    /// The word for this value.
    fn word(self) -> &'static str {
        // The tests show that every value is among its words, so the fallback is never taken.
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(name, _)| name)
    }
}

impl Word for Family {
    const WORDS: &'static [(&'static str, Self)] =
        &[("app", Self::App), ("browser", Self::Browser), ("test", Self::Test)];
}

impl Word for Cap {
    const WORDS: &'static [(&'static str, Self)] = &[("background", Self::Background)];
}

impl Word for Spelling {
    const WORDS: &'static [(&'static str, Self)] =
        &[("snake", Self::Snake), ("camel", Self::Camel), ("playwright", Self::Playwright)];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_word_and_every_word_its_value() {
        for family in [Family::App, Family::Browser, Family::Test] {
            assert_eq!(Family::from_word(family.word()), Some(family));
        }
        for spelling in [Spelling::Snake, Spelling::Camel, Spelling::Playwright] {
            assert_eq!(Spelling::from_word(spelling.word()), Some(spelling));
        }
        assert_eq!(Cap::from_word(Cap::Background.word()), Some(Cap::Background));
        assert_eq!(Family::from_word("tests"), None);
    }
}
