//! WebDriver BiDi (<https://www.w3.org/TR/webdriver-bidi/>), straight to a browser's socket.
//!
//! One [`Connection`] carries everything; what a command is about stands in its parameters. A command is a value of a
//! type in [`types`]; calling it gives its typed answer or a [`CallError`].
//!
//! ## Order
//!
//! The protocol says what happened before an answer by sending it before. So that nobody loses that, the task that reads
//! hands each event to the [`Listener`] before it reads on: when an answer is there, every earlier event has been heard.
//! A listener therefore never waits, and makes no calls whose answers it needs.

mod call;
mod connection;
mod error;
mod event;
mod message;
#[cfg(test)]
mod tests;
pub mod types;

pub use call::Call;
pub use connection::{Connection, Listener};
pub use error::CallError;
pub use event::{Event, MalformedEvent};

pub use crate::command::{Command, Empty, EventKind};
