//! One message of the protocol, in and out.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Arrival, CallError, Command, Event, SessionId};
use crate::Json;

/// The code of a refusal because there is no such session (any more).
const SESSION_NOT_FOUND: i64 = -32001;

/// A message from a browser.
#[derive(Debug)]
pub(super) enum Incoming {
    Answer { number: u32, answer: Answer },
    Event { session: Option<SessionId>, event: Event },
}

/// What came back for a call.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) arrived: Arrival,
    outcome: Result<Json, Refusal>,
}

/// The browser's `error` object.
#[derive(Debug, Deserialize)]
struct Refusal {
    code: i64,
    message: String,
    data: Option<serde_json::Value>,
}

/// The outer shape of every message; what is inside stays unread.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    id: Option<u32>,
    session_id: Option<&'a str>,
    method: Option<&'a str>,
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
    #[error("the browser could not read a call of ours: {0}")]
    Complaint(String),
    #[error("neither an answer nor an event")]
    Neither,
}

impl Incoming {
    /// Reads the outer shape of `message`.
    pub(super) fn parse(message: &Bytes, arrived: Arrival) -> Result<Self, Unreadable> {
        let envelope: Envelope<'_> = serde_json::from_str(std::str::from_utf8(message)?)?;
        let slice = |raw: Option<&RawValue>| {
            raw.map_or_else(Json::empty, |raw| Json::new(message.slice_ref(raw.get().as_bytes())))
        };
        match (envelope.id, envelope.method, envelope.error) {
            (Some(number), _, Some(refusal)) => {
                Ok(Self::Answer { number, answer: Answer { arrived, outcome: Err(refusal) } })
            }
            (Some(number), _, None) => {
                let outcome = Ok(slice(envelope.result));
                Ok(Self::Answer { number, answer: Answer { arrived, outcome } })
            }
            (None, Some(method), _) => {
                let method = message.slice_ref(method.as_bytes());
                let event = Event::new(method, slice(envelope.params), arrived);
                Ok(Self::Event { session: envelope.session_id.map(SessionId::from), event })
            }
            (None, None, Some(refusal)) => Err(Unreadable::Complaint(refusal.message)),
            (None, None, None) => Err(Unreadable::Neither),
        }
    }
}

impl Answer {
    /// The answer as `C` promises it.
    pub(super) fn read<C: Command>(self) -> Result<C::Response, CallError> {
        let method = C::METHOD;
        let result = self.outcome.map_err(|refusal| match refusal.code {
            SESSION_NOT_FOUND => CallError::SessionGone,
            code => CallError::Protocol {
                method,
                code,
                message: refusal.message,
                data: refusal.data.map(|data| data.as_str().map_or_else(|| data.to_string(), str::to_owned)),
            },
        })?;
        result.read().map_err(|error| CallError::Malformed { method, reason: error.to_string() })
    }
}

/// Writes a call.
pub(super) fn write_call<C: Command>(
    number: u32,
    session: Option<&SessionId>,
    command: &C,
) -> Result<Bytes, CallError> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Outgoing<'a, C> {
        id: u32,
        method: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        session_id: Option<&'a SessionId>,
        params: &'a C,
    }
    let call = Outgoing { id: number, method: C::METHOD, session_id: session, params: command };
    let text = serde_json::to_vec(&call)
        .map_err(|error| CallError::Malformed { method: C::METHOD, reason: error.to_string() })?;
    Ok(text.into())
}
