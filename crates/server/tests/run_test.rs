//! `run_test` as a client sees it: what it takes, what it refuses, what it answers (seed B over MCP).
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use common::{LIMIT, all, project, serve, with};
use serde_json::{Value, json};

#[test]
fn the_test_family_alone_has_run_test_only() {
    let project = project(&["exits", "0"]);
    let tools = serve(&project, &[]).list_tools().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["run_test"]);
    let tools = serve(&project, &["--tool-names", "camel"]).list_tools().unwrap();
    assert_eq!(tools[0]["name"], "runTest");
}

#[test]
fn every_spelling_of_the_name_is_the_same_tool() {
    let project = project(&["exits", "0"]);
    let mut client = serve(&project, &[]);
    for name in ["run_test", "runTest"] {
        assert_eq!(client.call_tool(name, &all()).unwrap().json()["status"], "pass", "{name}");
    }
}

#[test]
fn an_answer_has_every_field_of_the_specification_as_text_and_structured() {
    let project = project(&["prints", "--out", "fine\\n", "--err", "Exception: broken\\n"]);
    let result = serve(&project, &[]).call_tool("run_test", &all()).unwrap();
    let answer = result.json();
    assert_eq!(&answer, result.structured());
    assert!(!result.is_error());
    assert_eq!(answer["status"], "pass");
    assert_eq!(answer["exit_code"], 0);
    assert!(answer["duration_ms"].is_u64());
    assert!(answer["excerpt"].as_str().unwrap().contains("> Exception: broken"), "{answer}");
    for (name, file) in
        [("raw_log", "raw.log"), ("summary_md", "summary.md"), ("summary_json", "summary.json")]
    {
        let path = std::path::Path::new(answer["artifacts"][name].as_str().unwrap());
        assert!(path.is_file() && path.ends_with(file), "{}", path.display());
        assert_eq!(path.parent().unwrap().to_str(), answer["report_dir"].as_str());
    }
}

#[test]
fn a_failing_suite_is_an_answer_and_not_an_error_of_the_tool() {
    let project = project(&["exits", "1"]);
    let result = serve(&project, &[]).call_tool("run_test", &all()).unwrap();
    assert!(!result.is_error());
    assert_eq!((&result.json()["status"], &result.json()["exit_code"]), (&json!("fail"), &json!(1)));
}

#[test]
fn the_three_scopes_become_the_three_fixed_command_lines() {
    let project = project(&["exits", "0"]).file("test/a_test.dart", "").unwrap();
    let mut client = serve(&project, &[]);
    for (changes, argv) in [
        (json!({}), json!(["test"])),
        (json!({"scope": "file", "target": "test/a_test.dart"}), json!(["test", "test/a_test.dart"])),
        (json!({"scope": "pattern", "target": "logs in"}), json!(["test", "--name", "logs in"])),
        (
            json!({"scope": "pattern", "target": "$(reboot); --help"}),
            json!(["test", "--name", "$(reboot); --help"]),
        ),
    ] {
        let answer = client.call_tool("run_test", &with(&changes)).unwrap().json();
        assert_eq!(answer["status"], "pass", "{answer}");
        assert_eq!(project.calls("flutter").last().unwrap()["argv"], argv);
    }
}

#[test]
fn the_runner_has_no_input_and_is_told_that_nobody_watches() {
    let project = project(&["prompts"]);
    let answer = serve(&project, &[]).call_tool("run_test", &all()).unwrap().json();
    assert_eq!((&answer["status"], &answer["exit_code"]), (&json!("fail"), &json!(3)), "{answer}");
    let env = &project.calls("flutter")[0]["env"];
    assert_eq!((&env["CI"], &env["NO_COLOR"], &env["TERM"]), (&json!("true"), &json!("1"), &json!("dumb")));
}

/// Each of these is refused before anything is started.
#[test]
fn bad_arguments_are_refused_with_the_field_and_nothing_is_started() {
    let project = project(&["exits", "0"]);
    let mut client = serve(&project, &[]);
    for (changes, field) in [
        (json!({"runner": null}), "runner"),
        (json!({"runner": "make"}), "runner"),
        (json!({"runner": "flutter; ls"}), "runner"),
        (json!({"scope": null}), "scope"),
        (json!({"scope": "everything"}), "scope"),
        (json!({"scope": "file"}), "target"),
        (json!({"scope": "pattern"}), "target"),
        (json!({"target": "surplus"}), "target"),
        (json!({"timeout_ms": null}), "timeout_ms"),
        (json!({"timeout_ms": 0}), "timeout_ms"),
        (json!({"timeout_ms": -5}), "timeout_ms"),
        (json!({"timeout_ms": 1.5}), "timeout_ms"),
        (json!({"timeout_ms": "1000"}), "timeout_ms"),
        (json!({"no_output_timeout_ms": null}), "no_output_timeout_ms"),
        (json!({"no_output_timeout_ms": 0}), "no_output_timeout_ms"),
        (json!({"max_output_bytes": null}), "max_output_bytes"),
        (json!({"max_output_bytes": 0}), "max_output_bytes"),
        (json!({"max_output_bytes": []}), "max_output_bytes"),
    ] {
        let result = client.call_tool("run_test", &with(&changes)).unwrap();
        assert!(result.is_error(), "{changes}");
        let answer = result.json();
        assert_eq!(answer["error"]["type"], "invalid_input", "{changes}: {answer}");
        assert_eq!(answer["error"]["field"], field, "{changes}: {answer}");
        assert_seed_b_error(&answer);
    }
    assert_eq!(project.calls("flutter").len(), 0);
}

