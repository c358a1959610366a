//! The remote-inspector socket of WebKitGTK: what its own WebDriver speaks underneath.
//!
//! One TCP connection carries named messages with GVariant parameters (`frame`, `gvariant`). They announce targets: the
//! *Automation* target (input, dialogs, files, windows) and one for each page. What is said to a target is JSON, a call with
//! a number or an event (`connection`, `channel`); a page's own protocol is wrapped once more, because a page may move
//! from one process to another ([`channel::Wrapping`]).
//!
//! The protocol is the browser's own and changes with it: its list of commands is read at the start (`commands`).

mod call;
mod channel;
mod commands;
mod connection;
mod frame;
mod gvariant;
mod message;
mod routes;
mod socket;
pub mod types;

pub use call::{Call, CallError};
pub use channel::{Channel, Event, Events, Wrapping};
pub use commands::{Commands, Lacking};
pub use connection::{Connection, Notice, Notices};
pub use gvariant::{Target, TargetKind};
