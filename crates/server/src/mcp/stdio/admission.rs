//! Which messages may go in: the order of the handshake, ids in use, and how much may go on at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetExtensions, GetMeta, JsonRpcRequest,
    RequestId,
};

use crate::mcp::batch;
use crate::mcp::fault::{Fault, Refused};

/// More than any agent has in flight; a client beyond it is broken and is told so.
const MOST_REQUESTS: usize = 256;
/// What requests that are not over may weigh together.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The requests that went in and are not over. Clones are the same list.
#[derive(Debug, Clone, Default)]
pub(super) struct Admission(Arc<Mutex<Requests>>);

#[derive(Debug, Default)]
struct Requests {
    initialized: bool,
    batches: bool,
    going_on: HashMap<RequestId, Entry>,
    bytes: usize,
    admitted: u64,
}

#[derive(Debug)]
struct Entry {
    /// Tells it from a later request with the same id.
    serial: u64,
    size: usize,
    stage: Stage,
}

/// A request is over when its handler is and nothing remains to be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    /// Nobody waits for the answer, but the handler may take its time to end what it started.
    Cancelled,
    /// The handler is over, its answer not handed to the writer yet.
    Answering,
}

/// Goes with an admitted request; dropping it says that the handler is over.
#[derive(Debug)]
struct Slot {
    admission: Admission,
    id: RequestId,
    serial: u64,
}

impl Admission {
    /// Lets a message of `size` bytes in.
    ///
    /// # Errors
    /// [`Refused`], with which the message must be answered instead.
    pub(super) fn admit(&self, message: &mut ClientJsonRpcMessage, size: usize) -> Result<(), Refused> {
        match message {
            ClientJsonRpcMessage::Request(request) => {
                let admitted = self.locked().admit(request, size);
                let serial = admitted.map_err(|fault| Refused { fault, id: Some(request.id.clone()) })?;
                let slot = Slot { admission: self.clone(), id: request.id.clone(), serial };
                // The SDK hands these to the handler, and they are dropped with its context.
                request.request.extensions_mut().insert(Arc::new(slot));
            }
            ClientJsonRpcMessage::Notification(_) => {
                if let Some(id) = cancels(message) {
                    self.locked().cancelled(id);
                }
            }
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {}
        }
        Ok(())
    }

    /// The answer to this request is on its way out.
    pub(super) fn answered(&self, id: &RequestId) {
        self.locked().remove(id);
    }

    /// Whether the client speaks the revision that has batches.
    pub(super) fn takes_batches(&self) -> bool {
        self.locked().batches
    }

    fn locked(&self) -> MutexGuard<'_, Requests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.admission.locked().handled(&self.id, self.serial);
    }
}

impl Requests {
    fn admit(&mut self, request: &JsonRpcRequest<ClientRequest>, size: usize) -> Result<u64, Fault> {
        if self.going_on.contains_key(&request.id) {
            return Err(Fault::IdInUse { id: request.id.clone() });
        }
        if self.going_on.len() >= MOST_REQUESTS || self.bytes + size > MOST_BYTES {
            return Err(Fault::Busy { going_on: self.going_on.len() });
        }
        match &request.request {
            ClientRequest::InitializeRequest(hello) => {
                self.initialized = true;
                self.batches = hello.params.protocol_version == batch::REVISION;
            }
            early if !self.initialized && needs_handshake(early) => {
                return Err(Fault::NotInitialized { method: early.method().to_owned() });
            }
            _ => {}
        }
        self.admitted += 1;
        let entry = Entry { serial: self.admitted, size, stage: Stage::Running };
        self.going_on.insert(request.id.clone(), entry);
        self.bytes += size;
        Ok(self.admitted)
    }

    fn cancelled(&mut self, id: &RequestId) {
        let Some(entry) = self.going_on.get_mut(id) else { return };
        match entry.stage {
            Stage::Answering => self.remove(id),
            Stage::Running | Stage::Cancelled => entry.stage = Stage::Cancelled,
        }
    }

    fn handled(&mut self, id: &RequestId, serial: u64) {
        let Some(entry) = self.going_on.get_mut(id).filter(|entry| entry.serial == serial) else { return };
        match entry.stage {
            // It gets no response (MCP 2025-11-25, Cancellation), so nothing else would tell.
            Stage::Cancelled => self.remove(id),
            Stage::Running | Stage::Answering => entry.stage = Stage::Answering,
        }
    }

    fn remove(&mut self, id: &RequestId) {
        if let Some(entry) = self.going_on.remove(id) {
            self.bytes -= entry.size;
        }
    }
}

/// The request that this message cancels.
pub(super) fn cancels(message: &ClientJsonRpcMessage) -> Option<&RequestId> {
    let ClientJsonRpcMessage::Notification(notification) = message else { return None };
    let ClientNotification::CancelledNotification(cancelled) = &notification.notification else {
        return None;
    };
    cancelled.params.request_id.as_ref()
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
