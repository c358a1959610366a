//! Requests that are answered by us: while the keeper looks at an origin whose server is not to be asked, and while the
//! context is offline.

use engine::backend::{Argument, BackendError, OriginStorage, Started};
use serde_json::json;
use wire::inspector::types;

use super::context::ContextInner;
use super::page::{Page, lock};

/// Fills the storage of the document that it runs in.
const FILL: &str = "(origin, items) => {
  if (location.origin !== origin) throw new Error(`${origin} has no storage of its own`);
  for (const { name, value } of items) localStorage.setItem(name, value);
}";

impl Page {
    /// Has every request come to us, or none.
    async fn intercept(&self, on: bool) -> Result<(), BackendError> {
        match self.tell("Network.setInterceptionEnabled", json!({ "enabled": on })).await {
            // It is as it should be already.
            Err(BackendError::Refused { .. }) => {}
            told => told?,
        }
        if on {
            let all = json!({ "url": ".*", "stage": "request", "isRegex": true });
            match self.tell("Network.addInterception", all).await {
                // It is there already.
                Err(BackendError::Refused { .. }) => {}
                added => added?,
            }
        }
        Ok(())
    }

    /// Cuts the page off from the network, or connects it again.
    pub(super) async fn block(&self, offline: bool) -> Result<(), BackendError> {
        self.intercept(offline).await
    }

    /// A request waits for our word. The keeper gets an empty document, everybody else is offline.
    pub(super) fn intercepted(&self, intercepted: &types::RequestIntercepted) {
        let keeper = self.context.upgrade().is_some_and(|owner| {
            lock(&owner.pages).keeper.as_ref().is_some_and(|keeper| keeper.id == self.id)
        });
        let id = &intercepted.request_id;
        let answered = if keeper {
            let blank = json!({
                "requestId": id, "content": "<!doctype html>", "base64Encoded": false, "mimeType": "text/html",
                "status": 200, "statusText": "OK", "headers": {},
            });
            self.channel().send("Network.interceptRequestWithResponse", blank)
        } else {
            let error = json!({ "requestId": id, "errorType": "General" });
            self.channel().send("Network.interceptRequestWithError", error)
        };
        tokio::spawn(answered);
    }
}

impl ContextInner {
    /// Has the keeper go to an address whose server is not asked.
    pub(super) async fn look_at(
        self: &std::sync::Arc<Self>,
        url: &str,
    ) -> Result<std::sync::Arc<Page>, BackendError> {
        let keeper = self.keeper().await?;
        keeper.intercept(true).await?;
        let main = keeper.main_frame.clone();
        match keeper.go(&main, url, None).await? {
            Started::Navigation(_) | Started::SameDocument => Ok(keeper),
            Started::Failed(reason) => {
                Err(BackendError::Refused { request: format!("to look at {url}"), reason })
            }
            Started::Download => Err(BackendError::Refused {
                request: format!("to look at {url}"),
                reason: "it became a download".to_owned(),
            }),
        }
    }

    /// Storage can only be filled from inside: the keeper goes to each origin.
    pub(super) async fn seed(
        self: &std::sync::Arc<Self>,
        origins: Vec<OriginStorage>,
    ) -> Result<(), BackendError> {
        for OriginStorage { origin, local_storage } in origins {
            let keeper = self.look_at(&format!("{origin}/")).await?;
            let arguments = [json!(origin), json!(local_storage)].map(Argument::Json);
            keeper.evaluate_function(&keeper.main_frame, FILL, arguments.into()).await?;
        }
        Ok(())
    }
}
