//! MCP over Streamable HTTP, stateless: every request stands for itself.
//!
//! [`listener`] accepts connections, [`guard`] turns away requests from elsewhere, [`message`] takes the POSTs,
//! [`patience`] keeps slow calls alive on the wire, [`cancellations`] lets older clients cancel, [`health`] says how the
//! server is. The protocol itself is the SDK's.

mod cancellations;
mod guard;
mod health;
mod listener;
mod message;
mod patience;
#[cfg(test)]
mod tests;

pub(crate) use cancellations::Cancellations;
pub(crate) use listener::{ListenRefused, Listener};
