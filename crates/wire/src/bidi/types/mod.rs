//! The protocol's types, by module: those that the engine needs, each as the protocol's own definition has it.
//!
//! A command is written with its required parameters first and its optional ones after, `new` takes the required ones,
//! and the rest is set by struct update. Names are the protocol's, in Rust's spelling; what they mean stands in the
//! specification (<https://www.w3.org/TR/webdriver-bidi/>).
#![expect(missing_docs, reason = "fields are the protocol's, and documented there")]

pub mod browser;
pub mod browsing_context;
pub mod emulation;
pub mod ids;
pub mod input;
pub mod log;
pub mod network;
pub mod permissions;
pub mod script;
pub mod session;
pub mod storage;
