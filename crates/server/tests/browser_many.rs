//! Many sessions side by side: nothing mixes, and nothing of them stays.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests panic like tests")]

mod common;

use common::engines::{Engine, no_lock_of, on_each_browser};
use common::{BINARY, CACHE, LIMIT};
use serde_json::{Value, json};
use testkit::mcp::{Revision, StdioClient, ToolResult};
use testkit::process;
use testkit::site::Site;

/// How many this browser is asked for: fifty, ten in Firefox, five in WebKit, where each is a process of its own.
fn sessions() -> usize {
    match Engine::played() {
        Engine::Chromium => 50,
        Engine::Firefox => 10,
        Engine::Webkit => 5,
    }
}

/// A page that shows what its session holds.
const PAGE: &str = "<title>mine</title><output></output><script>
  const id = new URLSearchParams(location.search).get('id');
  const held = () => [document.cookie, localStorage.id, sessionStorage.id].join('|');
  const before = held();
  document.cookie = `id=${id}`;
  localStorage.id = sessionStorage.id = id;
  document.querySelector('output').textContent = `before ${before} after ${held()}`;
</script>";

/// Sends one call per session, all at once, and gathers the answers in their order.
fn all(client: &mut StdioClient, tool: &str, arguments: impl Fn(usize) -> Value) -> Vec<ToolResult> {
    let calls: Vec<u64> = (0..sessions())
        .map(|number| {
            client.send("tools/call", json!({ "name": tool, "arguments": arguments(number) })).unwrap()
        })
        .collect();
    let answers = calls.into_iter().map(|id| client.receive(id, LIMIT * 2).unwrap().unwrap());
    let results: Vec<ToolResult> = answers.map(ToolResult).collect();
    for result in &results {
        assert!(!result.is_error(), "{tool}: {}", result.text());
    }
    results
}

fn memory_of(server: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{server}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Under the name that is true of Firefox and WebKit, too.
fn many_sessions_at_once_share_nothing_and_leave_nothing() {
    fifty_sessions_at_once_share_nothing_and_leave_nothing();
}

on_each_browser![many_sessions_at_once_share_nothing_and_leave_nothing];

#[test]
fn fifty_sessions_at_once_share_nothing_and_leave_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let workspace = tempfile::tempdir().unwrap();
    let site = Site::start().unwrap();
    site.page("/", PAGE);
    let env = [("TMPDIR", scratch.path().to_str().unwrap()), CACHE];
    let browser = Engine::played();
    let args = ["--tools", "browser", "--headless", "--max-sessions", "50", "--browser", browser.word()];
    let mut client = StdioClient::start(BINARY, &args, &env, workspace.path()).unwrap();
    client.initialize(Revision::V2025_11_25).unwrap();
    let server = client.server().pid();

    // The first round warms everything up; what it leaves is what an idle server holds.
    round(&mut client, &site);
    let (memory, painters) = (memory_of(server), browser.painters(server).len());
    round(&mut client, &site);
    let afterwards = memory_of(server);
    assert!(afterwards * 10 <= memory * 11, "{memory} KiB became {afterwards} KiB");
    let settled = || (browser.painters(server).len() <= painters).then_some(());
    process::wait_until(LIMIT, settled).expect("the processes of closed sessions are gone");

    let everyone = process::descendants(server);
    client.close_stdin();
    assert!(client.wait_exit(LIMIT).unwrap().success());
    process::wait_gone(&everyone, LIMIT).unwrap();
    no_lock_of(&everyone);
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

/// Opens, uses and closes the sessions.
fn round(client: &mut StdioClient, site: &Site) {
    let opened = all(client, "create_session", |_| json!({}));
    let ids: Vec<String> =
        opened.iter().map(|result| result.json()["sessionId"].as_str().unwrap().to_owned()).collect();
    let url = |number: usize| site.url(&format!("/?id=s{number}"));
    for visit in 0..2 {
        let arrived =
            all(client, "navigate", |number| json!({ "sessionId": ids[number], "url": url(number) }));
        for (number, result) in arrived.iter().enumerate() {
            let mine = format!("id=s{number}|s{number}|s{number}");
            let before = if visit == 0 { "||".to_owned() } else { mine.clone() };
            let text = result.text();
            assert!(text.contains(&format!("before {before} after {mine}")), "session {number}: {text}");
        }
    }
    let script = "document.cookie + localStorage.id + sessionStorage.id + localStorage.length";
    let read = all(client, "evaluate", |number| json!({ "sessionId": ids[number], "script": script }));
    for (number, result) in read.iter().enumerate() {
        assert!(result.text().contains(&format!("id=s{number}s{number}s{number}1")), "{}", result.text());
    }
    all(client, "close_session", |number| json!({ "sessionId": ids[number] }));
    let listed = client.call_tool_within("list_sessions", &json!({}), LIMIT).unwrap();
    assert_eq!(listed.json()["sessions"], json!([]), "{}", listed.text());
}
