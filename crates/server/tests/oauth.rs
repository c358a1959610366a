//! The real binary behind a real authorization server: who is let in, whose a session is, and the official clients.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

mod common;

use std::net::SocketAddr;
use std::path::Path;

use common::{BINARY, connect, folder};
use serde_json::{Value, json};
use testkit::clients::{Clients, Issuer};
use testkit::mcp::{HttpReply, Revision, ServerProcess};
use testkit::site::Site;

/// A server that trusts an issuer.
struct Service {
    clients: Clients,
    issuer: Issuer,
    server: ServerProcess,
    address: SocketAddr,
}

impl Service {
    fn start(flags: &[&str]) -> Self {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let clients = Clients::new(target).unwrap();
        let issuer = clients.issuer().unwrap();
        let issuer_flag = format!("--oauth-issuer={}", issuer.url());
        let mut args = vec!["--port=0", "--headless", "--log-level=trace", &issuer_flag];
        args.extend(flags);
        let (server, address) = ServerProcess::listening(BINARY, &args, &[], folder()).unwrap();
        Self { clients, issuer, server, address }
    }

    fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    fn token(&self, client: &str, scope: &str) -> String {
        self.issuer.token(client, scope, &self.url()).unwrap()
    }

    fn post(&self, token: Option<&str>, message: &Value) -> HttpReply {
        let value = token.map(|token| format!("Bearer {token}"));
        let header = value.as_deref().map(|value| ("Authorization", value));
        connect(self.address).post("/mcp", header.as_slice(), message.to_string().as_bytes()).unwrap()
    }

    fn call(&self, token: &str, tool: &str, arguments: &Value) -> Value {
        let message = Revision::V2025_11_25.message(
            Some(1),
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let reply = self.post(Some(token), &message);
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.body));
        let messages = reply.messages();
        let text = messages.last().unwrap()["result"]["content"][0]["text"].as_str().unwrap();
        serde_json::from_str(text).unwrap_or_else(|_| json!(text))
    }

    /// Nothing that it wrote has any of the tokens in it.
    fn said_nothing_of(&self, tokens: &[&str]) {
        let said = [self.server.stdout(), self.server.stderr()].concat().join("\n");
        assert!(said.contains("keys_fetched"), "{said}");
        for token in tokens {
            let (_, signature) = token.rsplit_once('.').unwrap();
            assert!(!said.contains(token) && !said.contains(signature), "{said}");
        }
    }
}

fn ping() -> Value {
    Revision::V2025_11_25.message(Some(1), "ping", json!({}))
}

#[test]
fn who_has_no_right_token_is_told_what_it_lacks_and_where_to_get_it() {
    let service = Service::start(&["--tools=browser"]);
    let refused = service.post(None, &ping());
    let metadata = format!("http://{}/.well-known/oauth-protected-resource/mcp", service.address);
    let told = refused.header("www-authenticate").unwrap();
    assert_eq!(
        (refused.status, &refused.json()["error"]["data"]["errorCode"]),
        (401, &json!("UNAUTHORIZED"))
    );
    assert_eq!(told, format!("Bearer scope=\"mcp:execute\", resource_metadata=\"{metadata}\""));
    for (path, resource) in [("", ""), ("/mcp", "/mcp"), ("/message", "/message")] {
        let path = format!("/.well-known/oauth-protected-resource{path}");
        let document = connect(service.address).ask("GET", &path, &[], b"").unwrap().json();
        assert_eq!(document["resource"], format!("http://{}{resource}", service.address));
        assert_eq!(document["authorization_servers"], json!([service.issuer.url()]));
        assert_eq!(document["scopes_supported"], json!(["mcp:execute"]));
    }
    let status = |token: &str| {
        let reply = service.post(Some(token), &ping());
        let header = reply.header("www-authenticate").unwrap_or_default().to_owned();
        (reply.status, header.split('"').nth(1).unwrap_or_default().to_owned())
    };
    let named = |status: u16, error: &str| (status, error.to_owned());
    let (alice, reader) = (service.token("alice", "mcp:execute"), service.token("reader", "mcp:read"));
    let elsewhere = service.issuer.token("alice", "mcp:execute", "http://127.0.0.1:9/mcp").unwrap();
    let mut forged = alice.clone();
    forged.replace_range(alice.len() - 8..alice.len() - 4, "AAAA");
    assert_eq!(status(&alice), named(200, ""));
    assert_eq!(status(&reader), named(403, "insufficient_scope"));
    assert_eq!(status(&elsewhere), named(401, "invalid_token"));
    assert_eq!(status(&forged), named(401, "invalid_token"));
    assert_eq!(status("nonsense"), named(401, "invalid_token"));
    let in_the_address = format!("/mcp?access_token={alice}");
    let refused = connect(service.address).post(&in_the_address, &[], ping().to_string().as_bytes()).unwrap();
    assert_eq!(refused.status, 401);
    for (path, status) in [("/health", 200), ("/health/live", 200), ("/health/ready", 200), ("/metrics", 401)]
    {
        assert_eq!(connect(service.address).ask("GET", path, &[], b"").unwrap().status, status, "{path}");
    }
    service.said_nothing_of(&[&alice, &reader, &elsewhere, &forged]);
}

