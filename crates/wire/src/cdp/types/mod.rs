//! The protocol's types, by domain: those that the engine needs, each as the protocol's own definition has it.
//!
//! A command is written with its required parameters first and its optional ones after, `new` takes the required ones,
//! and the rest is set by struct update. Names are the protocol's, in Rust's spelling; what they mean stands in the
//! protocol's documentation (<https://chromedevtools.github.io/devtools-protocol/>).
#![expect(missing_docs, reason = "fields are the protocol's, and documented there")]

#[macro_use]
mod define;
pub mod browser;
pub mod dom;
pub mod ids;
pub mod page;
pub mod runtime;
pub mod target;
