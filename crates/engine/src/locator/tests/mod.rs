//! The promises of the parser, case by case.

mod call_syntax;
mod codegen;
mod css;
mod json;
mod refusals;
mod round_trip;
mod strings;

use super::Selector;

/// The canonical string of what `text` means.
fn canonical(text: &str) -> String {
    match Selector::parse(text) {
        Ok(selector) => selector.to_string(),
        Err(refused) => panic!("{text}: {refused}"),
    }
}

/// Each text must mean the selector beside it, and that string itself.
fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(canonical(text), *expected, "{text}");
        assert_eq!(canonical(expected), *expected, "the canonical form of {text}");
    }
}
