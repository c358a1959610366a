//! The MCP clients understand what a server may send, in whatever order and shape.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "helpers of tests panic like tests")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use testkit::mcp::{HttpClient, HttpConnection, Revision, ServerProcess, StdioClient};

const SOON: Duration = Duration::from_secs(10);

/// A "server" that says its lines whatever it is asked.
fn says(lines: &[&str]) -> StdioClient {
    let mut args = vec!["prints".to_owned()];
    for line in lines {
        args.extend(["--out".to_owned(), format!("{}\\n", line.replace('\\', "\\\\"))]);
    }
    args.extend(["--sleep", "20000"].map(str::to_owned));
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    StdioClient::start(testkit::bins().child(), &args, &[], Path::new(".")).unwrap()
}

#[test]
fn answers_are_matched_by_id_and_notifications_are_kept() {
    let mut client = says(&[
        r#"{"jsonrpc":"2.0","id":2,"result":{"second":true}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
    ]);
    let first = client.send("a", json!({})).unwrap();
    let second = client.send("b", json!({})).unwrap();
    assert_eq!(client.receive(first, SOON).unwrap().unwrap_err().code, -32601);
    assert_eq!(client.receive(second, SOON).unwrap().unwrap(), json!({ "second": true }));
    assert_eq!(client.wait_notification("notifications/progress", SOON).unwrap()["params"]["progress"], 1);
    assert_eq!(client.raw_lines().len(), 3);
}

#[test]
fn a_server_that_does_not_answer_fails_the_request_at_its_limit() {
    let mut client = says(&[]);
    let told = client.request("tools/list", json!({}), Duration::from_millis(50)).unwrap_err();
    assert!(told.to_string().contains("no answer"), "{told}");
}

#[test]
fn a_server_that_exits_fails_the_request_at_once_with_its_stderr() {
    let args = ["prints", "--err", r"out of luck\n", "--exit", "3"];
    let mut client = StdioClient::start(testkit::bins().child(), &args, &[], Path::new(".")).unwrap();
    assert_eq!(client.wait_exit(SOON).unwrap().code(), Some(3));
    client.server().wait_stderr(SOON, |line| line.contains("out of luck").then_some(())).unwrap();
    let told = client.request("ping", json!({}), SOON).unwrap_err().to_string();
    assert!(!told.starts_with("no answer"), "it waited for the limit: {told}");
}

#[test]
fn a_server_on_sockets_is_spoken_to_like_one_on_pipes() {
    let args = ["prints", "--out", r#"{"jsonrpc":"2.0","id":1,"result":{"on":"sockets"}}\n"#];
    let server =
        ServerProcess::start_on_sockets(testkit::bins().child(), &args, &[], Path::new(".")).unwrap();
    let mut client = StdioClient::of(server).unwrap();
    assert_eq!(client.next_message(SOON).unwrap()["result"], json!({ "on": "sockets" }));
    client.close_stdin();
    assert!(client.wait_exit(SOON).unwrap().success());
    let told = client.next_message(SOON).unwrap_err().to_string();
    assert!(told.starts_with("the server closed its stdout"), "{told}");
}

#[test]
fn a_client_that_is_dropped_takes_its_server_along() {
    let args = ["ignores-term"];
    let server = ServerProcess::start(testkit::bins().child(), &args, &[], Path::new(".")).unwrap();
    let pid = server.pid();
    drop(server);
    testkit::process::wait_gone(&[pid], SOON).unwrap();
}

#[test]
fn a_listening_server_is_found_where_it_says() {
    let args =
        ["prints", "--out", "log\\n", "--err", r"Listening on http://127.0.0.1:4321\n", "--sleep", "20000"];
    let (server, address) =
        ServerProcess::listening(testkit::bins().child(), &args, &[], Path::new(".")).unwrap();
    assert_eq!(address, "127.0.0.1:4321".parse().unwrap());
    testkit::process::wait_until(SOON, || (server.stdout() == ["log"]).then_some(())).unwrap();
}

/// A server that reads one request and answers with these bytes; the request comes back from the thread.
fn answers(answer: String) -> (SocketAddr, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let thread = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        let mut piece = [0; 4096];
        while !request.ends_with(b"}") {
            let got = socket.read(&mut piece).unwrap();
            request.extend_from_slice(&piece[..got]);
        }
        socket.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(request).unwrap()
    });
    (address, thread)
}

#[test]
fn a_json_answer_is_read_and_the_request_has_its_revisions_headers() {
    let body = r#"{"jsonrpc":"2.0","id":1,"result":{"isError":true}}"#;
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}", body.len());
    let (address, server) = answers(format!("{head}\r\n\r\n{body}"));
    let mut client = HttpClient::new(address, "/mcp", Revision::V2026_07_28);
    assert!(client.call_tool("run_test", &json!({}), SOON).unwrap().is_error());
    let request = server.join().unwrap();
    assert!(request.starts_with("POST /mcp HTTP/1.1\r\n"), "{request}");
    for header in ["Mcp-Method: tools/call", "Mcp-Name: run_test", "MCP-Protocol-Version: 2026-07-28"] {
        assert!(request.contains(&format!("{header}\r\n")), "{header} is not in {request}");
    }
}

#[test]
fn a_kept_connection_is_asked_twice_and_tells_when_the_server_closes_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let answers = ["HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 400 No\r\nContent-Length: 2\r\n\r\nno"];
        socket.write_all(answers.concat().as_bytes()).unwrap();
        let mut asked = String::new();
        socket.read_to_string(&mut asked).unwrap();
        asked
    });
    let mut connection = HttpConnection::open(address, SOON).unwrap();
    assert_eq!(connection.ask("GET", "/a", &[("Host", "b")], b"").unwrap().status, 204);
    connection.send_raw(b"half").unwrap();
    connection.close_write().unwrap();
    let refused = connection.reply().unwrap().unwrap();
    assert_eq!((refused.status, &*refused.body), (400, &b"no"[..]));
    assert!(connection.reply().unwrap().is_none());
    assert_eq!(server.join().unwrap(), "GET /a HTTP/1.1\r\nContent-Length: 0\r\nHost: b\r\n\r\nhalf");
}

#[test]
fn a_chunked_event_stream_is_read_message_by_message() {
    let mut answer = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n".to_owned();
    answer.push_str("transfer-encoding: chunked\r\n\r\n");
    for chunk in [": hello\n\ndata: {\"method\":\"", "m\"}\n\n", ": ", "\n\n", "data: {\"id\": 1}\n\n", ""] {
        answer.push_str(&format!("{:x}\r\n{chunk}\r\n", chunk.len()));
    }
    let (address, _server) = answers(answer);
    let mut client = HttpClient::new(address, "/mcp", Revision::V2025_11_25);
    let message = client.message("tools/list", json!({}));
    let mut stream = client.open(&message, SOON).unwrap();
    assert_eq!(stream.status, 200);
    assert_eq!(stream.next_message().unwrap(), Some(json!({ "method": "m" })));
    assert_eq!(stream.next_message().unwrap(), Some(json!({ "id": 1 })));
    assert_eq!(stream.next_message().unwrap(), None);
}
