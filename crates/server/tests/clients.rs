//! The entries of a client's configuration, as the README shows them, are all that a client needs.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use serde_json::{Value, json};
use testkit::mcp::{HttpClient, Revision, ServerProcess, StdioClient};

const LIMIT: Duration = Duration::from_secs(20);

/// The server's entry in the first code block of the README after `text`.
fn entry(text: &str) -> Value {
    let readme = include_str!("../../../README.md");
    let after = &readme[readme.find(text).unwrap()..];
    let block = after.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let config: Value = serde_json::from_str(block).unwrap();
    config["mcpServers"].as_object().unwrap().values().next().unwrap().clone()
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
    assert!(!client.list_tools().unwrap().is_empty());
    client.close_stdin();
    assert!(client.wait_exit(LIMIT).unwrap().success());
}

#[test]
fn the_readme_shows_a_dev_server_the_commands_and_the_variables() {
    let entry = entry("With a dev server");
    let args: Vec<&str> = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    assert!(args.contains(&"--dev"));
    let folder = tempfile::tempdir().unwrap();
    let mut client =
        StdioClient::start(env!("CARGO_BIN_EXE_e2e-mcp-server"), &args, &[], folder.path()).unwrap();
    client.initialize(Revision::V2025_11_25).unwrap();
    assert!(client.list_tools().unwrap().iter().any(|tool| tool["name"] == "start_session"));
    client.close_stdin();
    assert!(client.wait_exit(LIMIT).unwrap().success());
    let readme = include_str!("../../../README.md");
    let settings = include_str!("../../../docs/configuration.md");
    for variable in
        ["SERVER_COMMAND_PATH", "E2E_MCP_SESSION_TIMEOUT", "E2E_MCP_DEV", "TRANSPORT_MODE", "E2E_MCP_PORT"]
    {
        assert!(readme.contains(variable) && settings.contains(variable), "{variable}");
    }
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/server-commands");
    assert!(readme.contains("examples/server-commands"));
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
