//! The real binary as a service: its limits, its numbers, its log, and how SIGTERM ends it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

mod common;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use common::{BINARY, LIMIT, all, connect, folder, project};
use serde_json::{Value, json};
use testkit::SampleProject;
use testkit::mcp::{HttpConnection, HttpReply, Revision, ServerProcess};
use testkit::process::{descendants, wait_gone, wait_until};

const TERM: i32 = 15;

fn start(flags: &[&str]) -> (ServerProcess, SocketAddr) {
    let mut args = vec!["--port=0", "--headless", "--prelaunch=never"];
    args.extend(flags);
    ServerProcess::listening(BINARY, &args, &[], folder()).unwrap()
}

fn message(tool: &str, arguments: &Value) -> Vec<u8> {
    let params = json!({ "name": tool, "arguments": arguments });
    Revision::V2025_11_25.message(Some(1), "tools/call", params).to_string().into_bytes()
}

fn call(address: SocketAddr, tool: &str, headers: &[(&str, &str)]) -> HttpReply {
    connect(address).post("/mcp", headers, &message(tool, &json!({}))).unwrap()
}

#[test]
fn calls_and_sessions_have_a_rate_and_refusals_say_when_to_come_back() {
    let (_server, address) = start(&["--rate-limit-calls=5", "--rate-limit-sessions=1"]);
    assert_eq!(call(address, "create_session", &[]).status, 200);
    for name in ["create_session", "createSession"] {
        let refused = call(address, name, &[]);
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        let error = &refused.json()["error"];
        assert_eq!((refused.status, &error["data"]["type"]), (429, &json!("rate_limited")), "{name}");
        assert!((30..=60).contains(&wait) && error["data"]["retryAfter"] == wait, "{error}");
        assert!(error["message"].as_str().unwrap().contains("1 sessions"), "{error}");
    }
    for _ in 0..4 {
        assert_eq!(call(address, "list_sessions", &[]).status, 200);
    }
    assert_eq!(call(address, "list_sessions", &[]).status, 429);
    let numbers = connect(address).ask("GET", "/metrics", &[], b"").unwrap();
    assert!(numbers.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    let text = String::from_utf8(numbers.body).unwrap();
    assert!(text.lines().any(|line| line == "e2e_mcp_refused_total{reason=\"rate_limited\"} 3"), "{text}");
    assert!(text.lines().any(|line| line == "e2e_mcp_sessions 1"), "{text}");
}

#[test]
fn a_client_that_takes_its_time_is_cut_off_and_large_bodies_are_refused() {
    let (_server, address) = start(&["--idle-timeout=300", "--body-timeout=300", "--max-body-size=2000"]);
    let mut silent = connect(address);
    let began = Instant::now();
    assert!(silent.reply().unwrap().is_none(), "closed without a word");
    assert!(began.elapsed() < Duration::from_secs(20));
    let mut halting = connect(address);
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    halting.send_raw(head.as_bytes()).unwrap();
    assert_eq!(halting.reply().unwrap().unwrap().status, 408);
    let large = message("list_sessions", &json!({ "a": "x".repeat(3000) }));
    assert_eq!(connect(address).post("/mcp", &[], &large).unwrap().status, 413);
}

#[test]
fn lines_of_the_log_have_their_severity_and_the_trace_of_their_call() {
    let args = ["--port=0", "--headless", "--prelaunch=never"];
    let env = [("GOOGLE_CLOUD_PROJECT", "shop")];
    let (server, address) = ServerProcess::listening(BINARY, &args, &env, folder()).unwrap();
    let id = "0af7651916cd43dd8448eb211c80319c";
    call(address, "list_sessions", &[("traceparent", &format!("00-{id}-b7ad6b7169203331-01"))]);
    call(address, "snapshot", &[("X-Cloud-Trace-Context", &format!("{id}/1;o=0"))]);
    let line = |event: &str| {
        let found =
            |line: &String| serde_json::from_str(line).ok().filter(|line: &Value| line["event"] == event);
        wait_until(LIMIT, || server.stdout().iter().find_map(found)).unwrap()
    };
    let (invoked, failed, started) = (line("tool_invoked"), line("error_occurred"), line("started"));
    for (traced, severity, sampled) in [(&invoked, "INFO", true), (&failed, "WARNING", false)] {
        assert_eq!(traced["severity"], severity);
        assert_eq!(traced["logging.googleapis.com/trace"], format!("projects/shop/traces/{id}"), "{traced}");
        assert_eq!(traced["logging.googleapis.com/trace_sampled"], sampled);
    }
    assert!(failed["message"].as_str().unwrap().contains("sessionId"), "{failed}");
    assert_eq!(started.get("logging.googleapis.com/trace"), None);
}

/// A server in a project whose tests take as long as they are told to, and a run in it that has begun.
fn running(behaviour: &[&str], flags: &[&str]) -> (SampleProject, ServerProcess, SocketAddr, HttpConnection) {
    let project = project(behaviour);
    let mut args = vec!["--port=0", "--tools=test", "--kill-grace=300"];
    args.extend(flags);
    let env = [("PATH", project.path_env())];
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let (server, address) = ServerProcess::listening(BINARY, &args, &env, &project.root()).unwrap();
    let mut connection = connect(address);
    let headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    connection.send("POST", "/mcp", &headers, &message("run_test", &all())).unwrap();
    wait_until(LIMIT, || (!descendants(server.pid()).is_empty()).then_some(())).unwrap();
    (project, server, address, connection)
}

#[test]
fn sigterm_lets_what_runs_finish_takes_nothing_new_and_exits_cleanly() {
    let (_project, mut server, address, mut running) =
        running(&["prints", "--sleep", "3000", "--out", "00:00 +1: All tests passed!\\n"], &[]);
    let everyone = descendants(server.pid());
    server.signal(TERM).unwrap();
    let refused = wait_until(LIMIT, || {
        let refused = connect(address).post("/mcp", &[], &message("run_test", &json!({}))).unwrap();
        (refused.status == 503).then_some(refused)
    })
    .unwrap();
    assert_eq!(refused.json()["error"]["data"]["errorCode"], "SERVER_ENDING");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(connect(address).ask("GET", "/health/ready", &[], b"").unwrap().status, 503);
    assert_eq!(connect(address).ask("GET", "/health/live", &[], b"").unwrap().status, 200);
    let answer = running.reply().unwrap().unwrap();
    let text = answer.messages().pop().unwrap()["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["status"], "pass", "{text}");
    assert!(server.wait_exit(LIMIT).unwrap().success());
    wait_gone(&everyone, LIMIT).unwrap();
}

#[test]
fn what_does_not_end_after_sigterm_is_cut_and_leaves_nothing() {
    let (_project, mut server, _, _running) = running(&["ignores-term", "50"], &["--drain-timeout=500"]);
    let everyone = descendants(server.pid());
    let began = Instant::now();
    server.signal(TERM).unwrap();
    assert!(server.wait_exit(LIMIT).unwrap().success());
    assert!(began.elapsed() >= Duration::from_millis(500) && began.elapsed() < Duration::from_secs(10));
    wait_gone(&everyone, LIMIT).unwrap();
}

#[test]
fn what_others_could_reach_is_refused_without_an_issuer_and_says_what_to_set() {
    let refused = |flags: &[&str], env: &[(&str, &str)]| {
        let mut args = vec!["--port=0"];
        args.extend(flags);
        let mut server = ServerProcess::start(BINARY, &args, env, folder()).unwrap();
        assert_eq!(server.wait_exit(LIMIT).unwrap().code(), Some(2));
        server.wait_stderr(LIMIT, |line| Some(line.to_owned())).unwrap()
    };
    let told = refused(&["--host=0.0.0.0"], &[]);
    assert!(told.contains("--oauth-issuer") && told.contains("--public-url"), "{told}");
    assert!(refused(&[], &[("E2E_MCP_ENV", "production")]).contains("--oauth-issuer"));
    let issuer = "--oauth-issuer=https://id.example";
    assert!(refused(&["--host=0.0.0.0", issuer], &[]).contains("--public-url"));
    assert!(refused(&["--oauth-issuer=http://id.example"], &[]).contains("https"));
}
