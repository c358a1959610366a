//! A server with a real browser, a site to visit and a workspace of its own.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::mcp::{Revision, StdioClient, ToolResult};
use testkit::site::Site;

use super::engines::Engine;
use super::{BINARY, CACHE, LIMIT};

/// An agent at work.
pub(crate) struct Agent {
    pub(crate) client: StdioClient,
    pub(crate) site: Site,
    pub(crate) workspace: TempDir,
}

impl Agent {
    /// A server with these flags, its handshake done; the browser has no window.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::start_in(flags, &[])
    }

    /// The same, in an environment with these variables.
    pub(crate) fn start_in(flags: &[&str], env: &[(&str, &str)]) -> Self {
        let workspace = tempfile::tempdir().unwrap();
        let mut args = vec!["--headless", "--tools", "browser", "--browser", Engine::played().word()];
        args.extend(flags);
        let env: Vec<(&str, &str)> = std::iter::once(CACHE).chain(env.iter().copied()).collect();
        let mut client = StdioClient::start(BINARY, &args, &env, workspace.path()).unwrap();
        client.initialize(Revision::V2025_11_25).unwrap();
        Self { client, site: Site::start().unwrap(), workspace }
    }

    /// The same, on a page with this content.
    pub(crate) fn on(html: &str) -> Self {
        let mut agent = Self::start(&[]);
        agent.visit(html);
        agent
    }

    /// Shows a page with this content.
    pub(crate) fn visit(&mut self, html: &str) -> String {
        self.site.page("/", html);
        let url = self.site.url("/");
        self.text("navigate", &json!({ "url": url }))
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

    /// Calls a tool that fails, and gives the error's code.
    pub(crate) fn code(&mut self, tool: &str, args: &Value) -> String {
        self.failure(tool, args)["error"]["errorCode"].as_str().unwrap().to_owned()
    }

    /// Opens a session.
    pub(crate) fn session(&mut self, args: &Value) -> String {
        self.json("create_session", args)["sessionId"].as_str().unwrap().to_owned()
    }

    /// The value of a script in the page.
    pub(crate) fn evaluate(&mut self, script: &str) -> Value {
        let text = self.text("evaluate", &json!({ "script": script }));
        let value = text.split("### Result\n").nth(1).unwrap().split("\n### ").next().unwrap();
        serde_json::from_str(value).unwrap()
    }

    /// A file of the workspace.
    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.workspace.path().join(path)).unwrap()
    }

    /// Puts a file into the workspace.
    pub(crate) fn write(&self, path: &str, content: &str) {
        std::fs::write(Path::new(self.workspace.path()).join(path), content).unwrap();
    }
}

/// The ref of the line of a snapshot that contains `text`.
pub(crate) fn reference(snapshot: &str, text: &str) -> String {
    let line = snapshot.lines().find(|line| line.contains(text) && line.contains("[ref=")).unwrap();
    line.split("[ref=").nth(1).unwrap().split(']').next().unwrap().to_owned()
}
