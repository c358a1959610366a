//! The handshake and the first requests in every revision, over stdio and HTTP, with the real binary.

mod support;

use std::process::{Command, Stdio};

use serde_json::json;
use support::{OnPipes, OnPort, REVISIONS, initialize, modern_meta, request};

#[test]
fn every_revision_with_a_handshake_is_agreed_to_over_stdio() {
    for revision in REVISIONS {
        let mut server = OnPipes::start(&[]);
        server.send(&initialize(revision));
        let agreed = server.reply();
        assert_eq!(agreed["result"]["protocolVersion"], revision);
        assert_eq!(agreed["result"]["serverInfo"]["name"], "e2e-mcp-server");
        server.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        let listed = server.ask(1, "tools/list", json!({}));
        assert!(listed["result"]["tools"].is_array(), "{listed}");
        assert!(listed["result"].get("resultType").is_none(), "{revision} knows no resultType: {listed}");
        assert_eq!(server.ask(2, "ping", json!({}))["result"], json!({}));
    }
}

#[test]
fn every_revision_with_a_handshake_is_agreed_to_over_http() {
    let server = OnPort::start();
    for revision in REVISIONS {
        let agreed = server.post(&initialize(revision), &[]);
        assert_eq!((agreed.status, &agreed.json()["result"]["protocolVersion"]), (200, &json!(revision)));
        let headers = [("MCP-Protocol-Version", revision)];
        let noted = server.post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, &headers);
        assert_eq!(noted.status, 202);
        let listed = server.post(&request(1, "tools/list", json!({})), &headers);
        assert!(listed.json()["result"]["tools"].is_array(), "{listed:?}");
        assert_eq!(server.post(&request(2, "ping", json!({})), &headers).json()["result"], json!({}));
    }
}

#[test]
fn an_unknown_revision_is_answered_with_one_that_is_known() {
    let mut server = OnPipes::start(&[]);
    server.send(&initialize("1999-01-01"));
    assert_eq!(server.reply()["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn the_sessionless_revision_needs_no_handshake_over_stdio() {
    let mut server = OnPipes::start(&[]);
    let listed = server.ask(1, "tools/list", modern_meta());
    assert_eq!(listed["result"]["resultType"], "complete");
    assert!(listed["result"]["ttlMs"].is_u64() && listed["result"]["cacheScope"].is_string(), "{listed}");
    let found = server.ask(2, "server/discover", modern_meta());
    assert!(
        found["result"]["supportedVersions"].as_array().is_some_and(|all| all.contains(&json!("2026-07-28")))
    );
    let gone = server.ask(3, "ping", modern_meta());
    assert_eq!(gone["error"]["code"], -32601, "this revision has no ping: {gone}");
}

#[test]
fn the_sessionless_revision_needs_no_handshake_over_http() {
    let server = OnPort::start();
    let headers = |method| [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
    let listed = server.post(&request(1, "tools/list", modern_meta()), &headers("tools/list"));
    assert_eq!((listed.status, &listed.json()["result"]["resultType"]), (200, &json!("complete")));
    let found = server.post(&request(2, "server/discover", modern_meta()), &headers("server/discover"));
    assert_eq!(found.status, 200, "{found:?}");
    let mismatch = server.post(&request(3, "tools/list", modern_meta()), &headers("tools/call"));
    assert_eq!((mismatch.status, &mismatch.json()["error"]["code"]), (400, &json!(-32020)));
}

#[test]
fn unknown_tools_and_methods_are_protocol_errors_with_the_requests_id() {
    let mut server = OnPipes::initialized(&[]);
    let unknown = server.ask(1, "tools/call", json!({ "name": "no_such_tool", "arguments": {} }));
    assert_eq!((&unknown["id"], &unknown["error"]["code"]), (&json!(1), &json!(-32602)));
    let unknown = server.ask(2, "no/such/method", json!({}));
    assert_eq!((&unknown["id"], &unknown["error"]["code"]), (&json!(2), &json!(-32601)));
    let wrong = server.ask(3, "tools/call", json!({ "name": ["run_test"] }));
    assert_eq!((&wrong["id"], &wrong["error"]["code"]), (&json!(3), &json!(-32602)));
}

#[test]
fn every_line_on_stdout_is_protocol_while_logs_flood() {
    let mut command = Command::new(support::BINARY);
    let mut server = OnPipes::spawn(command.args(["--log-level", "trace"]).stderr(Stdio::piped()));
    let mut logs = server.child.stderr.take().expect("piped");
    let flood = std::thread::spawn(move || std::io::copy(&mut logs, &mut std::io::sink()).expect("readable"));
    server.send(&initialize("2025-11-25"));
    server.reply();
    for id in 0..500_u64 {
        server.send(&request(id, "tools/list", json!({})));
        server.send("nonsense");
        server.send(r#"{"jsonrpc":"2.0","method":"notifications/whatever"}"#);
    }
    for _ in 0..1000 {
        let message = server.reply();
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
    }
    drop(server.stdin.take());
    assert_eq!(server.lines.recv_timeout(support::LONG).ok(), None, "nothing else is on stdout");
    assert!(flood.join().expect("no panic") > 100_000, "the logs did flood");
}
