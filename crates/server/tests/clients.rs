//! What the README shows is true: the entries of clients' configurations are all that a client needs, and a server
//! command may answer and look as it says.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use serde_json::{Value, json};
use testkit::mcp::{HttpClient, Revision, ServerProcess, StdioClient};

const LIMIT: Duration = Duration::from_secs(20);

const README: &str = include_str!("../../../README.md");

/// The README's first code block of this language after `text`.
fn block(text: &str, language: &str) -> &'static str {
    let after = &README[README.find(text).unwrap_or_else(|| panic!("no {text:?} in the README"))..];
    let (_, block) = after.split_once(&format!("```{language}\n")).unwrap();
    block.split("```").next().unwrap()
}

/// The server's entry in the first code block of the README after `text`.
fn entry(text: &str) -> Value {
    entry_in(text, "mcpServers")
}

fn entry_in(text: &str, key: &str) -> Value {
    let config: Value = serde_json::from_str(block(text, "json")).unwrap();
    config[key].as_object().unwrap().values().next().unwrap().clone()
}

#[test]
fn command_and_args_of_a_clients_configuration_are_enough() {
    let entry = entry("in a project's `.mcp.json`");
    assert_eq!(entry["command"], "e2e-mcp-server");
    let args: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    let folder = tempfile::tempdir().unwrap();
    let mut client =
        StdioClient::start(env!("CARGO_BIN_EXE_e2e-mcp-server"), &args, &[], folder.path()).unwrap();
    client.initialize(Revision::V2025_11_25).unwrap();
    assert!(args.contains(&"--dev"));
    assert!(client.list_tools().unwrap().iter().any(|tool| tool["name"] == "start_session"));
    client.close_stdin();
    assert!(client.wait_exit(LIMIT).unwrap().success());
}

#[test]
fn the_readme_shows_the_variables_and_the_examples() {
    let settings = include_str!("../../../docs/configuration.md");
    for variable in
        ["SERVER_COMMAND_PATH", "E2E_MCP_SESSION_TIMEOUT", "E2E_MCP_DEV", "TRANSPORT_MODE", "E2E_MCP_PORT"]
    {
        assert!(README.contains(variable) && settings.contains(variable), "{variable}");
    }
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/server-commands");
    assert!(README.contains("examples/server-commands"));
    for language in ["bash", "node", "python"] {
        assert!(examples.join(language).join("server-command").is_file(), "{language}");
    }
}

#[test]
fn type_and_url_of_a_clients_configuration_are_enough() {
    let entry = entry("over HTTP:");
    assert_eq!(entry["type"], "http");
    let url = entry["url"].as_str().unwrap();
    let path = &url[url.find("/m").unwrap()..];
    let folder = tempfile::tempdir().unwrap();
    let server = env!("CARGO_BIN_EXE_e2e-mcp-server");
    let env = [("TRANSPORT_MODE", "http"), ("E2E_MCP_PORT", "0")];
    let (_server, address) = ServerProcess::listening(server, &[], &env, folder.path()).unwrap();
    let mut client = HttpClient::new(address, path, Revision::V2025_11_25);
    client.initialize().unwrap();
    let list = client.request("tools/list", json!({}), LIMIT).unwrap().unwrap();
    assert!(!list["tools"].as_array().unwrap().is_empty());
}

#[test]
fn other_clients_start_the_server_as_the_first_does() {
    let first = entry("in a project's `.mcp.json`");
    let codex: toml::Table = block("**Codex**", "toml").parse().unwrap();
    let codex = serde_json::to_value(&codex["mcp_servers"]["e2e"]).unwrap();
    let code = entry_in("**VS Code**", "servers");
    assert_eq!(code["type"], "stdio");
    for other in [codex, entry("**Cursor**"), code, entry("**Gemini CLI**")] {
        assert_eq!((&other["command"], &other["args"]), (&first["command"], &first["args"]));
    }
}

#[test]
fn a_server_commands_answers_are_read_as_the_readme_has_them() {
    let answers = serde_json::Deserializer::from_str(block("**server command**", "json")).into_iter();
    let answers: Vec<serde_json::Map<String, Value>> = answers.map(Result::unwrap).collect();
    let [started, status, stopped, failed] = answers.as_slice() else { panic!("{answers:?}") };
    let running = devserver::Running::read(started).unwrap();
    assert_eq!((running.port, running.pid, running.logs.iter().count()), (3542, Some(12345), 3));
    assert_eq!(running.notes, Vec::<String>::new());
    assert_eq!(devserver::Status::read(status).unwrap().state, devserver::State::Running);
    assert!(devserver::Stopped::read(stopped).unwrap().was_running);
    assert!(devserver::Running::read(failed).is_err());
}

#[test]
fn the_lines_to_change_are_those_of_the_examples() {
    let table = README.split_once("| the line to change |").unwrap().1;
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| [")).collect();
    assert_eq!(rows.len(), 3);
    for row in rows {
        let path = row.split_once("](").unwrap().1.split(')').next().unwrap();
        let line = row.split_once('`').unwrap().1.rsplit_once('`').unwrap().0;
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let example = std::fs::read_to_string(std::path::Path::new(root).join(path)).unwrap();
        let marked = example.lines().skip_while(|line| !line.contains("CHANGE ME")).nth(1);
        assert_eq!(marked, Some(line), "{path}");
    }
}
