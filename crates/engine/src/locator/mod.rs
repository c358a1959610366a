//! What a user wrote to address an element, parsed into a [`Selector`].
//!
//! Accepted are Playwright's selector strings (CSS by default, XPath, `text=`, `role=` …, chained by `>>`) and its call
//! syntax in TypeScript and Python spelling (`getByRole('button', { name: 'Save' })`). Nothing here knows a page: the
//! parsed form travels as JSON to the injected script, which does the matching. docs/selectors.md is the user's view.

mod ast;
mod attributes;
mod call;
mod chain;
mod codegen;
mod css;
mod cursor;
mod display;
mod engines;
mod json;
mod quote;
mod refusal;
mod role;
mod roles;
mod suggest;

#[cfg(test)]
mod tests;

pub use ast::{Attribute, Regex, Selector, Step, TextMatch};
pub use codegen::Language;
pub(crate) use codegen::{quoted, snake};
pub use css::{Combinator, Complex, Compound, CssList, PseudoClass};
pub use refusal::{Reason, SelectorRefused};
pub use role::{NameMatch, NameOperator, RoleQuery, Tristate};