#[test]
fn who_is_turned_away_may_still_be_writing_and_comes_again_on_the_same_connection() {
    let service = Service::start(&["--tools=browser"]);
    let token = format!("Bearer {}", service.token("alice", "mcp:execute"));
    let mut connection = connect(service.address);
    let body = ping().to_string();
    let length = body.len().to_string();
    let mut headers = vec![
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("Content-Length", length.as_str()),
    ];
    for (authorized, status) in [(false, 401), (true, 200), (false, 401)] {
        headers.truncate(3);
        headers.extend(authorized.then_some(("Authorization", token.as_str())));
        connection.send("POST", "/mcp", &headers, b"").unwrap();
        // The head has arrived by the time that another connection is answered.
        assert_eq!(connect(service.address).ask("GET", "/health/live", &[], b"").unwrap().status, 200);
        connection.send_raw(body.as_bytes()).unwrap();
        assert_eq!(connection.reply().unwrap().unwrap().status, status);
    }
}

#[test]
fn a_session_and_a_run_are_there_for_who_opened_them_and_for_nobody_else() {
    let service = Service::start(&["--caps=background"]);
    let (alice, bob) = (service.token("alice", "mcp:execute"), service.token("bob", "mcp:execute"));
    let session =
        service.call(&alice, "create_session", &json!({}))["sessionId"].as_str().unwrap().to_owned();
    let its = json!({ "sessionId": session });
    for (tool, arguments) in [
        ("snapshot", its.clone()),
        ("close_session", its.clone()),
        ("get_session_status", its.clone()),
        ("navigate", json!({ "sessionId": session, "url": "about:blank" })),
    ] {
        let refused = service.call(&bob, tool, &arguments);
        assert_eq!(refused["error"]["errorCode"], "SESSION_NOT_FOUND", "{tool}: {refused}");
    }
    let count =
        |token: &str| service.call(token, "list_sessions", &json!({}))["sessions"].as_array().unwrap().len();
    assert_eq!((count(&alice), count(&bob)), (1, 0));
    let run = json!({ "runner": "cargo", "scope": "all", "timeout_ms": 60_000, "no_output_timeout_ms": 60_000,
                      "max_output_bytes": 1000, "wait_ms": 1 });
    let run = service.call(&alice, "run_test", &run)["run_id"].as_str().unwrap().to_owned();
    let refused = service.call(&bob, "get_test_run", &json!({ "run_id": run, "wait_ms": 1 }));
    assert_eq!(refused["error"]["errorCode"], "RUN_NOT_FOUND", "{refused}");
    assert_eq!(refused["error"]["details"]["known"], json!([]));
    assert!(
        service.call(&alice, "get_test_run", &json!({ "run_id": run, "wait_ms": 1 })).get("status").is_some()
    );
    assert_eq!(service.call(&alice, "close_session", &its)["closed"], true);
    let gone = service.call(&bob, "snapshot", &its);
    assert!(gone["error"]["message"].as_str().unwrap().contains("there is no session"), "{gone}");
    let numbers = [("Authorization", &*format!("Bearer {alice}"))];
    let numbers = connect(service.address).ask("GET", "/metrics", &numbers, b"").unwrap();
    let numbers = String::from_utf8(numbers.body).unwrap();
    for line in [
        "e2e_mcp_sessions 0",
        "e2e_mcp_sessions_ended_total{reason=\"manual\"} 1",
        "e2e_mcp_tool_errors_total{tool=\"snapshot\",type=\"session_not_found\"} 2",
        "e2e_mcp_tool_duration_seconds_count{tool=\"create_session\"} 1",
        "e2e_mcp_browser_starts_total 1",
        "e2e_mcp_browser_restarts_total 0",
    ] {
        assert!(numbers.lines().any(|told| told == line), "{line}:\n{numbers}");
    }
    let value =
        |name: &str| numbers.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    assert!(
        value("e2e_mcp_processes ") > Some(1) && value("e2e_mcp_resident_memory_bytes ") > Some(1_000_000)
    );
    assert!(!numbers.contains("alice"));
    service.said_nothing_of(&[&alice, &bob]);
}

