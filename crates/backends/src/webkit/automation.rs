//! The automation session: one per browser process. A crash of any page ends it; it is begun anew then.

use std::time::Duration;

use base::Deadline;
use engine::backend::BackendError;
use serde::Serialize;
use serde_json::{Value, json};
use wire::Json;
use wire::inspector::{Channel, types};

use super::context::ContextInner;
use super::page::{Page, lock};
use super::refusal::refusal;

/// How long the session may take to come back, and a page to say which window it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the session says of a command that another one has followed too soon to wait for both.
const SUPERSEDED: &str = "Timeout";

/// Says in a page which window it is.
const WHOAMI: &str =
    "function (token, handle) { console.debug(token, 'handle', JSON.stringify(handle), {}); }";

impl ContextInner {
    /// The session as it is now, or as it will be in a moment.
    pub(super) async fn session(&self) -> Result<Channel, BackendError> {
        let mut session = self.automation.subscribe();
        let there = async { session.wait_for(Option::is_some).await.ok().and_then(|it| it.clone()) };
        tokio::select! {
            biased;
            there = Deadline::after(PATIENCE).race(there) => there.ok().flatten().ok_or_else(|| BackendError::Refused {
                request: "the automation session".to_owned(),
                reason: "it did not come back after a crash".to_owned(),
            }),
            why = self.connection.closed() => Err(BackendError::BrowserGone(why.to_string())),
        }
    }

    /// Sends a command to the session and waits for its answer.
    pub(super) async fn automate(
        &self,
        method: &'static str,
        params: impl Serialize,
    ) -> Result<Json, BackendError> {
        self.session().await?.send(method, params).await.map_err(refusal)
    }

    /// Has every window that nobody knows say which page it is.
    async fn ask_who(&self) -> Result<(), BackendError> {
        let session = self.session().await?;
        let contexts: types::BrowsingContexts =
            session.send("Automation.getBrowsingContexts", json!({})).read().await.map_err(refusal)?;
        let known: Vec<String> =
            self.every_page().iter().filter_map(|page| lock(&page.link).handle.clone()).collect();
        let token = json!(lock(&self.recipe).token).to_string();
        for types::BrowsingContext { handle } in contexts.contexts {
            if !known.contains(&handle) {
                let arguments = [token.clone(), json!(handle).to_string()];
                let ask = json!({
                    "browsingContextHandle": handle, "function": WHOAMI, "arguments": arguments,
                });
                // Its answer is what the page says; one that says nothing has none.
                let asked = session.send("Automation.evaluateJavaScriptFunction", ask);
                tokio::spawn(asked);
            }
        }
        Ok(())
    }
}

impl Page {
    /// What the automation session calls the page.
    pub(super) async fn handle(&self) -> Result<String, BackendError> {
        if let Some(handle) = lock(&self.link).handle.clone() {
            return Ok(handle);
        }
        let owner = self.owner()?;
        owner.ask_who().await?;
        let told = self.until(|page| lock(&page.link).handle.clone());
        Deadline::after(PATIENCE).race(told).await.unwrap_or_else(|_| {
            Err(BackendError::Refused {
                request: "to find the page's window".to_owned(),
                reason: "the page does not answer".to_owned(),
            })
        })
    }

    /// Sends a command about this page to the automation session, and waits for its answer, but not past the page's end.
    pub(super) async fn automate(
        &self,
        method: &'static str,
        params: impl FnOnce(&str) -> Value,
    ) -> Result<Json, BackendError> {
        let handle = self.handle().await?;
        let session = self.owner()?.session().await?;
        let answer = self.while_open(|| session.send(method, params(&handle))).await;
        self.unless_dead(answer).await
    }

    /// Sends commands about this page of which the session waits for one at a time, at once and in order, and waits for the
    /// answer of the last. `sent` is called when they are on their way.
    pub(super) async fn automate_in_a_row(
        &self,
        method: &'static str,
        params: &[Value],
        sent: impl FnOnce(),
    ) -> Result<(), BackendError> {
        let handle = self.handle().await?;
        let session = self.owner()?.session().await?;
        let send = |params: &Value| {
            let mut params = params.clone();
            params["handle"] = json!(handle);
            session.send_over(method, params, SUPERSEDED)
        };
        let Some((last, others)) = params.split_last() else { return Ok(()) };
        let answer = self.while_open(|| {
            // What comes of them is in the answer of the last.
            others.iter().map(send).for_each(drop);
            let answer = send(last);
            sent();
            answer
        });
        let answer = answer.await;
        self.unless_dead(answer).await.map(drop)
    }

    async fn unless_dead(&self, answer: Result<Json, BackendError>) -> Result<Json, BackendError> {
        if answer.as_ref().is_err_and(is_of_the_dying) && self.is_dead().await {
            return Err(self.why_gone());
        }
        answer
    }
}

/// Whether this may be what the session says of a page whose process died in the middle, before it says that it did.
fn is_of_the_dying(error: &BackendError) -> bool {
    let words = ["InternalError", "WindowNotFound"];
    matches!(error, BackendError::Refused { reason, .. } if words.iter().any(|word| reason.starts_with(word)))
}
