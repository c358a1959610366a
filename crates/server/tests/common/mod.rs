//! The real binary: on pipes, on a port, and in a sample project whose `flutter` is a program of ours.
#![allow(dead_code, unused_imports, unused_macros, reason = "each test file uses a part of it")]

#[cfg(unix)]
pub(crate) mod apps;
#[cfg(unix)]
pub(crate) mod browsing;
#[cfg(unix)]
pub(crate) mod engines;

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::SampleProject;
use testkit::mcp::{HttpConnection, Revision, ServerProcess, StdioClient};

/// The program under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_e2e-mcp-server");

/// The tests' own folder for what browsers keep from one start to the next: nothing is put into the user's.
pub(crate) const CACHE: (&str, &str) = ("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));

/// Far more than any step takes; a test that reaches it has failed.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// The server on pipes, its handshake not done.
pub(crate) fn on_pipes(flags: &[&str]) -> StdioClient {
    StdioClient::start(BINARY, flags, &[], folder()).unwrap()
}

/// The same with the handshake done.
pub(crate) fn initialized(flags: &[&str]) -> StdioClient {
    let mut client = on_pipes(flags);
    client.initialize(Revision::V2025_11_25).unwrap();
    client
}

/// The server on a port of its own, and its address.
pub(crate) fn on_port() -> (ServerProcess, SocketAddr) {
    ServerProcess::listening(BINARY, &["--port", "0"], &[], folder()).unwrap()
}

/// A connection to it.
pub(crate) fn connect(address: SocketAddr) -> HttpConnection {
    HttpConnection::open(address, LIMIT).unwrap()
}

/// A workspace for tests that need none in particular.
pub(crate) fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// A project whose fake `flutter` behaves in the given way.
pub(crate) fn project(behaviour: &[&str]) -> SampleProject {
    SampleProject::new().unwrap().fake_runner("flutter", behaviour).unwrap()
}

/// The server, started in the project with `--tools test` and these flags, its handshake done.
pub(crate) fn serve(project: &SampleProject, flags: &[&str]) -> StdioClient {
    let mut client = start(BINARY, project, flags);
    client.initialize(Revision::V2025_11_25).unwrap();
    client
}

/// A program that is the server or becomes it, with those flags.
pub(crate) fn start(program: &str, project: &SampleProject, flags: &[&str]) -> StdioClient {
    let mut args = vec!["--tools", "test", "--kill-grace", "300"];
    args.extend(flags);
    StdioClient::start(program, &args, &[("PATH", &project.path_env())], &project.root()).unwrap()
}

/// Arguments of run_test that are right, with limits that only a hang reaches.
pub(crate) fn all() -> Value {
    json!({
        "runner": "flutter",
        "scope": "all",
        "timeout_ms": 50_000,
        "no_output_timeout_ms": 50_000,
        "max_output_bytes": 100_000,
    })
}

/// The same with some changed; null takes one away.
pub(crate) fn with(changes: &Value) -> Value {
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
