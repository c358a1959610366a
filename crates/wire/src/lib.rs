//! Browser protocols as their specifications have them: messages on a pipe or a socket, calls and their answers,
//! events, and types.
//!
//! [`transport`] moves whole messages, [`pending`] matches answers to calls, [`cdp`] is the Chrome DevTools
//! Protocol on top of them. Nothing here waits for a page to become anything, tries twice, or knows what a selector
//! is: that is the engine's, and how long an answer may take is the caller's, who drops the call when it is too late.

pub mod cdp;
mod json;
pub mod pending;
pub mod transport;

pub use json::{Blob, Json, Raw};
pub use transport::Closed;
