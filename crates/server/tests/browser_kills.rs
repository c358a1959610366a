//! KILL to the server, the browser, the processes that draw pages and the GPU process, each in the middle of a loop of clicks: the calls
//! come back, they say what happened, and nothing is left behind.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests panic like tests")]

mod common;

use std::time::Duration;

use common::engines::{Engine, no_lock_of, on_each_browser};
use common::{BINARY, CACHE, LIMIT};
use serde_json::{Value, json};
use testkit::mcp::{Revision, StdioClient, ToolResult};
use testkit::process;
use testkit::site::Site;

const PAGE: &str = "<title>clicks</title><button onclick=\"this.dataset.n = ++window.n\">Click</button>\
                    <script>window.n = 0</script>";
/// After so many clicks something dies.
const BEFORE: usize = 5;
/// What dies does so in the middle of one of these.
const AROUND: usize = 200;

/// A server with its own temporary folder, in which nothing may be left.
struct Stage {
    client: StdioClient,
    site: Site,
    scratch: tempfile::TempDir,
    _workspace: tempfile::TempDir,
}

impl Stage {
    fn open() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let workspace = tempfile::tempdir().unwrap();
        let env = [("TMPDIR", scratch.path().to_str().unwrap()), CACHE];
        let args = ["--tools", "browser", "--headless", "--browser", Engine::played().word()];
        let mut client = StdioClient::start(BINARY, &args, &env, workspace.path()).unwrap();
        client.initialize(Revision::V2025_11_25).unwrap();
        let site = Site::start().unwrap();
        site.page("/", PAGE);
        let mut stage = Self { client, site, scratch, _workspace: workspace };
        let arrived = stage.navigate();
        assert!(!arrived.is_error(), "{}", arrived.text());
        stage
    }

    fn navigate(&mut self) -> ToolResult {
        let arguments = json!({ "url": self.site.url("/") });
        self.client.call_tool_within("navigate", &arguments, LIMIT).unwrap()
    }

    fn click(&mut self) -> ToolResult {
        self.client.call_tool_within("click", &json!({ "selector": "button" }), LIMIT).unwrap()
    }

    /// Clicks, kills in the middle of a click, and clicks on until a call fails or the loop is over.
    fn click_around(&mut self, kill: impl FnOnce() + Send + 'static) -> Option<ToolResult> {
        for _ in 0..BEFORE {
            assert!(!self.click().is_error());
        }
        let killer = std::thread::spawn(kill);
        let failed = (0..AROUND).map(|_| self.click()).find(ToolResult::is_error);
        killer.join().unwrap();
        failed
    }

    /// Ends it, and checks that no process and no file is left.
    fn close(mut self) {
        let everyone = process::descendants(self.client.server().pid());
        self.client.close_stdin();
        assert!(self.client.wait_exit(LIMIT).unwrap().success());
        self.nothing_left(&everyone);
    }

    fn nothing_left(&self, everyone: &[u32]) {
        process::wait_gone(everyone, LIMIT).unwrap();
        no_lock_of(everyone);
        let left = || {
            let entries: Vec<_> = std::fs::read_dir(self.scratch.path()).unwrap().flatten().collect();
            entries.is_empty().then_some(())
        };
        let names = || -> Vec<_> {
            std::fs::read_dir(self.scratch.path()).unwrap().flatten().map(|entry| entry.path()).collect()
        };
        process::wait_until(LIMIT, left).unwrap_or_else(|| panic!("left behind: {:?}", names()));
    }
}

fn kind_of_error(result: &ToolResult) -> String {
    let told: Value = result.json();
    told["error"]["type"].as_str().unwrap_or_default().to_owned()
}

on_each_browser![
    a_killed_server_leaves_no_browser_and_no_profile,
    a_killed_browser_is_told_and_the_next_session_has_a_fresh_one,
    a_killed_renderer_is_told_and_the_next_navigation_works,
];

#[test]
fn a_killed_server_leaves_no_browser_and_no_profile() {
    let mut stage = Stage::open();
    let server = stage.client.server().pid();
    let everyone = process::descendants(server);
    assert!(everyone.len() > 2, "{everyone:?}");
    for _ in 0..BEFORE {
        assert!(!stage.click().is_error());
    }
    let id = stage
        .client
        .send("tools/call", json!({ "name": "click", "arguments": { "selector": "button" } }))
        .unwrap();
    process::kill(server);
    // Whether the last click was answered is the race's to decide.
    let _ = stage.client.receive(id, Duration::from_secs(5));
    stage.nothing_left(&everyone);
}

#[test]
fn a_killed_browser_is_told_and_the_next_session_has_a_fresh_one() {
    let mut stage = Stage::open();
    let browser = Engine::played().browsers(stage.client.server().pid());
    assert_eq!(browser.len(), 1, "{browser:?}");
    let old = process::descendants(browser[0]);
    let failed = stage.click_around(move || process::kill(browser[0])).expect("a call fails");
    assert_eq!(kind_of_error(&failed), "browser_crashed", "{}", failed.text());
    process::wait_gone(&old, LIMIT).unwrap();
    let arrived = stage.navigate();
    assert!(!arrived.is_error(), "{}", arrived.text());
    assert!(!stage.click().is_error());
    stage.close();
}

#[test]
fn a_killed_renderer_is_told_and_the_next_navigation_works() {
    let mut stage = Stage::open();
    let painters = Engine::played().painters(stage.client.server().pid());
    assert!(!painters.is_empty());
    let failed =
        stage.click_around(move || painters.into_iter().for_each(process::kill)).expect("a call fails");
    assert_eq!(kind_of_error(&failed), "page_crashed", "{}", failed.text());
    let arrived = stage.navigate();
    assert!(!arrived.is_error(), "{}", arrived.text());
    assert!(!stage.click().is_error());
    stage.close();
}

#[test]
fn a_killed_gpu_process_is_no_reason_to_stop_clicking() {
    let mut stage = Stage::open();
    let is_gpu = |pid: &u32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains("--type=gpu-process")
    };
    let everyone = process::descendants(stage.client.server().pid());
    let gpu: Vec<u32> = everyone.into_iter().filter(is_gpu).collect();
    assert!(!gpu.is_empty());
    let failed = stage.click_around(move || gpu.into_iter().for_each(process::kill));
    assert_eq!(failed.map(|failed| failed.text()), None);
    let shot = stage.client.call_tool_within("screenshot", &json!({}), LIMIT).unwrap();
    assert!(!shot.is_error(), "{}", shot.text());
    stage.close();
}
