//! Server commands that are wrong, forbidden, or do not do what they should: what an agent is told, and what is left.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use common::LIMIT;
use common::apps::Stage;
use common::engines::on_each_browser;
use serde_json::{Value, json};
use testkit::ContractApp;
use testkit::process::wait_until;

fn start_error(stage: &mut Stage, args: &Value) -> Value {
    let failure = stage.failure("start_session", args);
    assert_eq!(stage.json("list_sessions", &json!({}))["sessions"], json!([]));
    failure
}

on_each_browser![
    a_start_that_fails_is_told_with_the_commands_words_and_the_servers_log,
    a_start_that_is_given_up_leaves_nothing,
    the_command_of_the_settings_is_the_only_one_allowed,
    a_session_without_a_server_is_told_apart_from_no_session,
];

#[test]
fn a_command_that_can_not_be_run_is_told_before_anything_starts() {
    let mut stage = Stage::open(&[]);
    let plain = stage.app.log("plain");
    std::fs::write(&plain, "no program").unwrap();
    for (path, expected) in [
        (json!("/no/such/command"), "command_not_found"),
        (json!(plain), "permission_denied"),
        (json!("relative/command"), "invalid_input"),
        (Value::Null, "invalid_input"),
    ] {
        let failure = start_error(&mut stage, &json!({"commandPath": path}));
        assert_eq!(failure["error"]["type"], expected, "{failure}");
        assert!(failure["error"]["suggestion"].is_string(), "{failure}");
    }
    assert_eq!(stage.app.calls(), Vec::<String>::new());
    stage.close();
}

#[test]
fn a_start_that_fails_is_told_with_the_commands_words_and_the_servers_log() {
    let mut stage = Stage::open(&[]);
    let path = json!({"commandPath": stage.app.program()});
    stage.app.behave(&json!({"start": "fail"})).unwrap();
    let failure = start_error(&mut stage, &path);
    let error = &failure["error"];
    assert_eq!((&error["type"], &error["exitCode"]), (&json!("server_start_failed"), &json!(3)), "{failure}");
    assert_eq!(error["details"]["kind"], "non_zero_exit");
    assert!(error["message"].as_str().unwrap().contains("Port 3000 already in use"), "{failure}");
    assert!(error["details"]["stderr"].as_str().unwrap().contains("boom on standard error"), "{failure}");
    assert_eq!(error["details"]["logs"]["stderr"].as_str(), stage.app.log("stderr").to_str());
    assert!(failure["serverLogs"]["stderr"].as_str().unwrap().contains("Port 3000"), "{failure}");
    stage.app.behave(&json!({"start": "garbage"})).unwrap();
    let failure = start_error(&mut stage, &path);
    assert_eq!(failure["error"]["details"]["kind"], "invalid_json", "{failure}");
    assert!(
        failure["error"]["details"]["stdout"].as_str().unwrap().contains("listening {on port"),
        "{failure}"
    );
    stage.app.behave(&json!({})).unwrap();
    stage.start();
    stage.close();
}

#[test]
fn a_start_that_is_given_up_leaves_nothing() {
    let mut stage = Stage::open(&[]);
    stage.app.behave(&json!({"start": "hang"})).unwrap();
    let params = json!({"name": "start_session", "arguments": {"commandPath": stage.app.program()}});
    let id = stage.client.send("tools/call", params).unwrap();
    wait_until(LIMIT, || (stage.app.calls() == ["start"]).then_some(())).unwrap();
    stage.client.notify("notifications/cancelled", json!({"requestId": id})).unwrap();
    let command = stage.app.program().display().to_string();
    let server = stage.client.server().pid();
    let running = || {
        let all = testkit::process::descendants(server).into_iter();
        all.filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&command)
        })
        .count()
    };
    wait_until(LIMIT, || (running() == 0).then_some(())).unwrap();
    stage.app.behave(&json!({})).unwrap();
    assert_eq!(stage.json("list_sessions", &json!({}))["sessions"], json!([]));
    stage.start();
    stage.close();
}

#[test]
fn a_browser_that_does_not_start_takes_the_server_down_again() {
    let mut stage = Stage::open(&["--executable-path", "/bin/false"]);
    let path = stage.app.program();
    let failure = start_error(&mut stage, &json!({"commandPath": path}));
    assert_eq!(failure["error"]["type"], "browser_launch_failed", "{failure}");
    stage.app.wait_gone(LIMIT).unwrap();
    stage.close();
}

