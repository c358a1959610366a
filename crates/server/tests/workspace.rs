//! Which folder is the project, when nobody named one.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::time::Duration;

use common::{LIMIT, all, project};
use serde_json::{Value, json};
use testkit::SampleProject;
use testkit::mcp::StdioClient;

/// A server started in `folder`, by a client that has roots or has none.
fn client_in(folder: &Path, project: &SampleProject, capabilities: &Value) -> StdioClient {
    let args = ["--tools", "test"];
    let env = [("PATH", project.path_env()), ("CLAUDE_PROJECT_DIR", String::new())];
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let mut client = StdioClient::start(env!("CARGO_BIN_EXE_e2e-mcp-server"), &args, &env, folder).unwrap();
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "test", "version": "1"},
    });
    client.request("initialize", hello, LIMIT).unwrap().unwrap();
    client.notify("notifications/initialized", Value::Null).unwrap();
    client
}

#[test]
fn a_client_is_asked_for_its_folders_at_the_first_call_and_only_then() {
    let project = project(&["exits", "0"]);
    let mut client = client_in(Path::new("/"), &project, &json!({"roots": {}}));
    let uri = format!("file://{}", project.root().display());
    client.on_request("roots/list", Some(json!({"roots": [{"uri": uri}]})));
    let report = client.call_tool("run_test", &all()).unwrap().json();
    let folder = report["report_dir"].as_str().unwrap_or_else(|| panic!("{report}"));
    assert!(Path::new(folder).starts_with(project.root().canonicalize().unwrap()), "{folder}");
    client.call_tool("run_test", &all()).unwrap();
    let asked = client.notifications().iter().filter(|one| one["method"] == "roots/list").count();
    assert_eq!(asked, 1);
}

#[test]
fn a_client_that_never_answers_does_not_hold_the_call() {
    let project = project(&["exits", "0"]);
    let mut client = client_in(&project.root(), &project, &json!({"roots": {}}));
    client.on_request("roots/list", None);
    let result = client.call_tool_within("run_test", &all(), Duration::from_secs(30)).unwrap();
    assert_eq!(result.json()["status"], "pass", "the folder that it was started in serves");
}

#[test]
fn a_server_started_in_the_root_lives_and_says_what_to_do() {
    let project = project(&["exits", "0"]);
    let mut client = client_in(Path::new("/"), &project, &json!({}));
    let result = client.call_tool("run_test", &all()).unwrap();
    assert!(result.is_error());
    let error = &result.json()["error"];
    assert_eq!(error["type"], "workspace_refused", "{error}");
    assert!(error["suggestion"].as_str().unwrap().contains("--workspace"), "{error}");
    assert_eq!(client.list_tools().unwrap().len(), 1);
    assert_eq!(project.calls("flutter").len(), 0);
}

#[test]
fn a_named_folder_that_cannot_be_a_project_is_refused_at_start() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_e2e-mcp-server"))
        .args(["--workspace", "/"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--workspace"));
}
