//! How an agent addresses an element: by a ref from a snapshot, or by a selector.

use std::fmt;

use crate::locator::{Selector, SelectorRefused};

/// An element, as it was addressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A ref that a snapshot told.
    Ref(Ref),
    /// A way to find it.
    Selector(Selector),
}

/// A ref such as `e12`, or `f1e12` in the frame with number 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ref {
    text: String,
    frame: u32,
}

impl Target {
    /// Reads what an agent wrote: what looks like a ref is one, everything else is a selector. A ref may stand in the
    /// marks of a snapshot (`[ref=e12]`), after `ref=`, or after an `@`.
    ///
    /// # Errors
    /// [`SelectorRefused`] with the place, what is wrong there, and what to write instead.
    pub fn parse(text: &str) -> Result<Self, SelectorRefused> {
        match Ref::parse(text.trim()) {
            Some(reference) => Ok(Self::Ref(reference)),
            None => Selector::parse(text).map(Self::Selector),
        }
    }
}

impl Ref {
    /// The ref in `text`, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        let text = text.strip_prefix("ref=").or_else(|| text.strip_prefix("aria-ref=")).unwrap_or(text);
        let text = text.strip_prefix('@').unwrap_or(text);
        let (frame, element) = match text.strip_prefix('f') {
            Some(rest) => rest.split_once('e')?,
            None => ("0", text.strip_prefix('e')?),
        };
        let number = |digits: &str| {
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u32>().ok()).flatten()
        };
        number(element)?;
        Some(Self { text: text.to_owned(), frame: number(frame)? })
    }

    /// The number of the frame that it leads into; 0 is the topmost.
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// As it was told.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ref(reference) => f.write_str(&reference.text),
            Self::Selector(selector) => selector.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_are_known_in_every_spelling_that_agents_use() {
        for text in ["e12", "[ref=e12]", "ref=e12", "aria-ref=e12", "@e12", " e12 "] {
            assert_eq!(Target::parse(text).unwrap().to_string(), "e12", "{text}");
        }
        assert_eq!(Ref::parse("f3e7").unwrap().frame(), 3);
        for selector in ["em", "footer", "e", "fe1", "e1x", "element", "e-12"] {
            assert!(matches!(Target::parse(selector), Ok(Target::Selector(_))), "{selector}");
        }
    }
}
