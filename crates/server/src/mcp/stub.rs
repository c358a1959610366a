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
    /// Gains a permit for each `wait` that was cancelled.
    pub(super) cancelled: Arc<Semaphore>,
}

impl StubTools {
    /// `echo` answers at once, `sleep` after `ms`, `wait` only when it is cancelled.
    pub(super) fn new() -> Self {
        let listed = ["echo", "sleep", "wait"].map(|name| ListedTool {
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
        Self { listed: listed.to_vec(), cancelled: Arc::new(Semaphore::new(0)) }
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
                    caller.cancel.cancelled().await;
                    self.cancelled.add_permits(1);
                    Reply { is_error: true, ..text("cancelled".to_owned()) }
                }
                unknown => {
                    Reply { is_error: true, ..text(format!("no tool `{unknown}`; did you mean `echo`?")) }
                }
            }
        })
    }
}

fn text(text: String) -> Reply {
    Reply { content: vec![Content::Text(text)], structured: None, is_error: false }
}
