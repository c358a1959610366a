//! What this room asks of the tools: a list, and calls by name.
//!
//! A trait rather than [`Toolbox`] itself, so that the protocol is tested with calls that hang, fail and panic on
//! demand.

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::tools::{Caller, ListedTool, Reply, Toolbox};

/// The tools behind a server.
pub(crate) trait Tools: Send + Sync + 'static {
    /// What `tools/list` shows.
    fn listed(&self) -> &[ListedTool];

    /// Whether a tool answers to this name, in any spelling.
    fn knows(&self, name: &str) -> bool;

    /// Calls a tool; always comes back with a reply.
    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        caller: Caller,
    ) -> BoxFuture<'a, Reply>;
}

impl Tools for Toolbox {
    fn listed(&self) -> &[ListedTool] {
        self.listed()
    }

    fn knows(&self, name: &str) -> bool {
        self.has(name)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        caller: Caller,
    ) -> BoxFuture<'a, Reply> {
        Box::pin(Toolbox::call(self, name, arguments, caller))
    }
}
