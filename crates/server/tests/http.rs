//! The HTTP door of the real binary: who is let in, and how the others are turned away.
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

mod common;

use common::{BINARY, LIMIT, connect, folder, on_port};
use serde_json::json;
use testkit::mcp::{Revision, ServerProcess};

fn ping() -> Vec<u8> {
    Revision::V2025_11_25.message(Some(1), "ping", json!({})).to_string().into_bytes()
}

#[test]
fn health_says_how_the_server_is() {
    let (_server, address) = on_port();
    let health = connect(address).ask("GET", "/health", &[], b"").unwrap().json();
    assert_eq!((&health["status"], &health["activeSessions"]), (&json!("ok"), &json!(0)));
    assert!(health["uptime"].is_u64() && health["memory"]["rss"].as_u64() > Some(100_000), "{health}");
}

#[test]
fn foreign_hosts_and_origins_are_turned_away_on_every_route() {
    let (_server, address) = on_port();
    for foreign in [("Host", "evil.example"), ("Origin", "http://evil.example"), ("Origin", "null")] {
        for path in ["/message", "/mcp"] {
            let refused = connect(address).post(path, &[foreign], &ping()).unwrap();
            assert_eq!(
                (refused.status, &refused.json()["error"]["code"]),
                (403, &json!(-32600)),
                "{foreign:?}"
            );
        }
        let refused = connect(address).ask("GET", "/health", &[foreign], b"").unwrap();
        assert_eq!(refused.status, 403, "{foreign:?}");
    }
    for own in [("Origin", "http://localhost:3000"), ("Host", "127.0.0.1:1"), ("Host", "localhost")] {
        assert_eq!(connect(address).post("/message", &[own], &ping()).unwrap().status, 200, "{own:?}");
    }
}

#[test]
fn both_paths_take_posts_and_nothing_else() {
    let (_server, address) = on_port();
    let mut connection = connect(address);
    for path in ["/message", "/mcp"] {
        assert_eq!(connection.post(path, &[], &ping()).unwrap().status, 200);
        for method in ["GET", "DELETE", "PUT"] {
            let refused = connection.ask(method, path, &[], b"").unwrap();
            assert_eq!((refused.status, refused.header("allow")), (405, Some("POST")), "{method} {path}");
        }
    }
    assert_eq!(connection.ask("GET", "/elsewhere", &[], b"").unwrap().status, 404);
}

#[test]
fn what_can_not_be_read_is_refused_as_json_rpc() {
    let (_server, address) = on_port();
    let refused = |body: &[u8], headers: &[(&str, &str)]| {
        let reply = connect(address).post("/mcp", headers, body).unwrap();
        (reply.status, reply.json()["error"]["code"].as_i64())
    };
    assert_eq!(refused(b"nonsense", &[]), (400, Some(-32700)));
    assert_eq!(refused(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", &[]), (400, Some(-32700)));
    assert_eq!(refused(b"{}", &[]), (400, Some(-32600)));
    assert_eq!(refused(b"", &[]), (400, Some(-32700)));
    assert_eq!(refused(&ping(), &[("Content-Type", "text/plain")]), (415, Some(-32600)));
    assert_eq!(refused(&ping(), &[("Accept", "text/html")]), (406, Some(-32600)));
    assert_eq!(refused(&vec![b' '; 17 * 1024 * 1024], &[]), (413, Some(-32600)));
}

#[test]
fn a_public_address_is_refused_with_the_reason() {
    for host in ["0.0.0.0", "::", "192.0.2.1"] {
        let mut server =
            ServerProcess::start(BINARY, &["--port", "0", "--host", host], &[], folder()).unwrap();
        assert!(!server.wait_exit(LIMIT).unwrap().success(), "{host}");
        server.wait_stderr(LIMIT, |line| line.contains("loopback").then_some(())).unwrap();
    }
}

#[test]
fn half_a_request_and_garbage_only_cost_their_own_connection() {
    let (_server, address) = on_port();
    let beginnings = [
        &b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"js"[..],
        b"POST /mcp HT",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
    ];
    for beginning in beginnings {
        let mut connection = connect(address);
        connection.send_raw(beginning).unwrap();
        connection.close_write().unwrap();
        let reply = connection.reply().unwrap();
        assert!(reply.as_ref().is_none_or(|reply| reply.status >= 400), "{reply:?}");
    }
    assert_eq!(connect(address).post("/mcp", &[], &ping()).unwrap().status, 200);
}
