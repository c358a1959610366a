//! A plain dev server, without any script: `--dev` and the command that people type.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::LIMIT;
use common::apps::Stage;
use common::engines::on_each_browser;
use serde_json::{Value, json};
use testkit::process;

const DEV: &str = "python3 -u -m http.server {port} --bind 127.0.0.1";

fn pid(answer: &Value) -> u32 {
    u32::try_from(answer["pid"].as_u64().unwrap()).unwrap()
}

on_each_browser![
    a_plain_dev_server_is_an_app_from_its_start_to_its_end,
    a_plain_dev_server_ends_with_a_killed_server,
];

#[test]
fn a_plain_dev_server_is_an_app_from_its_start_to_its_end() {
    let mut stage = Stage::open(&["--dev", DEV]);
    std::fs::write(stage.workspace.path().join("index.html"), "<title>Plain</title><h1>Hello</h1>").unwrap();
    let refused = stage.failure("start_session", &json!({"commandPath": "/bin/true"}));
    assert_eq!(refused["error"]["field"], "commandPath", "{refused}");
    let refused = stage.failure("start_session", &json!({"args": ["--", "rm"]}));
    assert_eq!(refused["error"]["field"], "args", "{refused}");

    let started = stage.json("start_session", &json!({}));
    assert_eq!(started["alreadyRunning"], false, "{started}");
    let page = stage.text("navigate", &json!({"url": "/"}));
    assert!(page.contains("Plain"), "{page}");
    let missing = stage.text("navigate", &json!({"url": "/no-such"}));
    assert!(missing.contains("404"), "{missing}");
    // The server's words go through a process of their own, so they may be in the answer after.
    let logged = process::wait_until(LIMIT, || {
        let log = stage.json("read_server_logs", &json!({"grep": "no-such"}));
        log["text"].as_str().unwrap().contains("404").then_some(())
    });
    assert!(logged.is_some());
    let next = stage.text("wait_for", &json!({"text": "404"}));
    let told = [page, missing, next].concat();
    for line in ["GET / HTTP", "GET /no-such HTTP"] {
        assert_eq!(told.matches(line).count(), 1, "{line} in {told}");
    }
    assert!(told.contains("### Server log"), "{told}");
    assert_eq!(stage.json("get_session_status", &json!({}))["status"], "running");

    let restarted = stage.json("restart_server", &json!({"reload": true}));
    assert_ne!(pid(&restarted), pid(&started));
    assert!(!process::alive(pid(&started)));
    let ended = stage.json("end_session", &json!({}));
    assert_eq!(ended["server"]["status"], "stopped", "{ended}");
    assert!(!process::alive(pid(&restarted)));
}

#[test]
fn a_plain_dev_server_ends_with_a_killed_server() {
    let mut stage = Stage::open(&["--dev", DEV]);
    let started = stage.json("start_session", &json!({}));
    stage.text("navigate", &json!({"url": "/"}));
    let server = stage.client.server().pid();
    let everyone = process::descendants(server);
    assert!(everyone.contains(&pid(&started)), "it is a descendant of ours");
    process::kill(server);
    process::wait_gone(&everyone, LIMIT).unwrap();
    process::wait_gone(&[pid(&started)], LIMIT).unwrap();
}

#[test]
fn a_plain_dev_server_that_does_not_start_is_told_with_its_words() {
    let mut stage = Stage::open(&["--dev", "python3 -c \"import sys; sys.exit('no module named shop')\""]);
    let failure = stage.failure("start_session", &json!({}));
    assert_eq!(failure["error"]["type"], "server_start_failed", "{failure}");
    assert!(failure.to_string().contains("no module named shop"), "{failure}");
    assert_eq!(stage.json("list_sessions", &json!({}))["sessions"], json!([]));
}
