//! However a run, its call, its client or the server ends: the tree dies, the artifacts stay, the server answers on.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::time::Duration;

use common::{BINARY, LIMIT, all, project, serve, start, with};
use serde_json::{Value, json};
use testkit::SampleProject;
use testkit::mcp::{Revision, StdioClient};
use testkit::process;

/// The promise for every way to end the server.
const PROMISED: Duration = Duration::from_secs(5);

/// A run that resists TERM, going on.
fn resisting() -> (SampleProject, StdioClient, u64) {
    let project = project(&["ignores-term"]);
    let mut client = serve(&project, &[]);
    let id = client.send("tools/call", json!({"name": "run_test", "arguments": all()})).unwrap();
    project.pids().wait_for(1, LIMIT).unwrap();
    (project, client, id)
}

/// The folder of the only report there is, once it is complete.
fn report(project: &SampleProject) -> Value {
    let reports = project.root().join(".cache/mcp-test-timebox/reports");
    let summary = process::wait_until(LIMIT, || {
        let folder = std::fs::read_dir(&reports).ok()?.next()?.ok()?.path();
        serde_json::from_slice::<Value>(&std::fs::read(folder.join("summary.json")).ok()?).ok()
    });
    let summary = summary.unwrap();
    assert!(Path::new(summary["artifacts"]["raw_log"].as_str().unwrap()).is_file());
    summary
}

#[test]
fn a_cancelled_call_ends_its_tree_and_leaves_its_artifacts() {
    let (project, mut client, id) = resisting();
    client.notify("notifications/cancelled", json!({"requestId": id, "reason": "enough"})).unwrap();
    project.pids().wait_gone(LIMIT).unwrap();
    assert!(report(&project)["message"].as_str().unwrap().starts_with("cancelled after"));
    assert_eq!(client.list_tools().unwrap().len(), 1, "the server answers on");
}

#[test]
fn a_server_that_is_killed_takes_its_runs_with_it() {
    let (project, client, _) = resisting();
    let watchdogs = process::descendants(client.server().pid());
    client.server().signal(9).unwrap();
    process::wait_gone(&watchdogs, PROMISED).unwrap();
    project.pids().wait_gone(Duration::ZERO).unwrap();
}

#[test]
fn term_int_and_a_closed_input_end_the_server_with_its_runs() {
    for signal in [Some(15), Some(2), None] {
        let (project, mut client, _) = resisting();
        let all_processes = process::descendants(client.server().pid());
        match signal {
            Some(signal) => client.server().signal(signal).unwrap(),
            None => client.close_stdin(),
        }
        let status = client.wait_exit(PROMISED).unwrap();
        assert!(status.success(), "{signal:?}: {status}");
        project.pids().wait_gone(Duration::ZERO).unwrap();
        process::wait_gone(&all_processes, LIMIT).unwrap();
        report(&project);
    }
}

#[test]
fn a_second_signal_ends_the_server_at_once_and_the_watchdog_ends_the_run() {
    let project = project(&["ignores-term"]);
    let mut client = serve(&project, &["--kill-grace", "20000"]);
    client.send("tools/call", json!({"name": "run_test", "arguments": all()})).unwrap();
    project.pids().wait_for(1, LIMIT).unwrap();
    client.server().signal(15).unwrap();
    client.server().wait_stderr(LIMIT, |line| line.contains("received SIGTERM").then_some(())).unwrap();
    client.server().signal(15).unwrap();
    assert_eq!(client.wait_exit(PROMISED).unwrap().code(), Some(143));
    project.pids().wait_gone(LIMIT).unwrap();
}

#[test]
fn a_vanished_parent_ends_the_server_with_its_runs() {
    let project = project(&["ignores-term"]);
    // The shell is the parent. We hold the other end of standard input, so that no end of input comes. A shell gives
    // what it starts in the background no input, unless told twice.
    let project = project.program("client", &format!("exec 3<&0; {BINARY} \"$@\" <&3 & wait\n")).unwrap();
    let client = project.bin().join("client");
    let mut client = start(client.to_str().unwrap(), &project, &[]);
    client.initialize(Revision::V2025_11_25).unwrap();
    client.send("tools/call", json!({"name": "run_test", "arguments": all()})).unwrap();
    project.pids().wait_for(1, LIMIT).unwrap();
    let all_processes = process::descendants(client.server().pid());
    client.server().signal(9).unwrap();
    process::wait_gone(&all_processes, PROMISED).unwrap();
    project.pids().wait_gone(Duration::ZERO).unwrap();
}

