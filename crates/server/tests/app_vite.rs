//! A real Vite project, driven by `--dev "npm run dev"`: the agent edits a file, and the page follows without a reload.
//! `cargo xtask test` installs Vite; without it this fails and says so.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;

use common::engines::{Engine, on_each_browser};
use common::{BINARY, CACHE, LIMIT};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::mcp::{Revision, StdioClient};
use testkit::{SampleProject, process};

const FILES: &[(&str, &str)] = &[
    ("package.json", r#"{ "private": true, "type": "module", "scripts": { "dev": "vite" } }"#),
    (
        "index.html",
        r#"<!doctype html>
<title>Bakery</title>
<h1>Bakery</h1>
<p id="greeting"></p>
<label>Name <input></label>
<script type="module" src="/src/main.js"></script>
"#,
    ),
    (
        "src/main.js",
        r"import { greeting } from './greeting.js';

const show = text => { document.querySelector('#greeting').textContent = text; };
show(greeting);
import.meta.hot?.accept('./greeting.js', fresh => show(fresh.greeting));
",
    ),
    ("src/greeting.js", "export const greeting = 'Fresh bread';\n"),
];

/// An agent in the project.
struct Bakery {
    project: SampleProject,
    client: StdioClient,
    /// The temporary folder of everything that is started.
    scratch: TempDir,
    /// Where the adapter keeps its logs, and npm its own.
    state: TempDir,
}

impl Bakery {
    fn open() -> Self {
        let mut project = SampleProject::new().unwrap().npm().unwrap();
        for (path, text) in FILES {
            project = project.file(path, text).unwrap();
        }
        let (scratch, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let env = [
            ("TMPDIR", text(scratch.path())),
            ("XDG_RUNTIME_DIR", text(state.path())),
            ("npm_config_cache", text(&state.path().join("npm"))),
            ("npm_config_update_notifier", "false".to_owned()),
            ("NODE_DISABLE_COMPILE_CACHE", "1".to_owned()),
        ];
        let env = env.iter().map(|(name, value)| (*name, value.as_str()));
        let env: Vec<(&str, &str)> = env.chain([CACHE]).collect();
        let browser = Engine::played().word();
        let args = ["--headless", "--tools", "app,browser", "--dev", "npm run dev", "--browser", browser];
        let mut client = StdioClient::start(BINARY, &args, &env, &project.root()).unwrap();
        client.initialize(Revision::V2025_11_25).unwrap();
        Self { project, client, scratch, state }
    }

    fn text(&mut self, tool: &str, args: &Value) -> String {
        let result = self.client.call_tool_within(tool, args, LIMIT).unwrap();
        assert!(!result.is_error(), "{tool} {args}: {}", result.text());
        result.text()
    }

    fn json(&mut self, tool: &str, args: &Value) -> Value {
        serde_json::from_str(&self.text(tool, args)).unwrap()
    }

    /// An edit in one stroke, over what was there: a file that is first emptied and then filled is two edits for a watcher
    /// that comes in between.
    fn greet_with(&self, text: &str) {
        let file = self.project.root().join("src/greeting.js");
        let new = format!("export const greeting = '{text}';\n");
        let size = usize::try_from(std::fs::metadata(&file).unwrap().len()).unwrap();
        let mut file = OpenOptions::new().write(true).open(file).unwrap();
        file.write_all(format!("{new:<size$}").as_bytes()).unwrap();
    }

    /// Everything that we started, whoever adopted it: nothing else has our temporary folder in its environment.
    fn processes(&self) -> Vec<u32> {
        process::with_variable(&format!("TMPDIR={}", self.scratch.path().display()))
    }
}

on_each_browser![a_vite_page_follows_an_edit_and_the_answers_have_the_change_and_the_log];

#[test]
fn a_vite_page_follows_an_edit_and_the_answers_have_the_change_and_the_log() {
    let mut bakery = Bakery::open();
    let started = bakery.json("start_session", &json!({}));
    let url = started["url"].as_str().unwrap().to_owned();
    let page = bakery.text("navigate", &json!({"url": "/"}));
    assert!(page.contains(&format!("URL: {url}/")) && page.contains("Fresh bread"), "{page}");
    bakery.text("type", &json!({"selector": "getByLabel('Name')", "text": "Ada"}));
    let before = bakery.json("read_server_logs", &json!({}));
    assert!(before["text"].as_str().unwrap().contains("VITE"), "{before}");

    // An edit while the agent waits for it: what changed, and what Vite said meanwhile.
    let arguments = json!({"text": "Warm rolls", "timeout": 30_000});
    let params = json!({"name": "wait_for", "arguments": arguments, "_meta": {"progressToken": "waiting"}});
    let waiting = bakery.client.send("tools/call", params).unwrap();
    bakery.client.wait_notification("notifications/progress", LIMIT).unwrap();
    bakery.greet_with("Warm rolls");
    let answer = bakery.client.receive(waiting, LIMIT).unwrap().unwrap();
    let followed = answer["content"][0]["text"].as_str().unwrap();
    assert!(changed(followed).contains("Warm rolls") && !followed.contains("heading"), "{followed}");
    // Vite's words go through a process of their own, so they may be in the answer after.
    // Its watcher takes changes of a file for one that come within a tenth of a second; a person's never do.
    let after = bakery.text("wait_for", &json!({"time": 1}));
    let told = [server_log(followed), server_log(&after)].concat();
    assert_eq!(told.matches("hmr update /src/main.js").count(), 1, "{followed}\n{after}");

    // The usual order: an edit, then the call. What was said before the call is in its answer, too.
    bakery.greet_with("Salty pretzels");
    let followed = bakery.text("wait_for", &json!({"text": "Salty pretzels", "timeout": 30_000}));
    assert!(changed(&followed).contains("Salty pretzels") && !followed.contains("heading"), "{followed}");
    let since = process::wait_until(LIMIT, || {
        let since = bakery.json("read_server_logs", &json!({"since": before["cursor"]}));
        (since["text"].as_str().unwrap().matches("hmr update").count() == 2).then_some(())
    });
    assert!(since.is_some(), "two edits, two lines");
    let after = bakery.text("wait_for", &json!({"text": "Salty pretzels"}));
    let told = [server_log(&followed), server_log(&after)].concat();
    assert_eq!(told.matches("hmr update /src/main.js").count(), 1, "{followed}\n{after}");

    // The page was never loaded again: what was typed is still there.
    let typed = bakery.text("evaluate", &json!({"script": "document.querySelector('input').value"}));
    assert!(typed.contains("\"Ada\""), "{typed}");

    nothing_left(bakery, &started);
}

/// Ends the session, and sees that nothing but the logs is left.
fn nothing_left(mut bakery: Bakery, started: &Value) {
    let pid = u32::try_from(started["pid"].as_u64().unwrap()).unwrap();
    let port = u16::try_from(started["port"].as_u64().unwrap()).unwrap();
    assert!(process::alive(pid));
    let ended = bakery.json("end_session", &json!({}));
    assert_eq!(ended["server"]["status"], "stopped", "{ended}");
    assert!(!process::alive(pid), "Vite lives after the end of its session");
    for host in ["127.0.0.1", "::1"] {
        assert!(TcpStream::connect((host, port)).is_err(), "somebody listens on {host}:{port}");
    }
    bakery.client.close_stdin();
    assert!(bakery.client.wait_exit(LIMIT).unwrap().success());
    let gone = process::wait_until(LIMIT, || bakery.processes().is_empty().then_some(()));
    assert!(gone.is_some(), "still alive: {:?}", bakery.processes());
    let left = || std::fs::read_dir(bakery.scratch.path()).unwrap().flatten().map(|entry| entry.path());
    let empty = process::wait_until(LIMIT, || left().next().is_none().then_some(()));
    assert!(empty.is_some(), "left behind: {:?}", left().collect::<Vec<_>>());
    let log = Path::new(started["logs"]["combined"].as_str().unwrap());
    assert!(log.starts_with(bakery.state.path()) && log.is_file(), "the logs stay as evidence");
}

/// The part of an answer that shows what changed.
fn changed(answer: &str) -> &str {
    section(answer, "### Changes")
}

/// What the server said, if anything.
fn server_log(answer: &str) -> &str {
    if answer.contains("### Server log") { section(answer, "### Server log") } else { "" }
}

fn section<'a>(answer: &'a str, heading: &str) -> &'a str {
    let (_, rest) = answer.split_once(heading).unwrap_or_else(|| panic!("no {heading} in {answer}"));
    rest.split_once("\n### ").map_or(rest, |(part, _)| part)
}
