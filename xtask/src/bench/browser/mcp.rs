//! The contenders that speak MCP over stdio: ours and Playwright's.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use testkit::mcp::{Revision, StdioClient};

use super::contender::{Changes, Contender, Running, Step, Told};
use super::field::{Field, Place};
use super::memory;
use super::peers::Peers;

/// How long a call, and the end of a server, may take.
const CALL: Duration = Duration::from_secs(60);
const END: Duration = Duration::from_secs(10);

/// A tool's name and its arguments.
type Call = (&'static str, Value);

/// A server and how its tools are called.
pub(super) struct McpServer {
    name: &'static str,
    program: String,
    args: Vec<String>,
    place: Place,
    words: fn(&Step<'_>) -> Call,
    changes: Changes,
}

/// Ours, with every family of tools and its own names for them; it needs no word about root and sandboxes.
pub(super) fn ours(server: &Path, field: &Field) -> McpServer {
    let args = ["--headless", "--executable-path", Field::chromium()];
    McpServer {
        name: "ours",
        program: server.display().to_string(),
        args: args.map(str::to_owned).to_vec(),
        place: field.place("ours"),
        words: our_words,
        changes: Changes::InResult,
    }
}

/// Playwright's, run by Node itself: `npx` would only add to its times. Isolated, because our sessions are.
pub(super) fn playwright(peers: &Peers, field: &Field) -> McpServer {
    let script = peers.playwright().display().to_string();
    let args = [script.as_str(), "--headless", "--isolated", "--executable-path", Field::chromium()];
    McpServer {
        name: "@playwright/mcp",
        program: "node".to_owned(),
        args: args.into_iter().chain(Field::sandbox_flag()).map(str::to_owned).collect(),
        place: field.place("playwright"),
        words: playwrights_words,
        changes: Changes::InFile,
    }
}

fn our_words(step: &Step<'_>) -> Call {
    match step {
        Step::Navigate { url } => ("navigate", json!({ "url": url })),
        Step::Snapshot => ("snapshot", json!({})),
        Step::Click { target } => ("click", json!({ "ref": target })),
        Step::Type { target, text } => ("type", json!({ "ref": target, "text": text })),
        Step::Evaluate { expression } => ("evaluate", json!({ "script": expression })),
        Step::Screenshot => ("screenshot", json!({})),
    }
}

fn playwrights_words(step: &Step<'_>) -> Call {
    match step {
        Step::Navigate { url } => ("browser_navigate", json!({ "url": url })),
        Step::Snapshot => ("browser_snapshot", json!({})),
        Step::Click { target } => ("browser_click", json!({ "element": "button", "target": target })),
        Step::Type { target, text } => {
            ("browser_type", json!({ "element": "field", "target": target, "text": text }))
        }
        Step::Evaluate { expression } => {
            ("browser_evaluate", json!({ "function": format!("() => ({expression})") }))
        }
        Step::Screenshot => ("browser_take_screenshot", json!({ "type": "png", "scale": "css" })),
    }
}

impl Contender for McpServer {
    fn name(&self) -> &'static str {
        self.name
    }

    fn start(&self) -> anyhow::Result<Box<dyn Running>> {
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let variables = self.place.variables();
        let env: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let folder = self.place.folder()?;
        let began = Instant::now();
        let mut client = StdioClient::start(&self.program, &args, &env, folder)?;
        client.initialize(Revision::V2025_11_25)?;
        let ready_after = client.last_came() - began;
        let folder = folder.to_owned();
        Ok(Box::new(McpRun { client, folder, ready_after, words: self.words, changes: self.changes }))
    }
}

/// A server that has shaken hands.
struct McpRun {
    client: StdioClient,
    folder: PathBuf,
    ready_after: Duration,
    words: fn(&Step<'_>) -> Call,
    changes: Changes,
}

impl McpRun {
    /// The file with all of a result that was cut: what is cut off is no saving.
    fn whole(&self, text: &str) -> anyhow::Result<Option<String>> {
        let Some((_, rest)) = text.rsplit_once("all of it is in ") else { return Ok(None) };
        let name = rest.split_once(". ").map_or(rest, |(name, _)| name).trim();
        let path = self.folder.join(name);
        std::fs::read_to_string(&path).map(Some).with_context(|| format!("can't read {}", path.display()))
    }

    /// The bytes of the line that came last.
    fn last_bytes(&self) -> anyhow::Result<usize> {
        Ok(self.client.raw_lines().last().context("nothing came")?.len())
    }
}

impl Running for McpRun {
    fn ready_after(&self) -> Option<Duration> {
        Some(self.ready_after)
    }

    fn ask(&mut self, step: &Step<'_>) -> anyhow::Result<Told> {
        let (tool, arguments) = (self.words)(step);
        let began = Instant::now();
        let result = self.client.call_tool_within(tool, &arguments, CALL)?;
        let took = self.client.last_came() - began;
        ensure!(!result.is_error(), "{tool}: {}", result.text());
        if matches!(step, Step::Screenshot) {
            let contents = result.0["content"].as_array().map_or(&[][..], Vec::as_slice);
            ensure!(contents.iter().any(|content| content["type"] == "image"), "{tool}: no image came");
        }
        match self.whole(&result.text())? {
            Some(whole) => Ok(Told { took, bytes: whole.len(), text: whole }),
            None => Ok(Told { took, bytes: self.last_bytes()?, text: result.text() }),
        }
    }

    fn changes(&self) -> Changes {
        self.changes
    }

    fn memory(&self) -> anyhow::Result<f64> {
        memory::without_browser(self.client.server().pid(), Field::chromium())
    }

    fn tools_bytes(&mut self) -> anyhow::Result<Option<usize>> {
        ensure!(!self.client.list_tools()?.is_empty(), "it lists no tools");
        self.last_bytes().map(Some)
    }
}

impl Drop for McpRun {
    /// In good order, as a client goes; dropping the client kills what does not follow.
    fn drop(&mut self) {
        self.client.close_stdin();
        let _ = self.client.wait_exit(END);
    }
}
