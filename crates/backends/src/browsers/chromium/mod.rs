//! Chromium and its kin: Chrome, Edge, and the headless shell, which is three to five times cheaper.

mod find;
mod flags;

pub use find::{Channel, Choice, Executable, NotFound, find};
pub use flags::{Launch, Sandbox, flags};
