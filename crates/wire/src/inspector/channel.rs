//! What is said to one target, and what it says.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::sync::mpsc;

use super::call::{Call, CallError, Group};
use super::connection::Connection;
use super::gvariant;
use super::message::write_call;
use crate::Json;

/// Whether what is said to a target is wrapped once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapping {
    /// It is not: the automation target.
    Plain,
    /// It is, for the process that shows the page now (`Target.sendMessageToTarget`).
    Wrapped,
}

/// A target as what commands are sent to. Clones are the same.
#[derive(Debug, Clone)]
pub struct Channel {
    pub(super) connection: Connection,
    pub(super) target: u64,
    pub(super) inner: Option<Current>,
}

/// The process that shows a page now, by its name in the protocol.
#[derive(Debug, Clone, Default)]
pub(super) struct Current(Arc<Mutex<Option<Arc<str>>>>);

impl Current {
    pub(super) fn get(&self) -> Option<Arc<str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, name: Option<Arc<str>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }
}

/// An event whose parameters nobody has read yet.
#[derive(Debug, Clone)]
pub struct Event {
    pub(super) method: String,
    pub(super) params: Json,
    pub(super) inner: Option<Arc<str>>,
}

impl Event {
    /// `Domain.name`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The process of the page that it happened in.
    pub fn inner(&self) -> Option<&str> {
        self.inner.as_deref()
    }

    /// Reads its parameters; one that does not look as it should is logged and nothing.
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        match self.params.read() {
            Ok(read) => Some(read),
            Err(error) => {
                tracing::warn!(component = "inspector", event = "malformed_event", method = self.method, %error);
                None
            }
        }
    }
}

/// The events of one target, in order. They end when it is gone.
#[derive(Debug)]
pub struct Events(pub(super) mpsc::UnboundedReceiver<Event>);

impl Events {
    /// Waits for the next event; nothing when there will be none. The wait may be dropped without losing one.
    pub async fn next(&mut self) -> Option<Event> {
        self.0.recv().await
    }
}

impl Channel {
    /// Its number in the connection.
    pub fn target(&self) -> u64 {
        self.target
    }

    /// The connection that it is a part of.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The process that shows the page now, once the browser has told.
    pub fn inner(&self) -> Option<Arc<str>> {
        self.inner.as_ref().and_then(Current::get)
    }

    /// Sends a command; its answer is awaited or not.
    pub fn send(&self, method: &'static str, params: impl Serialize) -> Call {
        match &self.inner {
            None => self.send_plain(method, &params, None),
            Some(current) => match current.get() {
                Some(inner) => self.send_to(&inner, method, params),
                None => Call::failed(method, CallError::TargetGone),
            },
        }
    }

    /// Sends a command to one process of a page: one that will show it and does not yet.
    pub fn send_to(&self, inner: &Arc<str>, method: &'static str, params: impl Serialize) -> Call {
        let malformed = |error: serde_json::Error| CallError::Malformed { method, reason: error.to_string() };
        let group = Group { target: self.target, inner: Some(inner.clone()), overlooked: None };
        let ticket = match self.connection.shared.pending.open(group) {
            Ok(ticket) => ticket,
            Err(lost) => return Call::failed(method, lost.into()),
        };
        let number = ticket.number();
        let wrapped = write_call(number, method, &params).and_then(|message| {
            let around = json!({ "targetId": &**inner, "message": message });
            write_call(number, "Target.sendMessageToTarget", &around)
        });
        match wrapped {
            Ok(text) => {
                self.put(&text);
                Call::sent(method, ticket)
            }
            Err(error) => Call::failed(method, malformed(error)),
        }
    }

    /// Sends a command to the target itself, whether the last one of its kind has its answer or not. Where the browser has
    /// room for one alone, it never answers the last one then: it refuses it with `overlooked`, in the new one's name, and
    /// answers the new one later.
    pub fn send_over(&self, method: &'static str, params: impl Serialize, overlooked: &'static str) -> Call {
        self.send_plain(method, &params, Some(overlooked))
    }

    /// Sends a command to the target itself, unwrapped.
    fn send_plain(
        &self,
        method: &'static str,
        params: &impl Serialize,
        overlooked: Option<&'static str>,
    ) -> Call {
        let group = Group { target: self.target, inner: None, overlooked };
        let ticket = match self.connection.shared.pending.open(group) {
            Ok(ticket) => ticket,
            Err(lost) => return Call::failed(method, lost.into()),
        };
        match write_call(ticket.number(), method, params) {
            Ok(text) => {
                self.put(&text);
                Call::sent(method, ticket)
            }
            Err(error) => Call::failed(method, CallError::Malformed { method, reason: error.to_string() }),
        }
    }

    fn put(&self, text: &str) {
        let shared = &self.connection.shared;
        shared.put("SendMessageToBackend", &gvariant::message(shared.number(), self.target, text));
    }
}
