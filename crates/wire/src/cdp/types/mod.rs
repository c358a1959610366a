//! The protocol's types, by domain: those that the engine needs, each as the protocol's own definition has it.
//!
//! A command is written with its required parameters first and its optional ones after, `new` takes the required ones,
//! and the rest is set by struct update. Names are the protocol's, in Rust's spelling; what they mean stands in the
//! protocol's documentation (<https://chromedevtools.github.io/devtools-protocol/>).
#![expect(missing_docs, reason = "fields are the protocol's, and documented there")]

pub mod accessibility;
pub mod browser;
pub mod dom;
pub mod emulation;
pub mod fetch;
pub mod ids;
pub mod input;
pub mod inspector;
pub mod io;
pub mod log;
pub mod network;
pub mod page;
pub mod performance;
pub mod runtime;
pub mod security;
pub mod storage;
pub mod target;
