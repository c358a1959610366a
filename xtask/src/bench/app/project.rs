//! The Vite project of the bench, and an agent's server in it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;
use tempfile::TempDir;
use testkit::SampleProject;
use testkit::mcp::{Revision, StdioClient, ToolResult};

use crate::repo;

/// What people type; Vite has to be told the port, because it does not read `PORT`.
pub(super) const DEV: &str = "npm run dev -- --strictPort --port {port}";

const CALL: Duration = Duration::from_secs(60);
const END: Duration = Duration::from_secs(10);

const FILES: &[(&str, &str)] = &[
    ("package.json", r#"{ "private": true, "type": "module", "scripts": { "dev": "vite" } }"#),
    (
        "index.html",
        r#"<!doctype html>
<title>Bench</title>
<style>#cover { position: fixed; inset: 0; background: rgb(0 0 0 / 40%); }</style>
<h1>Bench</h1>
<button id="covered">Covered</button>
<div id="cover"></div>
<script type="module" src="/main.js"></script>
"#,
    ),
    ("main.js", "document.title = 'Bench, ready';\n"),
];

/// The project, and where its dev server's logs go.
pub(super) struct Project {
    sample: SampleProject,
    /// Below cargo's target folder, where there is room for a long log.
    state: TempDir,
}

impl Project {
    pub(super) fn new() -> anyhow::Result<Self> {
        let mut sample = SampleProject::new()?.npm()?;
        for (path, text) in FILES {
            sample = sample.file(path, text)?;
        }
        let state = tempfile::Builder::new().prefix("bench-app-").tempdir_in(repo::target_dir()?)?;
        Ok(Self { sample, state })
    }

    pub(super) fn root(&self) -> PathBuf {
        self.sample.root()
    }

    /// What every start, direct or not, has in its environment: nothing of it asks the network or writes elsewhere.
    pub(super) fn env(&self) -> [(&'static str, String); 3] {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        [
            ("XDG_RUNTIME_DIR", text(self.state.path())),
            ("npm_config_cache", text(&self.state.path().join("npm"))),
            ("npm_config_update_notifier", "false".to_owned()),
        ]
    }

    /// A server in the project that runs its dev server, with the handshake done.
    pub(super) fn agent(&self, server: &Path) -> anyhow::Result<Agent> {
        self.agent_with(server, &["--headless", "--dev", DEV])
    }

    /// The same with flags of one's own.
    pub(super) fn agent_with(&self, server: &Path, flags: &[&str]) -> anyhow::Result<Agent> {
        let env = self.env();
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut client = StdioClient::start(server, flags, &env, &self.root())?;
        client.initialize(Revision::V2025_11_25)?;
        Ok(Agent { client, took: Duration::ZERO })
    }
}

/// A client of that server.
pub(super) struct Agent {
    client: StdioClient,
    took: Duration,
}

impl Agent {
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<ToolResult> {
        let began = Instant::now();
        let result = self.client.call_tool_within(tool, arguments, CALL)?;
        self.took = self.client.last_came() - began;
        Ok(result)
    }

    /// A call that must do what it is asked to.
    pub(super) fn ask(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<String> {
        let result = self.call(tool, arguments)?;
        ensure!(!result.is_error(), "{tool}: {}", result.text());
        Ok(result.text())
    }

    /// The same for a tool that answers in JSON.
    pub(super) fn json(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<Value> {
        let text = self.ask(tool, arguments)?;
        serde_json::from_str(&text).with_context(|| format!("{tool} answered in no JSON: {text}"))
    }

    /// How long the last call took, until its answer had arrived.
    pub(super) fn last_took(&self) -> Duration {
        self.took
    }

    /// The server's process.
    pub(super) fn pid(&self) -> u32 {
        self.client.server().pid()
    }

    /// In good order, as a client goes.
    pub(super) fn close(mut self) -> anyhow::Result<()> {
        self.client.close_stdin();
        let end = self.client.wait_exit(END)?;
        ensure!(end.success(), "the server ended with {end}");
        Ok(())
    }
}
