//! CSS as written by users: standard selectors, and Playwright's pseudo-classes taken out of them.
//!
//! What the browser understands stays text, because nobody matches it faster; only combinators and the pseudo-classes
//! that look into other trees or at texts become values, since they have to see through open shadow roots.

mod display;
mod parse;
mod pseudo;

pub(super) use parse::list;
pub(super) use pseudo::{JQUERY, near_extension};

use super::ast::Regex;

/// Alternatives separated by commas; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CssList(pub(super) Vec<Complex>);

/// Compounds joined by combinators. The first one's combinator is [`Combinator::None`] unless the selector is relative (`> p`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complex(pub(super) Vec<(Combinator, Compound)>);

/// How a compound relates to the one before it (Selectors 4, 15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combinator {
    /// Nothing stands before.
    None,
    /// A space: anywhere below.
    Descendant,
    /// `>`: directly below.
    Child,
    /// `+`: the very next sibling.
    NextSibling,
    /// `~`: a later sibling.
    LaterSibling,
}

/// Conditions on one element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compound {
    /// The part that the browser matches, such as `button.primary[type="submit"]`; may be empty.
    pub(super) native: String,
    /// The rest, in the order written.
    pub(super) pseudo: Vec<PseudoClass>,
}

/// A pseudo-class that the injected script matches itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PseudoClass {
    /// `:is()`, also written `:where()`.
    Is(CssList),
    /// `:not()`.
    Not(CssList),
    /// `:has()`.
    Has(CssList),
    /// `:nth-match(list, n)`: the nth match of the list, from one.
    NthMatch(CssList, u32),
    /// `:has-text()`: contains the text, anywhere below.
    HasText(String),
    /// `:text()`: the smallest element that contains the text.
    Text(String),
    /// `:text-is()`: a run of text directly inside equals it.
    TextIs(String),
    /// `:text-matches()`: the smallest element whose text the expression finds.
    TextMatches(Regex),
    /// `:visible`.
    Visible,
    /// `:scope`: the element searched from.
    Scope,
}

impl Combinator {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Descendant => " ",
            Self::Child => ">",
            Self::NextSibling => "+",
            Self::LaterSibling => "~",
        }
    }
}

impl CssList {
    /// Whether the browser alone finds the same elements when no shadow root is in the way.
    pub(super) fn is_native(&self) -> bool {
        self.compounds().all(|compound| compound.pseudo.iter().all(PseudoClass::is_native))
            && !self.is_relative()
    }

    /// Whether each alternative is a single native compound, so that trees and scopes make no difference to it.
    pub(super) fn is_flat(&self) -> bool {
        let single = |complex: &Complex| complex.0.len() == 1;
        self.is_native() && self.0.iter().all(single) && self.compounds().all(Compound::is_flat)
    }

    fn is_relative(&self) -> bool {
        self.0.iter().any(|complex| complex.0.first().is_some_and(|(sign, _)| *sign != Combinator::None))
    }

    fn nests_has(&self) -> bool {
        self.compounds().flat_map(|compound| &compound.pseudo).any(|pseudo| match pseudo {
            PseudoClass::Has(_) => true,
            PseudoClass::Is(list) | PseudoClass::Not(list) => list.nests_has(),
            _ => false,
        })
    }

    fn compounds(&self) -> impl Iterator<Item = &Compound> {
        self.0.iter().flat_map(|complex| complex.0.iter().map(|(_, compound)| compound))
    }
}

impl Compound {
    /// Whether the conditions concern the element alone, not its relatives.
    pub(super) fn is_flat(&self) -> bool {
        self.pseudo.iter().all(PseudoClass::is_flat)
    }
}

impl PseudoClass {
    fn is_native(&self) -> bool {
        match self {
            Self::Is(list) | Self::Not(list) => list.is_native(),
            // Selectors 4, 4.5: `:has()` cannot be nested.
            Self::Has(list) => {
                !list.nests_has()
                    && list.compounds().all(|compound| compound.pseudo.iter().all(Self::is_native))
            }
            _ => false,
        }
    }

    pub(super) fn is_flat(&self) -> bool {
        matches!(self, Self::Is(list) | Self::Not(list) if list.is_flat())
    }
}
