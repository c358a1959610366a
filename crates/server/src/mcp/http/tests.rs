//! Calls over a real socket: what a lost connection, a cancellation and the server's end do to them.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::limits::Limits;
use super::listener::{Listener, Serving};
use crate::config::ServiceOptions;
use crate::mcp::Handler;
use crate::mcp::stub::{Calls, StubTools, take};

struct Server {
    serving: Serving,
    calls: Calls,
    ending: CancellationToken,
}

impl Server {
    async fn start() -> Self {
        Self::within(Limits::default()).await
    }

    async fn within(limits: Limits) -> Self {
        let tools = StubTools::new();
        let calls = tools.calls.clone();
        let ending = CancellationToken::new();
        let listener = Listener::bind([127, 0, 0, 1].into(), 0, false).await.expect("a free port");
        let service = ServiceOptions { limits, ..ServiceOptions::default() };
        let handler = Handler::new(Arc::new(tools), ending.clone());
        let serving = listener.serve(&service, &handler, &ending);
        Self { serving, calls, ending }
    }

    /// Connects and sends before the server, which runs on the same thread, can know of the connection: the limits
    /// of time begin to count for what is already there.
    fn send(&self, bytes: &str) -> TcpStream {
        let mut stream = std::net::TcpStream::connect(self.serving.address).expect("connect");
        stream.write_all(bytes.as_bytes()).expect("room");
        stream.set_nonblocking(true).expect("a socket");
        TcpStream::from_std(stream).expect("a socket")
    }

    /// Sends a POST and leaves its answer to be read.
    fn post(&self, headers: &str, body: &Value) -> TcpStream {
        let body = body.to_string();
        let head = head(body.len(), &format!("Connection: close\r\n{headers}"));
        self.send(&(head + &body))
    }

    /// Sends a POST with a call that does not answer soon, and waits until it runs.
    async fn begin(&self, headers: &str, body: &Value) -> TcpStream {
        let stream = self.post(headers, body);
        within(take(&self.calls.started)).await;
        stream
    }

    async fn is_alive(&self) -> bool {
        let answer = answer(self.post("", &call("echo", &json!({}), &json!({})))).await;
        answer.starts_with("HTTP/1.1 200")
    }
}

fn head(length: usize, headers: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n{headers}\r\n"
    )
}

/// Only a hang takes so long.
async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), work).await.expect("it comes")
}

async fn answer(mut stream: TcpStream) -> String {
    let mut text = String::new();
    within(stream.read_to_string(&mut text)).await.expect("an answer");
    text
}

const MODERN: &str = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wait\r\n";

fn call(tool: &str, arguments: &Value, meta: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

fn modern_wait() -> Value {
    call(
        "wait",
        &json!({}),
        &json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }),
    )
}

