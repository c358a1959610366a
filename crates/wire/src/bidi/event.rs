//! An event as it arrived.

use bytes::Bytes;

use crate::Json;
use crate::command::EventKind;

/// An event whose parameters nobody has read yet.
#[derive(Debug, Clone)]
pub struct Event {
    method: Bytes,
    params: Json,
}

/// An event that is not what the protocol promises.
#[derive(Debug, thiserror::Error)]
#[error("{method}: {source}")]
pub struct MalformedEvent {
    method: &'static str,
    source: serde_json::Error,
}

impl Event {
    pub(super) fn new(method: Bytes, params: Json) -> Self {
        Self { method, params }
    }

    /// `module.name`.
    pub fn method(&self) -> &str {
        // It was cut out of a text, at the borders of one of its strings.
        std::str::from_utf8(&self.method).unwrap_or_default()
    }

    /// Reads it if it is an `E`.
    ///
    /// # Errors
    /// It is called an `E`, but does not look like one.
    pub fn read<E: EventKind>(&self) -> Result<Option<E>, MalformedEvent> {
        if self.method != E::METHOD.as_bytes() {
            return Ok(None);
        }
        let read = self.params.read().map_err(|source| MalformedEvent { method: E::METHOD, source });
        read.map(Some)
    }
}
