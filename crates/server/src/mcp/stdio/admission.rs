//! Which messages may go in: the order of the handshake, ids in use, and how much may be unanswered.

use std::collections::HashMap;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, JsonRpcRequest, RequestId,
};

use crate::mcp::fault::{Fault, Refused};

/// More than any agent has in flight; a client beyond it is broken and is told so.
const MOST_UNANSWERED: usize = 256;
/// What unanswered requests may weigh together.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The requests that went in and were not answered yet.
#[derive(Debug, Default)]
pub(super) struct Admission {
    initialized: bool,
    unanswered: HashMap<RequestId, usize>,
    bytes: usize,
}

impl Admission {
    /// Lets a message of `size` bytes in.
    ///
    /// # Errors
    /// [`Refused`], with which the message must be answered instead.
    pub(super) fn admit(&mut self, message: &ClientJsonRpcMessage, size: usize) -> Result<(), Refused> {
        match message {
            ClientJsonRpcMessage::Request(request) => self
                .admit_request(request, size)
                .map_err(|fault| Refused { fault, id: Some(request.id.clone()) }),
            ClientJsonRpcMessage::Notification(notification) => {
                // A cancelled request gets no response (MCP 2025-11-25, Cancellation).
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.answered(id);
                }
                Ok(())
            }
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => Ok(()),
        }
    }

    fn admit_request(&mut self, request: &JsonRpcRequest<ClientRequest>, size: usize) -> Result<(), Fault> {
        if self.unanswered.contains_key(&request.id) {
            return Err(Fault::IdInUse { id: request.id.clone() });
        }
        if self.unanswered.len() >= MOST_UNANSWERED || self.bytes + size > MOST_BYTES {
            return Err(Fault::Busy { unanswered: self.unanswered.len() });
        }
        match &request.request {
            ClientRequest::InitializeRequest(_) => self.initialized = true,
            early if !self.initialized && needs_handshake(early) => {
                return Err(Fault::NotInitialized { method: early.method().to_owned() });
            }
            _ => {}
        }
        self.unanswered.insert(request.id.clone(), size);
        self.bytes += size;
        Ok(())
    }

    /// The request with this id is answered, or needs no answer any more.
    pub(super) fn answered(&mut self, id: &RequestId) {
        if let Some(size) = self.unanswered.remove(id) {
            self.bytes -= size;
        }
    }
}

/// Revision 2026-07-28 has no handshake: each request names its revision. Before it, only a ping may come first.
fn needs_handshake(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::PingRequest(_)
        | ClientRequest::DiscoverRequest(_)
        | ClientRequest::CustomRequest(_) => false,
        request => request.get_meta().protocol_version().is_none(),
    }
}
