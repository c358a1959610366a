//! The handshake and the first requests in every revision, over stdio and HTTP, with the real binary.
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

mod common;

use common::{LIMIT, initialized, on_pipes, on_port};
use serde_json::{Value, json};
use testkit::mcp::{HttpClient, Revision, StdioClient};
use testkit::process::wait_until;

const MODERN: Revision = Revision::V2026_07_28;

fn with_handshake() -> impl Iterator<Item = Revision> {
    Revision::ALL.iter().copied().filter(|revision| revision.has_handshake())
}

/// Asks and expects a result.
fn ask(client: &mut StdioClient, method: &str, params: Value) -> Value {
    client.request(method, params, LIMIT).unwrap().unwrap()
}

#[test]
fn every_revision_with_a_handshake_is_agreed_to_over_stdio() {
    for revision in with_handshake() {
        let mut client = on_pipes(&[]);
        let agreed = client.initialize(revision).unwrap();
        assert_eq!(agreed["protocolVersion"], revision.name());
        assert_eq!(agreed["serverInfo"]["name"], "e2e-mcp-server");
        let listed = ask(&mut client, "tools/list", json!({}));
        assert!(listed["tools"].is_array(), "{listed}");
        assert!(listed.get("resultType").is_none(), "{revision:?} knows no resultType: {listed}");
        assert_eq!(ask(&mut client, "ping", json!({})), json!({}));
    }
}

#[test]
fn every_revision_with_a_handshake_is_agreed_to_over_http() {
    let (_server, address) = on_port();
    for revision in with_handshake() {
        for path in ["/message", "/mcp"] {
            let mut client = HttpClient::new(address, path, revision);
            let agreed = client.initialize().unwrap();
            assert_eq!(agreed["protocolVersion"], revision.name());
            let listed = client.request("tools/list", json!({}), LIMIT).unwrap().unwrap();
            assert!(listed["tools"].is_array(), "{listed}");
            assert_eq!(client.request("ping", json!({}), LIMIT).unwrap(), Ok(json!({})));
        }
    }
}

#[test]
fn an_unknown_revision_is_answered_with_one_that_is_known() {
    let mut params = Revision::V2025_11_25.initialize_params();
    params["protocolVersion"] = json!("1999-01-01");
    assert_eq!(ask(&mut on_pipes(&[]), "initialize", params)["protocolVersion"], "2025-11-25");
}

#[test]
fn the_sessionless_revision_needs_no_handshake_over_stdio() {
    let mut client = on_pipes(&[]);
    let found = client.initialize(MODERN).unwrap();
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!(MODERN.name())), "{found}");
    let listed = ask(&mut client, "tools/list", json!({}));
    assert_eq!(listed["resultType"], "complete");
    assert!(listed["ttlMs"].is_u64() && listed["cacheScope"].is_string(), "{listed}");
    let gone = client.request("ping", json!({}), LIMIT).unwrap().unwrap_err();
    assert_eq!(gone.code, -32601, "this revision has no ping: {gone}");
}

#[test]
fn the_sessionless_revision_needs_no_handshake_over_http() {
    let (_server, address) = on_port();
    let mut client = HttpClient::new(address, "/message", MODERN);
    let list = client.message("tools/list", json!({}));
    let listed = client.post(&list, LIMIT).unwrap();
    assert_eq!((listed.status, &listed.json()["result"]["resultType"]), (200, &json!("complete")));
    client.initialize().unwrap();
    let call = client.message("tools/call", json!({}));
    let headers = MODERN.headers(&call);
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (&**name, &**value)).collect();
    let list = client.message("tools/list", json!({})).to_string();
    let mismatch = client.send("POST", "/message", &headers, list.as_bytes(), LIMIT).unwrap();
    let mismatch = mismatch.finish().unwrap();
    assert_eq!((mismatch.status, &mismatch.json()["error"]["code"]), (400, &json!(-32020)));
}

#[test]
fn batches_are_answered_together_in_the_revision_that_has_them() {
    let revision = Revision::V2025_03_26;
    let batch = |ids: &[u64]| -> Value {
        ids.iter().map(|id| revision.message(Some(*id), "ping", Value::Null)).collect()
    };
    let ids = |answers: &Value| -> Vec<u64> {
        let answers = answers.as_array().unwrap().iter();
        let mut ids: Vec<u64> = answers.map(|answer| answer["id"].as_u64().unwrap()).collect();
        ids.sort_unstable();
        ids
    };
    let mut client = on_pipes(&[]);
    client.initialize(revision).unwrap();
    client.send_message(&batch(&[11, 12, 13])).unwrap();
    assert_eq!(ids(&client.next_message(LIMIT).unwrap()), [11, 12, 13]);

    let (_server, address) = on_port();
    let client = HttpClient::new(address, "/mcp", revision);
    let answers = client.post(&batch(&[21, 22, 23]), LIMIT).unwrap();
    assert_eq!((answers.status, ids(&answers.json())), (200, vec![21, 22, 23]));
}

#[test]
fn unknown_tools_and_methods_are_protocol_errors_with_the_requests_id() {
    let mut client = initialized(&[]);
    for (method, params, code) in [
        ("tools/call", json!({ "name": "no_such_tool", "arguments": {} }), -32602),
        ("no/such/method", json!({}), -32601),
        ("tools/call", json!({ "name": ["run_test"] }), -32602),
    ] {
        assert_eq!(client.request(method, params, LIMIT).unwrap().unwrap_err().code, code);
    }
}

#[test]
fn every_line_on_stdout_is_protocol_while_logs_flood() {
    let mut client = initialized(&["--log-level", "trace"]);
    for _ in 0..500 {
        client.send("tools/list", json!({})).unwrap();
        client.send_raw(b"nonsense\n").unwrap();
        client.notify("notifications/whatever", Value::Null).unwrap();
    }
    for _ in 0..1000 {
        let message = client.next_message(LIMIT).unwrap();
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
    }
    client.close_stdin();
    assert!(client.wait_exit(LIMIT).unwrap().success());
    let end = client.next_message(LIMIT).unwrap_err().to_string();
    assert!(end.starts_with("the server closed its stdout"), "nothing else is on stdout: {end}");
    let logged = || client.stderr().iter().map(String::len).sum::<usize>();
    assert!(wait_until(LIMIT, || (logged() > 100_000).then_some(())).is_some(), "no flood: {}", logged());
}
