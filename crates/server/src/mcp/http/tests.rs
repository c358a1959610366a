//! Calls over a real socket: what a lost connection, a cancellation and the server's end do to them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::listener::{Listener, Serving};
use crate::mcp::Handler;
use crate::mcp::stub::StubTools;

struct Server {
    serving: Serving,
    cancelled: Arc<Semaphore>,
    ending: CancellationToken,
}

impl Server {
    async fn start() -> Self {
        let tools = StubTools::new();
        let cancelled = Arc::clone(&tools.cancelled);
        let ending = CancellationToken::new();
        let listener = Listener::bind([127, 0, 0, 1].into(), 0).await.expect("a free port");
        let serving = listener.serve(Handler::new(Arc::new(tools), ending.clone()), &ending);
        Self { serving, cancelled, ending }
    }

    /// Sends a POST and leaves its answer to be read.
    async fn post(&self, headers: &str, body: &Value) -> TcpStream {
        let mut stream = TcpStream::connect(self.serving.address).await.expect("connect");
        let body = body.to_string();
        let length = body.len();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        stream.write_all((head + &body).as_bytes()).await.expect("the server reads");
        stream
    }

    async fn was_cancelled(&self, within: Duration) -> bool {
        tokio::time::timeout(within, self.cancelled.acquire()).await.is_ok()
    }
}

async fn answer(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("an answer");
    text
}

const MODERN: &str = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: wait\r\n";
const SOON: Duration = Duration::from_secs(5);

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
    let text = answer(server.post("", &call("echo", &json!({ "a": 1 }), &json!({}))).await).await;
    assert!(text.contains("application/json") && text.contains(r#"{\"a\":1}"#), "{text}");
}

#[tokio::test]
async fn a_slow_call_with_a_progress_token_streams_within_a_second_or_two() {
    let server = Server::start().await;
    let slow = call("sleep", &json!({ "ms": 1500 }), &json!({ "progressToken": "p" }));
    let text = answer(server.post("", &slow).await).await;
    assert!(text.contains("text/event-stream"), "{text}");
    let progress = text.find("notifications/progress").expect("progress");
    assert!(text.find("slept").expect("the result") > progress, "{text}");
}

#[tokio::test]
async fn closing_the_connection_cancels_in_the_sessionless_revision() {
    let server = Server::start().await;
    let stream = server.post(MODERN, &modern_wait()).await;
    assert!(!server.was_cancelled(Duration::from_millis(200)).await);
    drop(stream);
    assert!(server.was_cancelled(SOON).await);
}

#[tokio::test]
async fn a_lost_connection_does_not_cancel_in_older_revisions() {
    let server = Server::start().await;
    let stream =
        server.post("MCP-Protocol-Version: 2025-11-25\r\n", &call("wait", &json!({}), &json!({}))).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(stream);
    assert!(!server.was_cancelled(Duration::from_millis(500)).await);
    server.ending.cancel();
    assert!(server.was_cancelled(SOON).await, "the server's end does");
}

#[tokio::test]
async fn a_cancellation_reaches_only_the_call_of_the_client_that_sent_it() {
    let server = Server::start().await;
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let (alice, bob) = ("Mcp-Session-Id: alice\r\n", "Mcp-Session-Id: bob\r\n");
    let waiting = server.post(alice, &call("wait", &json!({}), &json!({}))).await;
    for other in [bob, ""] {
        assert!(answer(server.post(other, &cancel).await).await.starts_with("HTTP/1.1 202"));
    }
    assert!(!server.was_cancelled(Duration::from_millis(200)).await);
    answer(server.post(alice, &cancel).await).await;
    assert!(server.was_cancelled(SOON).await);
    assert!(answer(waiting).await.contains("cancelled"));
}

#[tokio::test]
async fn a_client_is_labelled_when_it_initializes() {
    let server = Server::start().await;
    let client = json!({ "name": "test", "version": "0" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let labels = [answer(server.post("", &hello).await).await, answer(server.post("", &hello).await).await]
        .map(|text| {
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
    let waiting = server.post("", &call("wait", &json!({}), &json!({}))).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.ending.cancel();
    assert!(answer(waiting).await.contains("cancelled"));
    tokio::time::timeout(SOON, server.serving.finished()).await.expect("every connection is closed");
}
