//! Which token ends which call, and `notifications/cancelled` from clients that post it on its own.
//!
//! In revision 2026-07-28 closing the connection cancels, and the SDK's token says so. Before it, a lost connection
//! is no cancellation (MCP 2025-11-25, Transports: sending messages): the call runs on, and the client cancels by a
//! notification in a POST of its own. Request ids are unique only within one client, so a client gets a label when
//! it initializes, as `Mcp-Session-Id`. The label is no session: nothing is kept for it, and any label is accepted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::HeaderMap;
use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::{ProtocolVersion, RequestId};
use rmcp::service::RequestContext;
use tokio_util::sync::CancellationToken;

use crate::auth::Subject;

/// The header that carries a client's label.
pub(super) const LABEL: &str = "mcp-session-id";

/// Whoever learns another's label can't cancel its calls: the subject is part of the key.
type Key = (Subject, String, RequestId);

/// The running calls of labelled clients. Clones are the same list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cancellations(Arc<Mutex<HashMap<Key, CancellationToken>>>);

/// Keeps a call in the list while it runs.
#[derive(Debug)]
pub(crate) struct Registered {
    list: Cancellations,
    key: Key,
}

impl Cancellations {
    /// The token that fires when this request's result is no longer wanted.
    pub(crate) fn token(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> (CancellationToken, Option<Registered>) {
        let Some(parts) = context.extensions.get::<Parts>() else { return (context.ct.clone(), None) };
        let closing_cancels = context.protocol_version().is_some_and(|v| v >= ProtocolVersion::V_2026_07_28);
        if closing_cancels {
            return (context.ct.clone(), None);
        }
        let token = CancellationToken::new();
        let registered = label(&parts.headers).map(|label| {
            let key = (subject(parts), label, context.id.clone());
            self.locked().insert(key.clone(), token.clone());
            Registered { list: self.clone(), key }
        });
        (token, registered)
    }

    /// Cancels the call that this client made under this id; one that is over stays over.
    pub(super) fn cancel(&self, parts: &Parts, id: RequestId) {
        let Some(label) = label(&parts.headers) else { return };
        if let Some(token) = self.locked().get(&(subject(parts), label, id)) {
            token.cancel();
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Key, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.list.locked().remove(&self.key);
    }
}

/// Who sent the request.
pub(in crate::mcp) fn subject(parts: &Parts) -> Subject {
    parts.extensions.get().cloned().unwrap_or_default()
}

fn label(headers: &HeaderMap) -> Option<String> {
    headers.get(LABEL)?.to_str().ok().map(str::to_owned)
}
