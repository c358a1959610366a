//! Chromium and its kin: Chrome, Edge, and the headless shell, which is three to five times cheaper.
//!
//! On Windows one can be found and attached to; its pipe takes handles that `supervise` can't pass yet.

mod agent;
mod attach;
mod confined;
mod find;
mod flags;
#[cfg(unix)]
mod launch;

pub use crate::browsers::places::NotFound;
pub(crate) use agent::Agent;
pub use attach::{AttachFailed, attach};
pub(crate) use confined::bypass;
pub use find::{Channel, Choice, Executable, find};
pub use flags::{Launch, Sandbox, flags};
#[cfg(unix)]
pub use launch::{LaunchFailed, LaunchOptions, launch};
pub use wire::transport::endpoint::HeaderMap;
