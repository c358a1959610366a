//! What this room asks of the tools: a list, and calls by name.
//!
//! A trait rather than [`Toolbox`] itself, so that the protocol is tested with calls that hang, fail and panic on
//! demand.

use std::path::PathBuf;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::metrics::Metrics;
use crate::tools::{Caller, ListedTool, Reply, Toolbox};

/// The tools behind a server.
pub(crate) trait Tools: Send + Sync + 'static {
    /// What `tools/list` shows.
    fn listed(&self) -> &[ListedTool];

    /// Whether a tool answers to this name, in any spelling.
    fn knows(&self, name: &str) -> bool;

    /// Whether the client should be asked which folders it works on.
    fn wants_roots(&self) -> bool {
        false
    }

    /// The folders that the client works on.
    fn offer_roots(&self, _: Vec<PathBuf>) {}

    /// A client is there: what takes long to start may start.
    fn client_is_there(&self) {}

    /// How many sessions are open.
    fn sessions(&self) -> usize {
        0
    }

    /// Whether a call of `name` opens a session.
    fn opens_session(&self, _: &str) -> bool {
        false
    }

    /// What is counted.
    fn metrics(&self) -> Metrics {
        Metrics::default()
    }

    /// A line of progress as it may be told.
    fn shown(&self, line: String) -> String {
        line
    }

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

    fn wants_roots(&self) -> bool {
        self.slot().wants_roots()
    }

    fn offer_roots(&self, roots: Vec<PathBuf>) {
        self.slot().offer_roots(roots);
    }

    fn client_is_there(&self) {
        self.warm_up();
    }

    fn sessions(&self) -> usize {
        self.open_sessions()
    }

    fn opens_session(&self, name: &str) -> bool {
        self.opens_session(name)
    }

    fn metrics(&self) -> Metrics {
        self.metrics().clone()
    }

    fn shown(&self, line: String) -> String {
        self.without_secrets(&line)
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
