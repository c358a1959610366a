//! The HTTP door of the real binary: who is let in, and how the others are turned away.

mod support;

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::json;
use support::{OnPort, request};

fn ping() -> String {
    request(1, "ping", json!({}))
}

#[test]
fn health_says_how_the_server_is() {
    let server = OnPort::start();
    let health = server.connect().get("/health", &[("Host", "localhost")]).json();
    assert_eq!((&health["status"], &health["activeSessions"]), (&json!("ok"), &json!(0)));
    assert!(health["uptime"].is_u64() && health["memory"]["rss"].as_u64() > Some(100_000), "{health}");
}

#[test]
fn foreign_hosts_and_origins_are_turned_away_on_every_route() {
    let server = OnPort::start();
    for headers in [[("Host", "evil.example")], [("Origin", "http://evil.example")], [("Origin", "null")]] {
        let refused = server.post(&ping(), &headers);
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (403, &json!(-32600)), "{headers:?}");
        let all = [("Host", "localhost"), headers[0]];
        let all = if headers[0].0 == "Host" { &headers[..] } else { &all[..] };
        assert_eq!(server.connect().get("/health", all).status, 403, "{headers:?}");
    }
    assert_eq!(server.post(&ping(), &[("Origin", "http://localhost:3000")]).status, 200);
    assert_eq!(server.post(&ping(), &[("Host", "127.0.0.1:1")]).status, 200);
}

#[test]
fn both_paths_take_posts_and_nothing_else() {
    let server = OnPort::start();
    let mut connection = server.connect();
    for path in ["/message", "/mcp"] {
        assert_eq!(connection.post(path, ping().as_bytes(), &[]).status, 200);
        for method in ["GET", "DELETE", "PUT"] {
            connection.send(method, path, b"", &[("Host", "localhost")]);
            let refused = connection.read().expect("a response");
            assert_eq!((refused.status, refused.header("allow")), (405, Some("POST")), "{method} {path}");
        }
    }
    assert_eq!(connection.get("/elsewhere", &[("Host", "localhost")]).status, 404);
}

#[test]
fn what_can_not_be_read_is_refused_as_json_rpc() {
    let server = OnPort::start();
    let refused = |body: &[u8], headers: &[(&str, &str)]| {
        let response = server.connect().post("/mcp", body, headers);
        (response.status, response.json()["error"]["code"].as_i64())
    };
    assert_eq!(refused(b"nonsense", &[]), (400, Some(-32700)));
    assert_eq!(refused(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", &[]), (400, Some(-32700)));
    assert_eq!(refused(b"{}", &[]), (400, Some(-32600)));
    assert_eq!(refused(b"", &[]), (400, Some(-32700)));
    assert_eq!(refused(ping().as_bytes(), &[("Content-Type", "text/plain")]), (415, Some(-32600)));
    assert_eq!(refused(ping().as_bytes(), &[("Accept", "text/html")]), (406, Some(-32600)));
    assert_eq!(refused(&vec![b' '; 17 * 1024 * 1024], &[]), (413, Some(-32600)));
}

#[test]
fn a_public_address_is_refused_with_the_reason() {
    for host in ["0.0.0.0", "::", "192.0.2.1"] {
        let output = Command::new(support::BINARY)
            .args(["--port", "0", "--host", host])
            .stdin(Stdio::null())
            .output()
            .expect("spawn");
        let reason = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && reason.contains("loopback"), "{host}: {reason}");
    }
}

#[test]
fn half_a_request_and_garbage_only_cost_their_own_connection() {
    let server = OnPort::start();
    let beginnings = [
        &b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"js"[..],
        b"POST /mcp HT",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
    ];
    for beginning in beginnings {
        let mut connection = server.connect();
        connection.stream.get_mut().write_all(beginning).expect("room");
        connection.stream.get_ref().shutdown(std::net::Shutdown::Write).expect("open");
        let answer = connection.read();
        assert!(answer.as_ref().is_none_or(|answer| answer.status >= 400), "{answer:?}");
    }
    assert_eq!(server.post(&ping(), &[]).status, 200);
}
