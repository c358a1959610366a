//! MCP over Streamable HTTP, stateless: every request stands for itself.
//!
//! [`listener`] accepts connections within the [`limits`], [`guard`] turns away requests from elsewhere, [`body`] reads
//! what the others send, [`message`] takes the POSTs, [`batches`] those that hold several messages, [`patience`] keeps slow calls alive on the wire, [`cancellations`] lets older clients cancel, [`health`] says how the
//! server is. The protocol itself is the SDK's.

mod batches;
mod body;
mod cancellations;
mod guard;
mod health;
mod limits;
mod listener;
mod message;
mod patience;
#[cfg(test)]
mod tests;

pub(crate) use cancellations::Cancellations;
pub(crate) use listener::{ListenRefused, Listener};
