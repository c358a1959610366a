//! Tools for this room's tests: each does one thing that a transport must cope with.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use super::Tools;
use crate::tools::{Caller, Content, ListedTool, Reply};

/// The tools, and what became of their calls.
pub(super) struct StubTools {
    listed: Vec<ListedTool>,
    pub(super) calls: Calls,
}

/// What became of the calls. Clones are the same.
#[derive(Debug, Clone)]
pub(super) struct Calls {
    /// Gains a permit for each `wait` and `hold` that has begun.
    pub(super) started: Arc<Semaphore>,
    /// Gains a permit for each `wait` that was cancelled.
    pub(super) cancelled: Arc<Semaphore>,
    /// Each permit lets a `hold` answer.
    pub(super) released: Arc<Semaphore>,
}

impl StubTools {
    /// `echo` answers at once, `sleep` after `ms`, `wait` only when it is cancelled, `hold` only when it is released.
    pub(super) fn new() -> Self {
        let listed = ["echo", "sleep", "wait", "hold"].map(|name| ListedTool {
            name: name.to_owned(),
            title: "Stub",
            description: "Does one thing".to_owned(),
            input_schema: Map::from_iter([("type".to_owned(), json!("object"))]),
            output_schema: None,
            read_only: true,
            destructive: false,
            idempotent: true,
            open_world: false,
        });
        let none = || Arc::new(Semaphore::new(0));
        let calls = Calls { started: none(), cancelled: none(), released: none() };
        Self { listed: listed.to_vec(), calls }
    }
}

impl Tools for StubTools {
    fn listed(&self) -> &[ListedTool] {
        &self.listed
    }

    fn knows(&self, name: &str) -> bool {
        self.listed.iter().any(|tool| tool.name == name)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        caller: Caller,
    ) -> BoxFuture<'a, Reply> {
        Box::pin(async move {
            match name {
                "echo" => text(Value::Object(arguments).to_string()),
                "sleep" => {
                    caller.activity.set("sleeping");
                    let ms = arguments.get("ms").and_then(Value::as_u64).unwrap_or(0);
                    tokio::time::sleep(Duration::from_millis(ms)).await;
                    text("slept".to_owned())
                }
                "wait" => {
                    self.calls.started.add_permits(1);
                    caller.cancel.cancelled().await;
                    self.calls.cancelled.add_permits(1);
                    Reply { is_error: true, ..text("cancelled".to_owned()) }
                }
                "hold" => {
                    self.calls.started.add_permits(1);
                    take(&self.calls.released).await;
                    text("held".to_owned())
                }
                unknown => {
                    Reply { is_error: true, ..text(format!("no tool `{unknown}`; did you mean `echo`?")) }
                }
            }
        })
    }
}

/// Waits for a permit and uses it up.
pub(super) async fn take(permits: &Semaphore) {
    permits.acquire().await.expect("never closed").forget();
}

fn text(text: String) -> Reply {
    Reply { content: vec![Content::Text(text)], structured: None, is_error: false }
}
