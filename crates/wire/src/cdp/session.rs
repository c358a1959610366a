//! What commands are sent to: the browser, or one of its targets.

use super::call::{Batch, Call, prepare};
use super::{CallError, Command, Connection, SessionId};

/// The browser itself or an attached target. Clones are the same session.
#[derive(Debug, Clone)]
pub struct Session {
    pub(super) connection: Connection,
    pub(super) id: Option<SessionId>,
}

impl Session {
    /// Its id; the browser itself has none.
    pub fn id(&self) -> Option<&SessionId> {
        self.id.as_ref()
    }

    /// The connection that carries it.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Sends a command and waits for its answer.
    ///
    /// # Errors
    /// [`CallError`] says why there is none.
    pub async fn call<C: Command>(&self, command: &C) -> Result<C::Response, CallError> {
        self.send(command).await
    }

    /// Sends a command now; its answer is awaited later, or never.
    pub fn send<C: Command>(&self, command: &C) -> Call<C> {
        match prepare(self, command) {
            Ok((ticket, message)) => {
                self.connection.shared.outbox.put([message]);
                Call::sent(ticket)
            }
            Err(error) => Call::failed(error),
        }
    }

    /// Begins a batch of commands that leave in one write.
    pub fn batch(&self) -> Batch<'_> {
        Batch::new(self)
    }
}
