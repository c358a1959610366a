//! `e2e-mcp-server init`: what it writes is what a client needs, and nothing else changes.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use testkit::mcp::{Revision, StdioClient};

const SERVER: &str = env!("CARGO_BIN_EXE_e2e-mcp-server");

/// Runs it in a project, with a home of the test's own.
fn init(project: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(SERVER);
    command.arg("init").args(args).current_dir(project).stdin(Stdio::null());
    command.env("HOME", project.join("home")).env_remove("CODEX_HOME").output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_client_is_set_up_so_that_it_starts_the_server() {
    let project = tempfile::tempdir().unwrap();
    let clients = ["claude-code", "codex", "cursor", "vscode", "gemini"];
    let args = [&clients[..], &["--", "--tools", "test"]].concat();
    let done = init(project.path(), &args);
    assert!(done.status.success(), "{}", told(&done));

    let at = |path: &str| project.path().join(path);
    let toml = std::fs::read_to_string(at("home/.codex/config.toml")).unwrap();
    let codex: toml::Table = toml.parse().unwrap();
    let entries = [
        json(at(".mcp.json"))["mcpServers"]["e2e"].clone(),
        serde_json::to_value(&codex["mcp_servers"]["e2e"]).unwrap(),
        json(at(".cursor/mcp.json"))["mcpServers"]["e2e"].clone(),
        json(at(".vscode/mcp.json"))["servers"]["e2e"].clone(),
        json(at(".gemini/settings.json"))["mcpServers"]["e2e"].clone(),
    ];
    assert_eq!(entries[3]["type"], "stdio");
    for entry in entries {
        let args: Vec<&str> = entry["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let mut client =
            StdioClient::start(entry["command"].as_str().unwrap(), &args, &[], project.path()).unwrap();
        client.initialize(Revision::V2025_11_25).unwrap();
        assert!(client.list_tools().unwrap().iter().all(|tool| tool["name"] != "navigate"), "{entry}");
        client.close_stdin();
        assert!(client.wait_exit(Duration::from_secs(20)).unwrap().success());
    }

    let again = init(project.path(), &args);
    assert!(again.status.success() && !told(&again).contains("Written"), "{}", told(&again));
}

#[test]
fn without_a_name_the_clients_of_the_project_are_set_up_and_the_change_is_shown() {
    let project = tempfile::tempdir().unwrap();
    let nobody = init(project.path(), &[]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(told(&nobody).contains("claude-code, codex, cursor, vscode, gemini"), "{}", told(&nobody));

    std::fs::create_dir(project.path().join(".vscode")).unwrap();
    let file = project.path().join(".mcp.json");
    std::fs::write(&file, "{\n  \"mcpServers\": {\n    \"mine\": { \"command\": \"x\" }\n  }\n}\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let before = std::fs::read(&file).unwrap();
    let shown = init(project.path(), &["--dry-run"]);
    assert!(shown.status.success() && told(&shown).contains("+    \"e2e\": {"), "{}", told(&shown));
    assert_eq!(std::fs::read(&file).unwrap(), before, "nothing is written by a dry run");
    assert!(!project.path().join(".vscode/mcp.json").exists());

    let done = init(project.path(), &[]);
    assert!(done.status.success() && told(&done).contains("+    \"e2e\": {"), "{}", told(&done));
    assert_eq!(json(&file)["mcpServers"]["mine"]["command"], "x");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert!(project.path().join(".vscode/mcp.json").exists());
    assert!(!project.path().join(".cursor").exists(), "the project does not use it");
    let left: Vec<_> =
        std::fs::read_dir(project.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".e2e-mcp-")), "{left:?}");
}

#[test]
fn what_is_the_users_is_left_and_what_to_add_is_said() {
    let project = tempfile::tempdir().unwrap();
    let file = project.path().join(".mcp.json");
    for (text, why) in [
        ("{ \"mcpServers\": { \"e2e\": { \"command\": \"mine\" } } }", "another server called `e2e`"),
        ("{ \"mcpServers\": ", "can't be read"),
    ] {
        std::fs::write(&file, text).unwrap();
        let refused = init(project.path(), &["claude-code", "cursor"]);
        assert_eq!(refused.status.code(), Some(1), "{}", told(&refused));
        for part in [why, "To be added by hand", "\"mcpServers\": {"] {
            assert!(told(&refused).contains(part), "{part} is not in {}", told(&refused));
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        assert!(project.path().join(".cursor/mcp.json").exists(), "the others are set up all the same");
    }
    std::fs::write(&file, "{ \"mcpServers\": { \"e2e\": { \"command\": \"mine\" } } }").unwrap();
    assert!(init(project.path(), &["claude-code", "--name", "second"]).status.success());
    assert_eq!(json(&file)["mcpServers"]["e2e"]["command"], "mine");
    assert!(init(project.path(), &["claude-code", "--replace"]).status.success());
    assert_eq!(json(&file)["mcpServers"]["e2e"]["command"], SERVER);
}

#[test]
fn a_link_to_a_file_elsewhere_stays_one() {
    let (project, dotfiles) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let real = dotfiles.path().join("mcp.json");
    std::fs::write(&real, "{}\n").unwrap();
    let link = project.path().join(".mcp.json");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    assert!(init(project.path(), &[]).status.success());
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(json(&real)["mcpServers"]["e2e"].is_object());
}

#[test]
fn arguments_that_the_server_would_refuse_are_not_written() {
    let project = tempfile::tempdir().unwrap();
    let refused = init(project.path(), &["claude-code", "--", "--headles"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(told(&refused).contains("--headless"), "{}", told(&refused));
    assert!(!project.path().join(".mcp.json").exists());
    assert_eq!(init(project.path(), &["emacs"]).status.code(), Some(2));
}
