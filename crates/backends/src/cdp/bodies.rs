//! Which session knows the bodies of a request: the one that its response came in.

use std::collections::{HashMap, HashSet, VecDeque};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::backend::{BackendError, RequestId};
use futures_util::FutureExt;
use wire::cdp::Session;
use wire::cdp::types::network;

use super::page::{Page, lock};
use super::refusal::Place;

/// More than the engine remembers.
const REMEMBERED: usize = 4_000;

/// The sessions of the newest requests.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    sessions: HashMap<RequestId, Session>,
    order: VecDeque<RequestId>,
    /// Requests whose responses are not complete.
    open: HashSet<RequestId>,
}

impl Bodies {
    /// Something of `request` was told in `session`.
    pub(super) fn note(&mut self, request: RequestId, session: &Session) {
        if self.sessions.insert(request.clone(), session.clone()).is_none() {
            self.open.insert(request.clone());
            self.order.push_back(request);
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.sessions.remove(&oldest);
            self.open.remove(&oldest);
        }
    }

    /// The response is complete, or there is none.
    pub(super) fn ended(&mut self, request: &RequestId) {
        self.open.remove(request);
    }

    fn session(&self, request: &RequestId) -> Option<Session> {
        self.sessions.get(request).cloned()
    }
}

impl Page {
    fn session_with(&self, request: &RequestId) -> Session {
        lock(&self.bodies).session(request).unwrap_or_else(|| self.session.clone())
    }

    /// Waits until a response is complete.
    async fn complete(&self, request: &RequestId) -> Result<(), BackendError> {
        let mut changes = self.changes();
        while lock(&self.bodies).open.contains(request) {
            self.while_alive(Place::Page, || changes.changed().map(|_| Ok(()))).await?;
        }
        Ok(())
    }

    pub(super) async fn sent_body(&self, request: &RequestId) -> Result<Option<Vec<u8>>, BackendError> {
        let get = network::GetRequestPostData::new(request.as_str());
        match self.call(&self.session_with(request), &get).await {
            Ok(body) if body.base64_encoded => {
                decode(&body.post_data, "Network.getRequestPostData").map(Some)
            }
            Ok(body) => Ok(Some(body.post_data.into_bytes())),
            Err(BackendError::Refused { reason, .. }) if reason.contains("No post data") => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn received_body(&self, request: &RequestId) -> Result<Vec<u8>, BackendError> {
        let get = network::GetResponseBody::new(request.as_str());
        let body = match self.call(&self.session_with(request), &get).await {
            // It is still on its way.
            Err(BackendError::Refused { .. }) if lock(&self.bodies).open.contains(request) => {
                self.complete(request).await?;
                self.call(&self.session_with(request), &get).await?
            }
            body => body?,
        };
        if !body.base64_encoded {
            return Ok(body.body.into_bytes());
        }
        decode(&body.body, "Network.getResponseBody")
    }
}

fn decode(text: &str, request: &str) -> Result<Vec<u8>, BackendError> {
    let refused = |error: base64::DecodeError| BackendError::Refused {
        request: request.to_owned(),
        reason: error.to_string(),
    };
    STANDARD.decode(text).map_err(refused)
}
