//! CSS back as text.

use std::fmt;

use super::{Combinator, Complex, Compound, CssList, PseudoClass};
use crate::locator::quote::to_css;

impl fmt::Display for CssList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, complex) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{complex}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Complex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (combinator, compound)) in self.0.iter().enumerate() {
            match combinator {
                Combinator::None => {}
                Combinator::Descendant => f.write_str(" ")?,
                sign if index == 0 => write!(f, "{} ", sign.sign())?,
                sign => write!(f, " {} ", sign.sign())?,
            }
            write!(f, "{compound}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Compound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.native)?;
        self.pseudo.iter().try_for_each(|pseudo| write!(f, "{pseudo}"))
    }
}

impl fmt::Display for PseudoClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(list) => write!(f, ":is({list})"),
            Self::Not(list) => write!(f, ":not({list})"),
            Self::Has(list) => write!(f, ":has({list})"),
            Self::NthMatch(list, number) => write!(f, ":nth-match({list}, {number})"),
            Self::HasText(text) => write!(f, ":has-text({})", to_css(text)),
            Self::Text(text) => write!(f, ":text({})", to_css(text)),
            Self::TextIs(text) => write!(f, ":text-is({})", to_css(text)),
            Self::TextMatches(regex) => {
                write!(f, ":text-matches({}, {})", to_css(regex.source()), to_css(regex.flags()))
            }
            Self::Visible => f.write_str(":visible"),
            Self::Scope => f.write_str(":scope"),
        }
    }
}
