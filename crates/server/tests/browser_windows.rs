//! The full browser, without its windows and with them: the same tools, and nothing left either.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

mod common;

use common::LIMIT;
use common::browsing::Agent;
use common::engines::on_each_browser;
use serde_json::json;
use testkit::{Display, process};

/// Opens, clicks, writes, pictures, follows a popup, closes; then the client goes, and so does everything.
fn a_day(flags: &[&str], display: Option<&str>, headless: bool) {
    let scratch = tempfile::tempdir().unwrap();
    let mut env = vec![("TMPDIR", scratch.path().to_str().unwrap())];
    env.extend(display.map(|name| ("DISPLAY", name)));
    let mut agent = Agent::start_in(flags, &env);
    let opened = agent.json("create_session", &json!({}));
    assert_eq!(opened["headless"], headless, "{opened}");
    agent.visit(
        "<input aria-label=Name><button onclick='this.textContent = document.querySelector(\"input\").value'>Go</button>\
         <a href='/popup' target=_blank>Open</a>",
    );
    agent.site.page("/popup", "<h1>Popup</h1>");
    agent.text("type", &json!({"selector": "getByLabel('Name')", "text": "Ada"}));
    let told = agent.text("click", &json!({"selector": "button"}));
    assert!(told.contains("button \"Ada\""), "{told}");
    let picture = agent.call("screenshot", &json!({}));
    assert_eq!(picture.0["content"].as_array().unwrap().len(), 2, "{}", picture.text());
    assert!(picture.text().contains("1280 × 720"), "{}", picture.text());
    let told = agent.text("click", &json!({"selector": "a"}));
    assert!(told.contains("### Tabs") && told.contains("/popup"), "{told}");
    let started = process::descendants(agent.client.server().pid());
    assert!(!started.is_empty());
    agent.text("close_session", &json!({}));
    drop(agent);
    process::wait_gone(&started, LIMIT).unwrap();
    let left: Vec<_> = std::fs::read_dir(scratch.path()).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_full_browser_works_without_windows() {
    a_day(&["--executable-path", "/usr/bin/chromium"], None, true);
}

on_each_browser![the_full_browser_works_with_windows];

#[test]
fn the_full_browser_works_with_windows() {
    let display = Display::start().unwrap();
    a_day(&["--headless=false"], Some(display.name()), false);
}
