//! Browser protocols as their specifications have them: messages on a pipe or a socket, calls and their answers,
//! events, and types.
//!
//! [`transport`] moves whole messages, [`pending`] matches answers to calls, [`cdp`] is the Chrome DevTools
//! Protocol and [`bidi`] is WebDriver BiDi on top of them, [`inspector`] the socket of WebKit's inspector. Nothing here waits for a page to become
//! anything, tries twice, or knows what a selector
//! is: that is the engine's, and how long an answer may take is the caller's, who drops the call when it is too late.

#[macro_use]
mod define;
pub mod bidi;
pub mod cdp;
mod command;
pub mod inspector;
mod json;
mod outbox;
pub mod pending;
pub mod transport;

pub use json::{Blob, Json, Raw};
pub use transport::Closed;
