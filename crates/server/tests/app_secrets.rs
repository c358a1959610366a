//! Secrets: used by their names, and nowhere to be seen. And what the log tells, here and to a client that asks.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::LIMIT;
use common::apps::Stage;
use common::engines::on_each_browser;
use serde_json::{Value, json};
use testkit::ContractApp;
use testkit::process::wait_until;

const VALUE: &str = "hunter2 & \"more\"";

fn stage_with_secrets() -> Stage {
    let app = ContractApp::new().unwrap();
    let file = app.folder().join("secrets.env");
    std::fs::write(&file, format!("# mine\nPASS='{VALUE}'\nUSER=somebody-else\n")).unwrap();
    let path = file.display().to_string();
    Stage::with(app, &["--secrets", &path, "--log-level", "debug"], &[])
}

on_each_browser![
    a_secret_is_written_by_its_name_and_is_in_no_result_no_log_and_no_file,
    the_log_has_the_events_of_a_session_and_tells_them_to_a_client_that_asks,
];

#[test]
fn a_secret_is_written_by_its_name_and_is_in_no_result_no_log_and_no_file() {
    let mut stage = stage_with_secrets();
    stage.start();
    stage.text("navigate", &json!({"url": "/"}));
    let mut told = vec![stage.text("type", &json!({"selector": "#pass", "text": "{{secret:PASS}}"}))];
    let fields = json!([{"selector": "#name", "value": "{{secret:USER}}"}]);
    told.push(stage.text("fill_form", &json!({ "fields": fields })));
    assert!(told[0].contains("{{secret:PASS}}"), "{}", told[0]);
    // The page has the values themselves.
    let script =
        "document.querySelector('#pass').value.length * 100 + document.querySelector('#name').value.length";
    let length = stage.text("evaluate", &json!({ "script": script }));
    let expected = VALUE.len() * 100 + "somebody-else".len();
    assert!(length.contains(&expected.to_string()), "{length}");
    let log = format!("LOG {VALUE} was here\nGET /?p=hunter2+%26+%22more%22\n");
    std::fs::write(stage.app.log("stderr"), log.repeat(1_000)).unwrap();
    for (tool, args) in [
        ("snapshot", json!({})),
        ("evaluate", json!({"script": "document.getElementById('pass').value"})),
        (
            "evaluate",
            json!({"script": "({[document.getElementById('pass').value]: 1})", "filename": "value.json"}),
        ),
        ("evaluate", json!({"script": "console.error('I know ' + document.getElementById('pass').value)"})),
        ("console_messages", json!({})),
        ("read_server_logs", json!({"logType": "stderr"})),
        ("click", json!({"selector": "#nowhere", "timeout": 200})),
        ("click", json!({"selector": format!("text={VALUE}"), "timeout": 200})),
    ] {
        told.push(stage.call(tool, &args).text());
    }
    for text in &told {
        for form in [VALUE, "hunter2", "somebody-else"] {
            assert!(!text.contains(form), "{text}");
        }
    }
    assert!(told[2].contains("{{secret:USER}}"), "{}", told[2]);
    let unknown = stage.failure("type", &json!({"selector": "#pass", "text": "{{secret:NOPE}}"}));
    assert_eq!(unknown["error"]["field"], "text");
    assert!(unknown["error"]["message"].as_str().unwrap().contains("PASS, USER"), "{unknown}");
    for file in walk(stage.workspace.path()) {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("hunter2"), "{}", file.display());
    }
    let logged = stage.client.stderr().join("\n");
    assert!(logged.contains("tool_invoked") && !logged.contains("hunter2"), "{logged}");
    stage.close();
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn the_log_has_the_events_of_a_session_and_tells_them_to_a_client_that_asks() {
    let mut stage = Stage::open(&[]);
    stage.client.request("logging/setLevel", json!({"level": "info"}), LIMIT).unwrap().unwrap();
    let started = stage.start();
    stage.failure("click", &json!({"selector": "#nowhere", "timeout": 200}));
    stage.json("end_session", &json!({}));
    let id = started["sessionId"].as_str().unwrap().to_owned();
    let logged = wait_until(LIMIT, || {
        Some(stage.client.stderr().join("\n")).filter(|log| log.contains("SessionTerminated"))
    });
    let lines: Vec<Value> =
        logged.unwrap().lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let find = |kind: &str| {
        let line = lines.iter().find(|line| line["details"]["eventType"] == kind);
        line.unwrap_or_else(|| panic!("no {kind}")).clone()
    };
    assert_eq!(find("SessionStarted")["details"]["url"], started["url"]);
    assert_eq!(find("SessionTerminated")["details"]["reason"], "manual");
    assert_eq!(find("ToolInvocationFailed")["details"]["toolName"], "click");
    assert!(
        lines
            .iter()
            .filter(|line| line["details"]["eventType"].is_string())
            .all(|line| line["sessionId"] == id.as_str())
    );
    let told = stage.client.notifications().to_vec();
    let told: Vec<&Value> = told
        .iter()
        .filter(|note| note["method"] == "notifications/message")
        .map(|note| &note["params"])
        .collect();
    let of = |kind: &str| {
        told.iter().any(|note| note["data"]["details"]["eventType"] == kind && note["logger"].is_string())
    };
    assert!(of("SessionStarted") && of("ToolInvocationFailed"), "{told:?}");
    stage.close();
}
