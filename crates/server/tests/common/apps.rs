//! A server with a real browser and a real dev server behind a real server command.

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::ContractApp;
use testkit::mcp::{Revision, StdioClient, ToolResult};
use testkit::process;

use super::engines::{Engine, no_lock_of};
use super::{BINARY, CACHE, LIMIT};

/// An agent with an app.
pub(crate) struct Stage {
    pub(crate) client: StdioClient,
    pub(crate) app: ContractApp,
    pub(crate) workspace: TempDir,
    /// The server's own temporary folder, in which nothing may be left.
    pub(crate) scratch: TempDir,
}

impl Stage {
    /// A server with these flags that may run any command.
    pub(crate) fn open(flags: &[&str]) -> Self {
        Self::with(ContractApp::new().unwrap(), flags, &[])
    }

    /// The same for this app, with these variables.
    pub(crate) fn with(app: ContractApp, flags: &[&str], env: &[(&str, &str)]) -> Self {
        let (workspace, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut args = vec!["--headless", "--tools", "app,browser", "--browser", Engine::played().word()];
        args.extend(flags);
        let mut variables = vec![("TMPDIR", scratch.path().to_str().unwrap()), CACHE];
        variables.extend(env);
        let mut client = StdioClient::start(BINARY, &args, &variables, workspace.path()).unwrap();
        client.initialize(Revision::V2025_11_25).unwrap();
        Self { client, app, workspace, scratch }
    }

    /// Starts a session with the app, and gives the whole answer.
    pub(crate) fn start(&mut self) -> Value {
        let path = self.app.program();
        self.json("start_session", &json!({"commandPath": path}))
    }

    /// Calls a tool.
    pub(crate) fn call(&mut self, tool: &str, args: &Value) -> ToolResult {
        self.client.call_tool_within(tool, args, LIMIT).unwrap()
    }

    /// Calls a tool that does what it is asked to, and reads its answer.
    pub(crate) fn text(&mut self, tool: &str, args: &Value) -> String {
        let result = self.call(tool, args);
        assert!(!result.is_error(), "{tool} {args}: {}", result.text());
        result.text()
    }

    /// Calls a tool that answers in JSON.
    pub(crate) fn json(&mut self, tool: &str, args: &Value) -> Value {
        serde_json::from_str(&self.text(tool, args)).unwrap()
    }

    /// Calls a tool that fails, and gives its whole answer.
    pub(crate) fn failure(&mut self, tool: &str, args: &Value) -> Value {
        let result = self.call(tool, args);
        assert!(result.is_error(), "{tool} {args}: {}", result.text());
        result.json()
    }

    /// Ends the server, and checks that nothing of it or its apps is left.
    pub(crate) fn close(mut self) {
        let everyone = process::descendants(self.client.server().pid());
        self.client.close_stdin();
        let end = self.client.wait_exit(LIMIT).unwrap();
        assert!(end.success(), "{end:?}");
        self.nothing_left(&everyone);
    }

    /// No process, no profile.
    pub(crate) fn nothing_left(&self, everyone: &[u32]) {
        process::wait_gone(everyone, LIMIT).unwrap();
        no_lock_of(everyone);
        let names = || -> Vec<_> {
            std::fs::read_dir(self.scratch.path()).unwrap().flatten().map(|entry| entry.path()).collect()
        };
        let empty = process::wait_until(LIMIT, || names().is_empty().then_some(()));
        assert!(empty.is_some(), "left behind: {:?}", names());
    }
}
