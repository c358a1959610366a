//! The bodies of requests and responses, which the browser keeps for a while.

use engine::backend::{BackendError, RequestId};
use wire::bidi::types::network::GetData;

use super::page::Page;
use crate::sync::lock;

impl Page {
    /// Waits until a response is complete.
    async fn complete(&self, request: &RequestId) -> Result<(), BackendError> {
        let mut changes = self.changed.subscribe();
        while lock(&self.network).is_open(request) {
            let changed = async {
                // The sender is ours.
                let _ = changes.changed().await;
                Ok(())
            };
            self.while_alive(|| changed).await?;
        }
        Ok(())
    }

    pub(super) async fn sent_body(&self, request: &RequestId) -> Result<Option<Vec<u8>>, BackendError> {
        match self.body("request", request).await {
            Err(BackendError::Refused { reason, .. }) if reason.starts_with("no such network data") => {
                Ok(None)
            }
            body => body.map(Some),
        }
    }

    pub(super) async fn received_body(&self, request: &RequestId) -> Result<Vec<u8>, BackendError> {
        self.complete(request).await?;
        match self.body("response", request).await {
            Err(missing) if is_missing(&missing) => {
                let alike = lock(&self.network).alike(request);
                for other in alike {
                    if let Ok(body) = self.body("response", &other).await {
                        return Ok(body);
                    }
                }
                Err(missing)
            }
            body => body,
        }
    }

    async fn body(&self, kind: &'static str, request: &RequestId) -> Result<Vec<u8>, BackendError> {
        let data = self.call(&GetData::new(kind, request.as_str())).await?;
        data.bytes.bytes().ok_or_else(|| BackendError::Refused {
            request: "network.getData".to_owned(),
            reason: "the body is no base64".to_owned(),
        })
    }
}

fn is_missing(error: &BackendError) -> bool {
    matches!(error, BackendError::Refused { reason, .. } if reason.starts_with("no such network data"))
}
