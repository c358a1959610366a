//! Several browsers in one server: what belongs to one is not asked of another, and sessions of all run side by side.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::browsing::Agent;
use common::{LIMIT, on_pipes};
use serde_json::json;
use testkit::process::descendants;

#[test]
fn what_a_browser_cannot_do_is_refused_with_what_to_use_instead_before_it_is_started() {
    let mut agent = Agent::start(&["--prelaunch", "never"]);
    let before = descendants(agent.client.server().pid());
    let args = json!({"browser": "firefox", "colorScheme": "dark"});
    let error = agent.failure("create_session", &args)["error"].clone();
    assert_eq!(error["errorCode"], "UNSUPPORTED_BY_BROWSER", "{error}");
    assert!(error["message"].as_str().unwrap().contains("colour scheme"), "{error}");
    let next = error["suggestion"].as_str().unwrap();
    assert!(next.contains("--firefox-system-access") && next.contains("chromium"), "{error}");
    assert_eq!(descendants(agent.client.server().pid()), before, "nothing was started");
    assert_eq!(agent.json("list_sessions", &json!({}))["sessions"], json!([]));
}

#[test]
fn a_window_without_a_display_is_refused_in_every_browser() {
    let mut agent = Agent::start_in(
        &["--prelaunch", "never", "--headless=false"],
        &[("DISPLAY", ""), ("WAYLAND_DISPLAY", "")],
    );
    for browser in ["chromium", "firefox", "webkit"] {
        let error = agent.failure("create_session", &json!({ "browser": browser }))["error"].clone();
        assert_eq!(error["errorCode"], "BROWSER_LAUNCH_FAILED", "{error}");
        assert!(error["message"].as_str().unwrap().contains("needs a display"), "{error}");
        assert!(error["suggestion"].as_str().unwrap().contains("headless"), "{error}");
    }
}

#[test]
fn settings_that_are_another_browsers_end_the_start_with_a_word() {
    for flags in [
        &["--browser", "firefox", "--channel", "chrome"][..],
        &["--browser", "webkit", "--cdp-endpoint", "ws://127.0.0.1:1/"],
        &["--browser", "webkit", "--executable-path", "/usr/bin/chromium"],
        &["--executable-path", "/usr/bin/firefox-esr"],
    ] {
        let mut client = on_pipes(flags);
        assert_eq!(client.wait_exit(LIMIT).unwrap().code(), Some(2), "{flags:?}");
    }
}

#[test]
fn one_server_has_sessions_of_three_browsers_side_by_side() {
    let mut agent = Agent::start(&["--prelaunch", "never"]);
    agent.site.page("/", "<title>Same</title><h1>Same page</h1><input aria-label=Name><button onclick='this.textContent = navigator.userAgent'>Who</button>");
    let browsers = ["chromium", "firefox", "webkit"];
    let sessions: Vec<String> =
        browsers.iter().map(|browser| agent.session(&json!({"browser": browser, "name": browser}))).collect();
    let url = agent.site.url("/");
    let pages: Vec<String> = sessions
        .iter()
        .map(|id| {
            agent.text("navigate", &json!({"url": url, "sessionId": id}));
            let told = agent.text("snapshot", &json!({ "sessionId": id }));
            told.split("```").nth(1).unwrap().to_owned()
        })
        .collect();
    assert!(pages[0].contains("heading \"Same page\""), "{}", pages[0]);
    assert!(pages.iter().all(|page| *page == pages[0]), "{pages:?}");
    for (id, name) in sessions.iter().zip(["Chrom", "Firefox", "AppleWebKit"]) {
        let told = agent.text("click", &json!({"selector": "button", "sessionId": id}));
        assert!(told.contains(name), "{told}");
    }
    let list = agent.json("list_sessions", &json!({}));
    let products: Vec<&str> =
        list["sessions"].as_array().unwrap().iter().map(|row| row["browser"].as_str().unwrap()).collect();
    assert!(products[1].contains("Firefox") && products[2].contains("WebKit"), "{products:?}");
}
