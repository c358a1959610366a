//! A server over stdio in a sample project whose `flutter` is a program of ours.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::time::Duration;

use serde_json::{Value, json};
use testkit::SampleProject;
use testkit::mcp::{Revision, StdioClient};

/// Far more than any step takes; a test that reaches it has failed.
pub const LIMIT: Duration = Duration::from_secs(60);

/// A project whose fake `flutter` behaves in the given way.
pub fn project(behaviour: &[&str]) -> SampleProject {
    SampleProject::new().unwrap().fake_runner("flutter", behaviour).unwrap()
}

/// The server, started in the project with `--tools test` and these flags, its handshake done.
pub fn serve(project: &SampleProject, flags: &[&str]) -> StdioClient {
    let mut client = start(env!("CARGO_BIN_EXE_e2e-mcp-server"), project, flags);
    client.initialize(Revision::V2025_11_25).unwrap();
    client
}

/// A program that is the server or becomes it, with those flags.
pub fn start(program: &str, project: &SampleProject, flags: &[&str]) -> StdioClient {
    let mut args = vec!["--tools", "test", "--kill-grace", "300"];
    args.extend(flags);
    StdioClient::start(program, &args, &[("PATH", &project.path_env())], &project.root()).unwrap()
}

/// Arguments of run_test that are right, with limits that only a hang reaches.
pub fn all() -> Value {
    json!({
        "runner": "flutter",
        "scope": "all",
        "timeout_ms": 50_000,
        "no_output_timeout_ms": 50_000,
        "max_output_bytes": 100_000,
    })
}

/// The same with some changed; null takes one away.
pub fn with(changes: &Value) -> Value {
    let mut args = all();
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            args.as_object_mut().unwrap().remove(name);
        } else {
            args[name] = value.clone();
        }
    }
    args
}
