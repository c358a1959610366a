//! One message of the protocol, in and out (WebDriver BiDi, section 3.4).

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{CallError, Command, Event};
use crate::Json;

/// A message from a browser.
#[derive(Debug)]
pub(super) enum Incoming {
    Answer { number: u32, answer: Answer },
    Event(Event),
}

/// What came back for a call.
pub(super) type Answer = Result<Json, Refusal>;

/// The browser's words when it refuses.
#[derive(Debug)]
pub(super) struct Refusal {
    error: String,
    message: String,
}

/// The outer shape of every message; what is inside stays unread.
#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u32>,
    #[serde(borrow)]
    method: Option<&'a str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<String>,
    message: Option<String>,
}

/// Why a message was passed over.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    #[error("not a message of the protocol: {0}")]
    NotJson(#[from] serde_json::Error),
    #[error("not UTF-8: {0}")]
    NotUtf8(#[from] std::str::Utf8Error),
    #[error("the browser could not read a call of ours: {0}")]
    Complaint(String),
    #[error("neither an answer nor an event")]
    Neither,
}

impl Incoming {
    /// Reads the outer shape of `message`.
    pub(super) fn parse(message: &Bytes) -> Result<Self, Unreadable> {
        let envelope: Envelope<'_> = serde_json::from_str(std::str::from_utf8(message)?)?;
        let slice = |raw: Option<&RawValue>| {
            raw.map_or_else(Json::empty, |raw| Json::new(message.slice_ref(raw.get().as_bytes())))
        };
        let refusal = |error| Refusal { error, message: envelope.message.clone().unwrap_or_default() };
        match (envelope.id, envelope.method, envelope.error) {
            (Some(number), _, Some(error)) => Ok(Self::Answer { number, answer: Err(refusal(error)) }),
            (Some(number), _, None) => Ok(Self::Answer { number, answer: Ok(slice(envelope.result)) }),
            (None, Some(method), None) => {
                let method = message.slice_ref(method.as_bytes());
                Ok(Self::Event(Event::new(method, slice(envelope.params))))
            }
            (None, _, Some(error)) => Err(Unreadable::Complaint(refusal(error).message)),
            (None, None, None) => Err(Unreadable::Neither),
        }
    }
}

/// The answer as `C` promises it.
pub(super) fn read<C: Command>(answer: Answer) -> Result<C::Response, CallError> {
    let method = C::METHOD;
    let result = answer.map_err(|refusal| CallError::Protocol {
        method,
        error: refusal.error,
        message: refusal.message,
    })?;
    result.read().map_err(|error| CallError::Malformed { method, reason: error.to_string() })
}

/// Writes a call.
pub(super) fn write_call<C: Command>(number: u32, command: &C) -> Result<Bytes, CallError> {
    #[derive(Serialize)]
    struct Outgoing<'a, C> {
        id: u32,
        method: &'static str,
        params: &'a C,
    }
    let text = serde_json::to_vec(&Outgoing { id: number, method: C::METHOD, params: command })
        .map_err(|error| CallError::Malformed { method: C::METHOD, reason: error.to_string() })?;
    Ok(text.into())
}
