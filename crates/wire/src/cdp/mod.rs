//! The Chrome DevTools Protocol, with flat sessions.
//!
//! One [`Connection`] carries everything: the browser itself and every [`Session`] on a target, told apart by the
//! `sessionId` of each message. A command is a value of a type in [`types`]; calling it gives its typed answer or a
//! [`CallError`]. Events stay unread JSON until a consumer asks for one by its type.
//!
//! ## Events can't block answers
//!
//! A consumer of events makes calls itself, and waits for their answers. If the reader waited for a slow consumer, the
//! answer that the consumer waits for would never be read. So the reader never waits: each session has a queue of its
//! own without a bound in number. It is watched instead: a consumer that falls [`OVERRUN`] bytes behind has its stream
//! ended with [`EventsEnded::Overrun`], because a stream with holes would be worse than none, and memory is finite.
//!
//! ## Order
//!
//! Within a session, events come in the order in which they arrived. Answers and events travel different ways to
//! different tasks; where their order matters, both carry their [`Arrival`].

mod call;
mod connection;
mod error;
mod event;
mod inbox;
mod message;
mod routes;
mod session;
#[cfg(test)]
mod tests;
pub mod types;

pub use call::{Answered, Batch, Call};
pub use connection::Connection;
pub use error::CallError;
pub use event::{Arrival, Event, MalformedEvent};
pub use inbox::{Events, EventsEnded, OVERRUN};
pub use session::Session;
pub use types::ids::SessionId;

pub use crate::command::{Command, Empty, EventKind};
