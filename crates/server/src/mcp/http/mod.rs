//! MCP over Streamable HTTP, stateless: every request stands for itself.
//!
//! [`listener`] accepts connections within the [`limits`], and [`routes`] says where each path leads. [`guard`] turns away
//! requests from elsewhere, [`authorize`] those without a token, [`admission`] calls that are too many for their
//! [`client`]. [`body`] reads what the others send, [`message`] takes the POSTs, [`batches`] those that hold several
//! messages, [`patience`] keeps slow calls alive on the wire, [`cancellations`] lets older clients cancel. [`health`] and
//! [`numbers`] say how the server is. The protocol itself is the SDK's.

mod admission;
mod authorize;
mod batches;
mod body;
mod cancellations;
mod client;
mod guard;
mod health;
mod limits;
mod listener;
mod message;
mod numbers;
mod patience;
mod routes;
#[cfg(test)]
mod tests;

pub(crate) use admission::Permit;
pub(crate) use cancellations::Cancellations;
pub(super) use cancellations::subject;
pub(crate) use listener::{ListenRefused, Listener};
