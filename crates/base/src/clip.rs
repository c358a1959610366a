//! Cutting a text to a budget and saying what was left out.
//!
//! A budget is counted in characters, because that is what fills an agent's context. A cut never splits a character,
//! and the reader always learns that there was more and how much.

use std::borrow::Cow;

/// Keeps the beginning of `text`, at most `budget` characters, and ends with a note of how much is missing.
///
/// The note comes on top of the budget: it is short, and without it the text would lie about its length.
pub fn head(text: &str, budget: usize) -> Cow<'_, str> {
    match text.char_indices().nth(budget) {
        None => Cow::Borrowed(text),
        Some((cut, _)) => {
            let left_out = text[cut..].chars().count();
            Cow::Owned(format!("{}… [{left_out} more characters]", &text[..cut]))
        }
    }
}

/// Keeps the end of `text`, at most `budget` characters, and begins with a note of how much is missing.
pub fn tail(text: &str, budget: usize) -> Cow<'_, str> {
    let total = text.chars().count();
    if total <= budget {
        return Cow::Borrowed(text);
    }
    let left_out = total - budget;
    let cut = text.char_indices().nth(left_out).map_or(text.len(), |(at, _)| at);
    Cow::Owned(format!("[{left_out} characters before] …{}", &text[cut..]))
}

/// Keeps the beginning and the end of `text`, `budget` characters together, with a note between them.
pub fn middle(text: &str, budget: usize) -> Cow<'_, str> {
    let total = text.chars().count();
    if total <= budget {
        return Cow::Borrowed(text);
    }
    let front = budget / 2;
    let back = budget - front;
    let at = |nth: usize| text.char_indices().nth(nth).map_or(text.len(), |(at, _)| at);
    let left_out = total - budget;
    Cow::Owned(format!("{}… [{left_out} characters] …{}", &text[..at(front)], &text[at(total - back)..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_within_its_budget_is_untouched() {
        assert_eq!(head("añb", 3), "añb");
        assert_eq!(tail("añb", 3), "añb");
        assert_eq!(middle("añb", 3), "añb");
    }

    #[test]
    fn a_cut_says_how_much_is_missing() {
        assert_eq!(head("abcdef", 2), "ab… [4 more characters]");
        assert_eq!(tail("abcdef", 2), "[4 characters before] …ef");
        assert_eq!(middle("abcdef", 3), "a… [3 characters] …ef");
    }

    proptest! {
        #[test]
        fn no_cut_splits_a_character_or_exceeds_its_budget_by_more_than_the_note(text in "\\PC{0,80}", budget in 0usize..90) {
            for cut in [head(&text, budget), tail(&text, budget), middle(&text, budget)] {
                prop_assert!(cut.chars().count() <= budget + 40);
            }
        }
    }
}
