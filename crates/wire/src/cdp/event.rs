//! An event as it arrived.

use bytes::Bytes;

use super::SessionId;
use crate::Json;
use crate::command::EventKind;

/// The place of a message in the sequence of everything that came over its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrival(pub(super) u64);

/// An event whose parameters nobody has read yet.
#[derive(Debug, Clone)]
pub struct Event {
    method: Bytes,
    params: Json,
    arrived: Arrival,
    session: Option<SessionId>,
}

/// An event that is not what the protocol promises.
#[derive(Debug, thiserror::Error)]
#[error("{method}: {source}")]
pub struct MalformedEvent {
    method: &'static str,
    source: serde_json::Error,
}

impl Event {
    pub(super) fn new(method: Bytes, params: Json, arrived: Arrival) -> Self {
        Self { method, params, arrived, session: None }
    }

    pub(super) fn of_session(mut self, session: Option<SessionId>) -> Self {
        self.session = session;
        self
    }

    /// The session that it happened in; `None` is the browser itself.
    pub fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// `Domain.name`.
    pub fn method(&self) -> &str {
        // It was cut out of a text, at the borders of one of its strings.
        std::str::from_utf8(&self.method).unwrap_or_default()
    }

    /// When it came, relative to other messages of the connection.
    pub fn arrived(&self) -> Arrival {
        self.arrived
    }

    /// Its parameters, unread.
    pub fn params(&self) -> &Json {
        &self.params
    }

    /// Whether it is an `E`.
    pub fn is<E: EventKind>(&self) -> bool {
        self.method == E::METHOD.as_bytes()
    }

    /// Reads it if it is an `E`.
    ///
    /// # Errors
    /// It is called an `E`, but does not look like one.
    pub fn read<E: EventKind>(&self) -> Result<Option<E>, MalformedEvent> {
        if !self.is::<E>() {
            return Ok(None);
        }
        let read = self.params.read().map_err(|source| MalformedEvent { method: E::METHOD, source });
        read.map(Some)
    }

    /// What it costs to keep.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.method.len() + self.params.len()
    }
}