#[test]
fn the_official_typescript_client_gets_its_token_by_the_code_flow_and_works_in_a_session() {
    let service = Service::start(&["--tools=browser"]);
    let site = Site::start().unwrap();
    site.page("/", "<title>Shop</title><h1>Welcome</h1>");
    let told = service.clients.typescript(&service.url(), &site.url("/"), "carol").unwrap();
    assert_eq!((&told["resource"], &told["challenge"]), (&json!(service.url()), &json!("S256")), "{told}");
    assert!(told["scope"].as_str().unwrap().split(' ').any(|scope| scope == "mcp:execute"), "{told}");
    assert!(told["page"].as_str().unwrap().contains("Welcome"), "{told}");
    assert_eq!((&told["sessions"], &told["closed"]), (&json!(1), &json!(true)), "{told}");
    service.said_nothing_of(&[told["token"].as_str().unwrap()]);
}

#[test]
fn the_official_python_client_works_in_a_session() {
    let service = Service::start(&["--tools=browser"]);
    let site = Site::start().unwrap();
    site.page("/", "<title>Shop</title><h1>Welcome</h1>");
    let token = service.token("alice", "mcp:execute");
    let told = service.clients.python(&service.url(), &site.url("/"), &token).unwrap();
    assert_eq!((&told["server"], &told["closed"]), (&json!("e2e-mcp-server"), &json!(true)), "{told}");
    assert!(told["page"].as_str().unwrap().contains("Welcome"), "{told}");
    assert!(told["title"].as_str().unwrap().contains("Shop"), "{told}");
    service.said_nothing_of(&[&token]);
}

#[test]
fn the_inspectors_command_line_lists_and_calls_tools() {
    let service = Service::start(&["--tools=browser"]);
    let header = format!("Authorization: Bearer {}", service.token("alice", "mcp:execute"));
    let url = service.url();
    let ask = |rest: &[&str]| {
        let mut args = vec![url.as_str(), "--transport", "http", "--header", &header];
        args.extend(rest);
        service.clients.inspector(&args).unwrap()
    };
    let listed = ask(&["--method", "tools/list"]);
    assert!(listed["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "navigate"), "{listed}");
    let called = ask(&["--method", "tools/call", "--tool-name", "list_sessions"]);
    assert!(called["content"][0]["text"].as_str().unwrap().contains("maxSessions"), "{called}");
}
