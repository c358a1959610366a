//! Browsers that run elsewhere (`--cdp-endpoint`): a second Chromium is the fleet.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::LIMIT;
use common::browsing::Agent;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::mcp::ServerProcess;
use testkit::process::{alive, descendants};

/// A Chromium that somebody else started and keeps.
struct Fleet {
    browser: ServerProcess,
    address: std::net::SocketAddr,
    _profile: TempDir,
}

impl Fleet {
    fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let folder = format!("--user-data-dir={}", profile.path().display());
        // Whether its pages are confined is not what is tested here, and root can't have that.
        let args = ["--remote-debugging-port=0", "--no-sandbox", "--disable-dev-shm-usage", &folder];
        let program = "/usr/lib/chromium/chromium-headless-shell";
        let browser = ServerProcess::start(program, &args, &[], profile.path()).unwrap();
        let address =
            browser.wait_stderr(LIMIT, |line| line.split_once("ws://")?.1.split('/').next()?.parse().ok());
        Self { address: address.unwrap(), browser, _profile: profile }
    }

    /// The pages that it has.
    fn pages(&self) -> Vec<Value> {
        let mut connection = common::connect(self.address);
        let list = connection.ask("GET", "/json/list", &[], b"").unwrap().json();
        list.as_array().unwrap().iter().filter(|target| target["type"] == "page").cloned().collect()
    }
}

#[test]
fn sessions_live_in_a_browser_of_the_fleet_and_leave_it_as_it_was() {
    let mut fleet = Fleet::start();
    let before = fleet.pages();
    let endpoint = format!("http://{}", fleet.address);
    let mut agent = Agent::start(&["--cdp-endpoint", &endpoint]);
    agent.site.page("/", "<title>Shop</title><h1>Basket</h1>");
    let url = agent.site.url("/");
    let (first, second) = (agent.session(&json!({})), agent.session(&json!({})));
    for id in [&first, &second] {
        let told = agent.text("navigate", &json!({ "url": url, "sessionId": id }));
        assert!(told.contains("Basket"), "{told}");
    }
    let cookies = |agent: &mut Agent, id: &str, script: &str| {
        agent.text("evaluate", &json!({ "script": script, "sessionId": id }))
    };
    cookies(&mut agent, &first, "document.cookie = 'who=first'");
    assert!(cookies(&mut agent, &first, "document.cookie").contains("who=first"));
    assert!(!cookies(&mut agent, &second, "document.cookie").contains("who=first"), "sessions are apart");
    let own = descendants(agent.client.server().pid());
    let is_browser = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("--remote-debugging")
    };
    assert!(!own.iter().any(is_browser), "no browser is started here");
    agent.client.close_stdin();
    assert!(agent.client.wait_exit(LIMIT).unwrap().success());
    assert!(alive(fleet.browser.pid()), "it is somebody else's");
    let left = testkit::process::wait_until(LIMIT, || (fleet.pages().len() == before.len()).then_some(()));
    assert!(left.is_some(), "pages are left: {:?}", fleet.pages());
    fleet.browser.signal(15).unwrap();
    fleet.browser.wait_exit(LIMIT).unwrap();
}

#[test]
fn a_fleet_that_is_gone_is_told_at_once() {
    let mut fleet = Fleet::start();
    let endpoint = format!("http://{}", fleet.address);
    let mut agent = Agent::start(&["--cdp-endpoint", &endpoint]);
    let id = agent.session(&json!({}));
    testkit::process::kill(fleet.browser.pid());
    fleet.browser.wait_exit(LIMIT).unwrap();
    let code = agent.code("navigate", &json!({ "url": agent.site.url("/"), "sessionId": id }));
    assert_eq!(code, "BROWSER_CRASHED");
    let failure = agent.failure("create_session", &json!({}));
    assert!(failure["error"]["message"].as_str().unwrap().contains(&fleet.address.to_string()), "{failure}");
}
