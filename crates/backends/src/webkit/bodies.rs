//! The bodies of requests and responses: what was sent is told with the request, what came is asked for.

use std::collections::{HashMap, HashSet, VecDeque};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use engine::backend::{BackendError, RequestId};
use serde_json::json;
use wire::inspector::types;

use super::page::{Page, lock};

/// More than the engine remembers.
const REMEMBERED: usize = 4_000;

/// The newest requests.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    sent: HashMap<RequestId, Option<Vec<u8>>>,
    order: VecDeque<RequestId>,
    open: HashSet<RequestId>,
    /// Those whose response has a body.
    received: HashSet<RequestId>,
}

impl Bodies {
    /// A request was sent with this body.
    pub(super) fn note(&mut self, request: &RequestId, body: Option<Vec<u8>>) {
        self.open.insert(request.clone());
        if self.sent.insert(request.clone(), body).is_none() {
            self.order.push_back(request.clone());
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.sent.remove(&oldest);
            self.open.remove(&oldest);
            self.received.remove(&oldest);
        }
    }

    /// A part of the response came.
    pub(super) fn received(&mut self, request: RequestId) {
        if self.sent.contains_key(&request) {
            self.received.insert(request);
        }
    }

    /// The response is complete, or there is none.
    pub(super) fn ended(&mut self, request: &RequestId) {
        self.open.remove(request);
    }

    /// A response without a single byte.
    fn was_empty(&self, request: &RequestId) -> bool {
        self.sent.contains_key(request) && !self.received.contains(request)
    }

    pub(super) fn sent(&self, request: &RequestId) -> Option<Vec<u8>> {
        self.sent.get(request)?.clone()
    }
}

/// What was sent, of the text that the browser makes of it: what is no UTF-8 is told byte by byte. `text` says that the page
/// called it one.
pub(super) fn bytes(told: String, text: bool) -> Vec<u8> {
    let single: Option<Vec<u8>> = told.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect();
    match single {
        Some(single) if !text && std::str::from_utf8(&single).is_err() => single,
        _ => told.into_bytes(),
    }
}

/// The browser's own name of a request, which is unique in its page only.
fn raw(request: &RequestId) -> &str {
    request.as_str().rsplit_once('#').map_or(request.as_str(), |(_, raw)| raw)
}

impl Page {
    pub(super) async fn received_body(&self, request: &RequestId) -> Result<Vec<u8>, BackendError> {
        // One that is still on its way is not there.
        self.until(|page| (!lock(&page.bodies).open.contains(request)).then_some(())).await?;
        if !request.as_str().starts_with(&format!("{}.{}#", self.id, self.channel().target())) {
            // The next process may call another request the same.
            return Err(BackendError::Refused {
                request: "Network.getResponseBody".to_owned(),
                reason: "the page's process that had it crashed".to_owned(),
            });
        }
        let get = json!({ "requestId": raw(request) });
        let got = self.call("Network.getResponseBody", get).await;
        let body: types::Body = match got {
            // It has nothing to give where nothing came.
            Err(BackendError::Refused { .. }) if lock(&self.bodies).was_empty(request) => {
                return Ok(Vec::new());
            }
            got => got?,
        };
        if !body.base64_encoded {
            return Ok(body.body.into_bytes());
        }
        STANDARD.decode(&body.body).map_err(|error| BackendError::Refused {
            request: "Network.getResponseBody".to_owned(),
            reason: error.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_told_apart_from_text() {
        assert_eq!(bytes("\u{0}\u{1}\u{fe}\u{ff}".to_owned(), false), [0, 1, 254, 255]);
        assert_eq!(bytes("caf\u{e9}".to_owned(), true), "caf\u{e9}".as_bytes());
        assert_eq!(bytes("\u{65e5}".to_owned(), false), "\u{65e5}".as_bytes());
    }
}
