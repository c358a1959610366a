//! However the server ends, no dev server outlives it: its own command shuts it down, by the watchdog if need be.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::LIMIT;
use common::apps::Stage;
use common::engines::{Engine, on_each_browser};
use serde_json::json;
use testkit::ContractApp;
use testkit::process;

/// A server with two sessions on two dev servers.
fn two_apps() -> (Stage, ContractApp) {
    let mut stage = Stage::open(&[]);
    let other = ContractApp::new().unwrap();
    let first = stage.start();
    let second = stage.json("start_session", &json!({"commandPath": other.program()}));
    assert_ne!(first["port"], second["port"]);
    for session in [&first, &second] {
        let page = stage.text("navigate", &json!({"url": "/", "sessionId": session["sessionId"]}));
        assert!(page.contains(session["url"].as_str().unwrap()), "{page}");
    }
    (stage, other)
}

on_each_browser![
    a_killed_server_s_dev_servers_are_shut_down_by_their_own_commands,
    a_client_that_leaves_takes_every_dev_server_with_it,
    a_terminated_server_shuts_its_dev_server_down_even_if_its_command_hangs,
    a_start_that_is_under_way_ends_with_the_server,
    a_browser_that_crashes_ends_its_sessions_dev_server,
    the_time_to_idle_is_set_by_a_variable_and_ends_the_dev_server,
];

#[test]
fn a_killed_server_s_dev_servers_are_shut_down_by_their_own_commands() {
    let (stage, other) = two_apps();
    let server = stage.client.server().pid();
    let everyone = process::descendants(server);
    assert!(everyone.contains(&stage.app.pids()[0]) && everyone.contains(&other.pids()[0]));
    process::kill(server);
    stage.nothing_left(&everyone);
    for app in [&stage.app, &other] {
        app.wait_gone(LIMIT).unwrap();
        assert_eq!(app.calls(), ["start", "shutdown"]);
    }
}

#[test]
fn a_client_that_leaves_takes_every_dev_server_with_it() {
    let (stage, other) = two_apps();
    let (first, log) = (stage.app.pids()[0], stage.app.folder().join("calls"));
    stage.close();
    assert!(!process::alive(first) && !log.exists(), "its folder is gone with the stage");
    other.wait_gone(LIMIT).unwrap();
    assert_eq!(other.calls(), ["start", "shutdown"]);
}

#[test]
fn a_terminated_server_shuts_its_dev_server_down_even_if_its_command_hangs() {
    let mut stage = Stage::open(&[]);
    stage.start();
    stage.app.behave(&json!({"shutdown": "hang"})).unwrap();
    let server = stage.client.server().pid();
    let everyone = process::descendants(server);
    stage.client.server().signal(15).unwrap();
    assert!(stage.client.wait_exit(LIMIT).unwrap().success());
    stage.nothing_left(&everyone);
    assert_eq!(stage.app.calls(), ["start", "shutdown"]);
}

#[test]
fn a_start_that_is_under_way_ends_with_the_server() {
    let mut stage = Stage::open(&[]);
    stage.app.behave(&json!({"start": "hang"})).unwrap();
    let params = json!({"name": "start_session", "arguments": {"commandPath": stage.app.program()}});
    stage.client.send("tools/call", params).unwrap();
    process::wait_until(LIMIT, || (stage.app.calls() == ["start"]).then_some(())).unwrap();
    let everyone = process::descendants(stage.client.server().pid());
    stage.client.close_stdin();
    assert!(stage.client.wait_exit(LIMIT).unwrap().success());
    stage.nothing_left(&everyone);
}

#[test]
fn a_browser_that_crashes_ends_its_sessions_dev_server() {
    let mut stage = Stage::open(&[]);
    stage.start();
    let browsers = Engine::played().browsers(stage.client.server().pid());
    assert_eq!(browsers.len(), 1);
    process::kill(browsers[0]);
    stage.app.wait_gone(LIMIT).unwrap();
    assert_eq!(stage.app.calls(), ["start", "shutdown"]);
    stage.close();
}

#[test]
fn the_time_to_idle_is_set_by_a_variable_and_ends_the_dev_server() {
    let mut stage = Stage::with(ContractApp::new().unwrap(), &[], &[("E2E_MCP_SESSION_TIMEOUT", "1000")]);
    let started = stage.start();
    process::wait_until(LIMIT, || (stage.app.calls() == ["start", "shutdown"]).then_some(())).unwrap();
    stage.app.wait_gone(LIMIT).unwrap();
    let late = stage.failure("navigate", &json!({"url": "/", "sessionId": started["sessionId"]}));
    assert_eq!(late["error"]["errorCode"], "SESSION_EXPIRED");
    stage.close();
}