#[test]
fn paths_that_leave_the_workspace_are_refused_and_nothing_is_started() {
    let project = project(&["exits", "0"]);
    let outside = tempfile::tempdir().unwrap();
    let root = project.root();
    std::os::unix::fs::symlink(outside.path(), root.join("out")).unwrap();
    let evil = root.with_file_name("project-evil");
    std::fs::create_dir(&evil).unwrap();
    std::os::unix::fs::symlink(&evil, root.join("evil")).unwrap();
    let absolute = root.join("inside").display().to_string();
    let mut client = serve(&project, &[]);
    for path in
        ["..", "../project-evil", "a/../../x", "/etc", &absolute, "out", "out/x", "evil/x", "a\0b", ""]
    {
        for changes in [json!({"report_dir": path}), json!({"scope": "file", "target": path})] {
            let result = client.call_tool("run_test", &with(&changes)).unwrap();
            let answer = result.json();
            assert!(result.is_error(), "{changes}");
            assert_eq!(answer["error"]["type"], "path_escape", "{changes}: {answer}");
            assert_seed_b_error(&answer);
        }
    }
    assert_eq!(project.calls("flutter").len(), 0);
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    assert_eq!(std::fs::read_dir(&evil).unwrap().count(), 0);
    assert!(!root.join(".cache").exists());
}

#[test]
fn an_unknown_argument_is_told_with_the_nearest_known_one() {
    let project = project(&["exits", "0"]);
    let result = serve(&project, &[]).call_tool("run_test", &with(&json!({"time_out": 5}))).unwrap();
    let error = &result.json()["error"];
    assert!(error["message"].as_str().unwrap().contains("did you mean `timeout_ms`"), "{error}");
    assert!(error["suggestion"].as_str().unwrap().contains("timeout_ms"), "{error}");
    assert_eq!(error["context"]["tool"], "run_test");
    assert_eq!(error["errorCode"], "INVALID_INPUT");
}

#[test]
fn a_runner_that_is_not_installed_is_told_with_what_to_install() {
    let project = project(&["exits", "0"]);
    let result = serve(&project, &[]).call_tool("run_test", &with(&json!({"runner": "dart"}))).unwrap();
    let answer = result.json();
    assert_eq!(answer["error"]["type"], "runner_not_installed");
    assert!(answer["error"]["suggestion"].as_str().unwrap().contains("install"), "{answer}");
    assert_seed_b_error(&answer);
}

#[test]
fn runners_can_be_restricted_and_the_allowed_ones_are_named() {
    let project = project(&["exits", "0"]);
    let mut client = serve(&project, &["--runners", "flutter,pytest"]);
    let tool = &client.list_tools().unwrap()[0];
    assert_eq!(tool["inputSchema"]["properties"]["runner"]["enum"], json!(["flutter", "pytest"]));
    assert_eq!(client.call_tool("run_test", &all()).unwrap().json()["status"], "pass");
    let refused = client.call_tool("run_test", &with(&json!({"runner": "cargo"}))).unwrap().json();
    assert!(refused["error"]["expected"].as_str().unwrap().contains("pytest"), "{refused}");
}

#[test]
fn both_time_limits_end_a_run_over_the_wire() {
    let project = project(&["trickles", "50"]);
    let answer =
        serve(&project, &[]).call_tool("run_test", &with(&json!({"timeout_ms": 500}))).unwrap().json();
    assert_eq!((&answer["status"], &answer["exit_code"]), (&json!("timeout"), &Value::Null), "{answer}");
    project.pids().wait_gone(LIMIT).unwrap();
    let silent = common::project(&["prints", "--out", "loading fixtures\\n", "--sleep", "60000"]);
    // Time enough for the child to say its line however busy the machine is.
    let args = with(&json!({"no_output_timeout_ms": 3000}));
    let answer = serve(&silent, &[]).call_tool("run_test", &args).unwrap().json();
    assert_eq!(answer["status"], "no_output", "{answer}");
    let message = answer["message"].as_str().unwrap();
    assert!(message.starts_with("no output for 3000 ms; last line: loading fixtures"), "{message}");
    silent.pids().wait_gone(LIMIT).unwrap();
}

#[test]
fn progress_comes_before_any_output_and_shows_the_last_line() {
    let project = project(&["prints", "--until", "go", "--out", "suite one\\n", "--until", "end"]);
    let mut client = serve(&project, &[]);
    let params = json!({"name": "run_test", "arguments": all(), "_meta": {"progressToken": "t"}});
    let id = client.send("tools/call", params).unwrap();
    let first = client.wait_notification("notifications/progress", LIMIT).unwrap();
    assert_eq!(first["params"]["progressToken"], "t");
    std::fs::write(project.root().join("go"), "").unwrap();
    let mut last = first["params"]["progress"].as_f64();
    loop {
        let next = client.wait_notification("notifications/progress", LIMIT).unwrap();
        assert!(next["params"]["progress"].as_f64() > last, "{next}");
        last = next["params"]["progress"].as_f64();
        if next["params"]["message"].as_str().unwrap().contains("suite one") {
            break;
        }
    }
    std::fs::write(project.root().join("end"), "").unwrap();
    client.receive(id, LIMIT).unwrap().unwrap();
}

/// Seed B's fields are there whatever happened (BP11).
fn assert_seed_b_error(answer: &Value) {
    assert_eq!(answer["status"], "error", "{answer}");
    for field in ["exit_code", "duration_ms", "report_dir", "artifacts", "excerpt"] {
        assert!(answer.get(field).is_some(), "{field} is missing in {answer}");
    }
    assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
}