#[tokio::test]
async fn a_prompt_call_answers_in_json() {
    let server = Server::start().await;
    let text = answer(server.post("", &call("echo", &json!({ "a": 1 }), &json!({})))).await;
    assert!(text.contains("application/json") && text.contains(r#"{\"a\":1}"#), "{text}");
}

#[tokio::test]
async fn a_slow_call_with_a_progress_token_streams_before_it_is_over() {
    let server = Server::start().await;
    let slow = call("hold", &json!({}), &json!({ "progressToken": "p" }));
    let mut stream = server.begin("", &slow).await;
    let mut text = String::new();
    while !text.contains("notifications/progress") {
        let mut piece = [0; 1024];
        let got = within(stream.read(&mut piece)).await.expect("readable");
        assert!(got > 0, "{text}");
        text += std::str::from_utf8(&piece[..got]).expect("text");
    }
    assert!(text.contains("text/event-stream"), "{text}");
    server.calls.released.add_permits(1);
    assert!(answer(stream).await.contains("held"));
}

#[tokio::test]
async fn closing_the_connection_cancels_in_the_sessionless_revision() {
    let server = Server::start().await;
    let stream = server.begin(MODERN, &modern_wait()).await;
    assert_eq!(server.calls.cancelled.available_permits(), 0);
    drop(stream);
    within(take(&server.calls.cancelled)).await;
}

#[tokio::test]
async fn a_lost_connection_does_not_cancel_in_older_revisions() {
    let server = Server::start().await;
    let older = "MCP-Protocol-Version: 2025-11-25\r\n";
    let mut stream = server.begin(older, &call("wait", &json!({}), &json!({}))).await;
    stream.shutdown().await.expect("open");
    assert_eq!(answer(stream).await, "", "the server has noticed");
    assert!(server.is_alive().await);
    assert_eq!(server.calls.cancelled.available_permits(), 0);
    server.ending.cancel();
    within(take(&server.calls.cancelled)).await;
}

#[tokio::test]
async fn a_cancellation_reaches_only_the_call_of_the_client_that_sent_it() {
    let server = Server::start().await;
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let (alice, bob) = ("Mcp-Session-Id: alice\r\n", "Mcp-Session-Id: bob\r\n");
    let waiting = server.begin(alice, &call("wait", &json!({}), &json!({}))).await;
    for other in [bob, ""] {
        assert!(answer(server.post(other, &cancel)).await.starts_with("HTTP/1.1 202"));
    }
    assert!(server.is_alive().await);
    assert_eq!(server.calls.cancelled.available_permits(), 0);
    answer(server.post(alice, &cancel)).await;
    within(take(&server.calls.cancelled)).await;
    assert!(answer(waiting).await.contains("cancelled"));
}

#[tokio::test]
async fn a_client_is_labelled_when_it_initializes() {
    let server = Server::start().await;
    let client = json!({ "name": "test", "version": "0" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let labels = [answer(server.post("", &hello)).await, answer(server.post("", &hello)).await].map(|text| {
        text.lines()
            .find_map(|line| line.strip_prefix("mcp-session-id: "))
            .map(str::to_owned)
            .expect("a label")
    });
    assert_ne!(labels[0], labels[1]);
}

#[tokio::test]
async fn the_servers_end_delivers_the_replies_of_cancelled_calls() {
    let server = Server::start().await;
    let waiting = server.begin("", &call("wait", &json!({}), &json!({}))).await;
    server.ending.cancel();
    assert!(answer(waiting).await.contains("cancelled"));
    within(server.serving.finished()).await;
}

/// So short that a test can wait for it to pass.
const SHORT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn a_connection_without_a_whole_request_is_closed() {
    let server = Server::within(Limits { headers: SHORT, ..Limits::default() }).await;
    for beginning in ["", "POST /mcp HTTP/1.1\r\nHost: loc"] {
        let told = answer(server.send(beginning)).await;
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 408"), "{beginning}: {told}");
    }
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    let told = answer(server.send(&(head(ping.len(), "") + &ping))).await;
    assert!(told.starts_with("HTTP/1.1 200") && told.contains("\"id\":1"), "answered, then closed: {told}");
    assert!(server.is_alive().await);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_refused() {
    let server = Server::within(Limits { body: SHORT, ..Limits::default() }).await;
    let told = answer(server.send(&(head(100, "Connection: close\r\n") + "{\"js"))).await;
    assert!(told.starts_with("HTTP/1.1 408") && told.contains("took longer than 0.05 s"), "{told}");
    assert!(server.is_alive().await);
}

#[tokio::test]
async fn bodies_beyond_the_room_for_all_of_them_are_refused_until_there_is_room_again() {
    let server = Server::within(Limits { bodies: 1000, ..Limits::default() }).await;
    let held = call("hold", &json!({ "padding": "x".repeat(700) }), &json!({}));
    let holding = server.begin("", &held).await;
    let told = answer(server.post("", &held)).await;
    assert!(told.starts_with("HTTP/1.1 503") && told.contains("-32000"), "{told}");
    assert!(server.is_alive().await, "there is room for something smaller");
    server.calls.released.add_permits(2);
    assert!(answer(holding).await.contains("held"));
    assert!(answer(server.post("", &held)).await.contains("held"));
}

#[tokio::test]
async fn a_client_beyond_the_most_connections_waits_for_its_turn() {
    let server = Server::within(Limits { connections: 1, ..Limits::default() }).await;
    let holding = server.begin("", &call("hold", &json!({}), &json!({}))).await;
    let waiting = server.post("", &call("echo", &json!({}), &json!({})));
    server.calls.released.add_permits(1);
    assert!(answer(holding).await.contains("held"));
    assert!(answer(waiting).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_batch_is_answered_by_one_array() {
    let server = Server::start().await;
    let ping = json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let reporting = call("sleep", &json!({ "ms": 1100 }), &json!({ "progressToken": "p" }));
    for headers in ["", "MCP-Protocol-Version: 2025-03-26\r\n"] {
        let told = answer(server.post(headers, &json!([ping, note, 5, reporting]))).await;
        let body = told.split("\r\n\r\n").nth(1).expect("a body");
        let answers: Vec<Value> = serde_json::from_str(body).expect("an array");
        let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
        assert_eq!(ids, [&json!("p"), &Value::Null, &json!(1)], "{body}");
        assert_eq!(answers[1]["error"]["code"], -32600);
        assert_eq!(answers[2]["result"]["content"][0]["text"], "slept");
    }
    assert!(answer(server.post("", &json!([note]))).await.starts_with("HTTP/1.1 202"));
    for (headers, batch) in [("", json!([])), ("MCP-Protocol-Version: 2025-06-18\r\n", json!([ping]))] {
        let told = answer(server.post(headers, &batch)).await;
        assert!(told.starts_with("HTTP/1.1 400") && told.contains("-32600"), "{told}");
    }
}

#[tokio::test]
async fn calls_beyond_the_rate_are_refused_with_the_time_to_wait_and_other_messages_are_not() {
    let server = Server::within(Limits { calls_a_minute: 2, ..Limits::default() }).await;
    let echo = call("echo", &json!({}), &json!({}));
    for _ in 0..2 {
        assert!(answer(server.post("", &echo)).await.starts_with("HTTP/1.1 200"));
    }
    // Spelled so that only who reads JSON knows it.
    let escaped = echo.to_string().replace("tools/call", "tools\\/call");
    let head = head(escaped.len(), "Connection: close\r\n");
    for told in [answer(server.post("", &echo)).await, answer(server.send(&(head + &escaped))).await] {
        assert!(told.starts_with("HTTP/1.1 429") && told.contains("retry-after: "), "{told}");
        let body: Value = serde_json::from_str(told.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON");
        assert_eq!((&body["id"], &body["error"]["data"]["errorCode"]), (&json!(1), &json!("RATE_LIMITED")));
        assert!(body["error"]["data"]["retryAfter"].as_u64() > Some(0), "{body}");
    }
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    assert!(answer(server.post("", &ping)).await.starts_with("HTTP/1.1 200"));
    let batch = json!([ping, echo]);
    let told = answer(server.post("", &batch)).await;
    assert!(
        told.starts_with("HTTP/1.1 200") && told.contains("RATE_LIMITED"),
        "a batch is no way around: {told}"
    );
}

#[tokio::test]
async fn calls_beyond_those_that_may_go_on_are_refused_though_the_client_of_one_is_gone() {
    let server = Server::within(Limits { calls_per_client: 1, ..Limits::default() }).await;
    let hold = call("hold", &json!({}), &json!({}));
    drop(server.begin("", &hold).await);
    let told = answer(server.post("", &hold)).await;
    assert!(told.starts_with("HTTP/1.1 429") && told.contains("TOO_MANY_CALLS"), "{told}");
    server.calls.released.add_permits(2);
    within(async { while !answer(server.post("", &hold)).await.contains("held") {} }).await;
}

#[tokio::test]
async fn a_server_that_drains_finishes_its_calls_and_takes_no_more() {
    let server = Server::start().await;
    let holding = server.begin("", &call("hold", &json!({}), &json!({}))).await;
    let (refused, ()) = tokio::join!(
        async {
            let echo = call("echo", &json!({}), &json!({}));
            let told = within(async {
                loop {
                    let told = answer(server.post("", &echo)).await;
                    if told.starts_with("HTTP/1.1 503") {
                        return told;
                    }
                }
            })
            .await;
            let ready = answer(
                server.send("GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
            );
            assert!(ready.await.starts_with("HTTP/1.1 503"));
            server.calls.released.add_permits(1);
            told
        },
        within(server.serving.drained()),
    );
    assert!(refused.contains("SERVER_ENDING") && refused.contains("retry-after: 5"), "{refused}");
    assert!(answer(holding).await.contains("held"));
}

#[tokio::test(start_paused = true)]
async fn calls_that_do_not_end_hold_up_no_drain() {
    let server = Server::within(Limits { drain: Duration::from_secs(10), ..Limits::default() }).await;
    let _holding = server.begin("", &call("hold", &json!({}), &json!({}))).await;
    let began = tokio::time::Instant::now();
    server.serving.drained().await;
    assert!(began.elapsed() >= Duration::from_secs(10));
}

#[tokio::test]
async fn a_body_beyond_its_limit_is_refused() {
    let server = Server::within(Limits { body_size: 2000, ..Limits::default() }).await;
    let told = answer(server.post("", &call("echo", &json!({ "a": "x".repeat(3000) }), &json!({})))).await;
    assert!(told.starts_with("HTTP/1.1 413") && told.contains("2000 bytes"), "{told}");
}