#[test]
fn two_runs_at_once_answer_each_for_itself() {
    let project = SampleProject::new()
        .unwrap()
        .fake_runner("flutter", &["prints", "--out", "I am flutter\\n", "--sleep", "300"])
        .unwrap()
        .fake_runner("dart", &["prints", "--out", "I am dart\\n", "--sleep", "300"])
        .unwrap();
    let mut client = serve(&project, &[]);
    let ids: Vec<(u64, &str)> = ["flutter", "dart"]
        .into_iter()
        .map(|runner| {
            let arguments = with(&json!({"runner": runner}));
            (client.send("tools/call", json!({"name": "run_test", "arguments": arguments})).unwrap(), runner)
        })
        .collect();
    for (id, runner) in ids {
        let result = client.receive(id, LIMIT).unwrap().unwrap();
        let log =
            std::fs::read_to_string(result["structuredContent"]["artifacts"]["raw_log"].as_str().unwrap())
                .unwrap();
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(log.contains(&format!("I am {runner}")), "{log}");
    }
}

#[test]
fn a_full_disk_is_told_and_the_run_comes_to_its_end() {
    let project = project(&["floods", "4000000"]);
    let root = project.root().display().to_string();
    // A file system of 256 KiB for the workspace, in a namespace of our own.
    let script = format!("mount -t tmpfs -o size=256k none '{root}' && cd '{root}' && exec \"$0\" \"$@\"");
    let args = ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", &script, BINARY, "--tools", "test"];
    let env = [("PATH", project.path_env())];
    let mut client = StdioClient::start("unshare", &args, &[("PATH", &env[0].1)], &project.root()).unwrap();
    client.initialize(Revision::V2025_11_25).unwrap();
    let answer = client.call_tool_within("run_test", &all(), LIMIT).unwrap().json();
    assert_eq!(answer["status"], "pass", "{answer}");
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains("raw.log is incomplete: No space left on device"), "{answer}");
}

#[test]
fn with_the_background_cap_a_call_answers_early_and_another_goes_on_from_there() {
    let project = project(&["prints", "--out", "warming up\\n", "--until", "go", "--out", "done\\n"]);
    let mut client = serve(&project, &["--caps", "background"]);
    let names: Vec<Value> = client.list_tools().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["run_test", "get_test_run"]);
    let early = client.call_tool("run_test", &with(&json!({"wait_ms": 300}))).unwrap().json();
    assert_eq!(early["status"], "running", "{early}");
    let poll = |wait: u64| json!({"run_id": early["run_id"], "wait_ms": wait});
    let still = client.call_tool("get_test_run", &poll(1)).unwrap().json();
    assert_eq!(still["status"], "running", "{still}");
    std::fs::write(project.root().join("go"), "").unwrap();
    let done = client.call_tool("getTestRun", &poll(30_000)).unwrap().json();
    assert_eq!(done["status"], "pass", "{done}");
    let again = client.call_tool("get_test_run", &poll(1)).unwrap().json();
    assert_eq!(again, done, "a run's outcome is kept");
    let quick = client.call_tool("run_test", &with(&json!({"wait_ms": 30_000}))).unwrap().json();
    assert_eq!(quick["status"], "pass", "an answer in time is the answer");
    let unknown = client.call_tool("get_test_run", &json!({"run_id": "nope"})).unwrap();
    assert_eq!(unknown.json()["error"]["type"], "run_not_found");
}

#[test]
fn without_the_cap_neither_wait_ms_nor_get_test_run_exists() {
    let project = project(&["exits", "0"]);
    let mut client = serve(&project, &[]);
    let refused = client.call_tool("run_test", &with(&json!({"wait_ms": 5}))).unwrap();
    assert!(refused.is_error() && refused.text().contains("--caps background"), "{}", refused.text());
    assert!(client.call_tool("get_test_run", &json!({"run_id": "x"})).is_err(), "an unknown tool");
}

#[test]
fn a_background_run_dies_with_the_server_too() {
    let project = project(&["ignores-term"]);
    let mut client = serve(&project, &["--caps", "background"]);
    let early = client.call_tool("run_test", &with(&json!({"wait_ms": 200}))).unwrap().json();
    assert_eq!(early["status"], "running", "{early}");
    project.pids().wait_for(1, LIMIT).unwrap();
    client.close_stdin();
    assert!(client.wait_exit(PROMISED).unwrap().success());
    project.pids().wait_gone(Duration::ZERO).unwrap();
}