#[test]
fn the_command_of_the_settings_is_the_only_one_allowed() {
    let app = ContractApp::new().unwrap();
    let path = app.program().display().to_string();
    let mut stage = Stage::with(app, &[], &[("SERVER_COMMAND_PATH", &path)]);
    let failure = start_error(&mut stage, &json!({"commandPath": "/bin/true"}));
    assert_eq!(
        (&failure["error"]["type"], &failure["error"]["field"]),
        (&json!("invalid_input"), &json!("commandPath"))
    );
    let started = stage.json("start_session", &json!({"args": ["--mode", "test"], "name": "mine"}));
    assert_eq!(started["name"], "mine");
    assert_eq!(stage.app.calls(), ["start --mode test"]);
    stage.json("end_session", &json!({}));
    stage.json("start_session", &json!({"commandPath": path}));
    stage.close();
}

#[test]
fn a_session_without_a_server_is_told_apart_from_no_session() {
    let mut stage = Stage::open(&[]);
    for tool in ["restart_server", "read_server_logs", "get_session_status"] {
        assert_eq!(stage.failure(tool, &json!({}))["error"]["type"], "session_not_found", "{tool}");
    }
    stage.json("create_session", &json!({}));
    for tool in ["restart_server", "read_server_logs"] {
        let failure = stage.failure(tool, &json!({}));
        assert_eq!(failure["error"]["type"], "no_server", "{failure}");
        assert!(failure["error"]["suggestion"].as_str().unwrap().contains("start_session"));
    }
    assert_eq!(stage.json("get_session_status", &json!({}))["status"], "none");
    assert_eq!(stage.failure("navigate", &json!({"url": "/login"}))["error"]["type"], "invalid_input");
    stage.close();
}

#[test]
fn logs_are_read_by_type_by_lines_by_cursor_and_by_pattern() {
    let mut stage = Stage::open(&[]);
    stage.start();
    let log = stage.app.log("stderr");
    let lines: String = (0..500).map(|n| format!("line {n}\n")).collect();
    std::fs::write(&log, lines).unwrap();
    let tail = stage.json("read_server_logs", &json!({"logType": "stderr", "lines": 2}));
    assert_eq!(
        (&tail["text"], &tail["lines"], &tail["leftOut"]),
        (&json!("line 498\nline 499\n"), &json!(2), &json!(true))
    );
    assert_eq!((&tail["logType"], tail["path"].as_str()), (&json!("stderr"), log.to_str()));
    let whole = stage.json("readServerLogs", &json!({"logType": "stderr"}));
    assert_eq!((&whole["lines"], &whole["leftOut"]), (&json!(500), &json!(false)));
    let found = stage.json("read_server_logs", &json!({"logType": "stderr", "grep": "line 4[0-9]$"}));
    assert_eq!(found["lines"], 10, "{found}");
    let mut file = std::fs::File::options().append(true).open(&log).unwrap();
    std::io::Write::write_all(&mut file, b"news\n").unwrap();
    let since = stage.json("read_server_logs", &json!({"logType": "stderr", "since": tail["cursor"]}));
    assert_eq!(since["text"], "news\n");
    // What does not fit is in a file as a whole.
    std::fs::write(&log, "a line of some length\n".repeat(5_000)).unwrap();
    let long = stage.json("read_server_logs", &json!({"logType": "stderr"}));
    assert_eq!(long["leftOut"], true);
    assert!(long["text"].as_str().unwrap().len() <= 20_000);
    let copy = stage.workspace.path().join(long["whole"].as_str().unwrap());
    assert_eq!(std::fs::read_to_string(copy).unwrap().lines().count(), 5_000);
    for args in
        [json!({"grep": "("}), json!({"since": "nonsense"}), json!({"lines": 1, "since": tail["cursor"]})]
    {
        assert_eq!(stage.failure("read_server_logs", &args)["error"]["type"], "invalid_input", "{args}");
    }
    std::fs::remove_file(&log).unwrap();
    let gone = stage.failure("read_server_logs", &json!({"logType": "stderr"}));
    assert_eq!(gone["error"]["type"], "log_file_not_found");
    stage.close();
}
