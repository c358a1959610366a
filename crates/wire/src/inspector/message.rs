//! One JSON message of a target, in and out.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Json;

/// A message from a target.
#[derive(Debug)]
pub(super) enum Incoming {
    Answer { number: u32, answer: Answer },
    Event { method: String, params: Json },
}

/// What came back for a call.
#[derive(Debug)]
pub(super) struct Answer(pub(super) Result<Json, Refusal>);

impl Answer {
    /// Whether it is a refusal that says this alone.
    pub(super) fn is_refusal_with(&self, words: &str) -> bool {
        self.0.as_ref().is_err_and(|refusal| refusal.message == words)
    }
}

/// The browser's `error` object.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Refusal {
    message: String,
}

impl Refusal {
    /// What it says. Automation's errors are a name and perhaps words: `NodeNotFound;…`.
    pub(super) fn words(self) -> String {
        self.message
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u32>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Refusal>,
}

/// Why a message was passed over.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    #[error("not a message of the protocol: {0}")]
    NotJson(#[from] serde_json::Error),
    #[error("not UTF-8: {0}")]
    NotUtf8(#[from] std::str::Utf8Error),
    #[error("neither an answer nor an event")]
    Neither,
}

impl Incoming {
    pub(super) fn parse(message: &Bytes) -> Result<Self, Unreadable> {
        let envelope: Envelope<'_> = serde_json::from_str(std::str::from_utf8(message)?)?;
        let slice = |raw: Option<&RawValue>| {
            raw.map_or_else(Json::empty, |raw| Json::new(message.slice_ref(raw.get().as_bytes())))
        };
        match (envelope.id, envelope.method, envelope.error) {
            (Some(number), _, Some(refusal)) => Ok(Self::Answer { number, answer: Answer(Err(refusal)) }),
            (Some(number), None, None) => {
                Ok(Self::Answer { number, answer: Answer(Ok(slice(envelope.result))) })
            }
            (_, Some(method), _) => Ok(Self::Event { method, params: slice(envelope.params) }),
            _ => Err(Unreadable::Neither),
        }
    }
}

/// Writes a call.
pub(super) fn write_call<P: Serialize>(
    number: u32,
    method: &str,
    params: &P,
) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Outgoing<'a, P> {
        id: u32,
        method: &'a str,
        params: &'a P,
    }
    serde_json::to_string(&Outgoing { id: number, method, params })
}
