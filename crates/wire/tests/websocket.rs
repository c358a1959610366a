//! Browsers that run elsewhere: a fake one that says what a test needs, on a loopback port.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::result_large_err)]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use wire::Closed;
use wire::cdp::types::{browser, page};
use wire::cdp::{CallError, Connection};
use wire::transport::endpoint::{ConnectError, Endpoint, HeaderMap};
use wire::transport::websocket::connect;

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

/// Reads one HTTP request and answers it.
async fn answer_http(listener: &TcpListener, status: &str, body: &str) -> String {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut heard = Vec::new();
    while !heard.ends_with(b"\r\n\r\n") {
        heard.push(stream.read_u8().await.unwrap());
    }
    let length = body.len();
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(answer.as_bytes()).await.unwrap();
    String::from_utf8(heard).unwrap()
}

/// Accepts a WebSocket, and tells path and headers of the request.
async fn accept(listener: &TcpListener) -> (WebSocketStream<TcpStream>, String, HeaderMap) {
    let (stream, _) = listener.accept().await.unwrap();
    let mut asked = None;
    let note = |request: &Request, response: Response| {
        asked = Some((request.uri().to_string(), request.headers().clone()));
        Ok(response)
    };
    let socket = tokio_tungstenite::accept_hdr_async(stream, note).await.unwrap();
    let (path, headers) = asked.unwrap();
    (socket, path, headers)
}

async fn hear(socket: &mut WebSocketStream<TcpStream>) -> Value {
    loop {
        if let Message::Text(text) = socket.next().await.unwrap().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

fn endpoint(address: &str) -> Endpoint {
    let mut headers = HeaderMap::new();
    headers.insert("X-Token", "abc".parse().unwrap());
    Endpoint::parse(address, headers).unwrap()
}

#[tokio::test]
async fn an_http_address_is_asked_for_the_socket_and_keeps_its_host() {
    let (listener, address) = listen().await;
    let browser = tokio::spawn(async move {
        let body =
            json!({ "webSocketDebuggerUrl": "ws://elsewhere.invalid:1/devtools/browser/7?t=1" }).to_string();
        let lookup = answer_http(&listener, "200 OK", &body).await;
        let (socket, path, headers) = accept(&listener).await;
        (socket, lookup, path, headers)
    });
    let (inbound, outbound) = connect(&endpoint(&format!("http://{address}/base/"))).await.unwrap();
    let (mut socket, lookup, path, headers) = browser.await.unwrap();
    assert!(lookup.starts_with("GET /base/json/version HTTP/1.1\r\n"), "{lookup}");
    let lookup = lookup.to_lowercase();
    assert!(lookup.contains("x-token: abc") && lookup.contains(&format!("host: {address}")), "{lookup}");
    assert_eq!(path, "/devtools/browser/7?t=1");
    assert_eq!(headers["x-token"], "abc");

    let (connection, _events) = Connection::open(inbound, outbound);
    let call = connection.browser().send(&browser::Close::new());
    let heard = hear(&mut socket).await;
    assert_eq!(heard["method"], "Browser.close");
    socket.send(Message::Ping("are you there".into())).await.unwrap();
    socket.send(Message::Text(json!({ "id": heard["id"], "result": {} }).to_string().into())).await.unwrap();
    call.await.unwrap();
}

#[tokio::test]
async fn a_batch_arrives_in_order_and_a_big_answer_whole() {
    let (listener, address) = listen().await;
    let browser = tokio::spawn(async move { accept(&listener).await.0 });
    let (inbound, outbound) = connect(&endpoint(&format!("ws://{address}/devtools"))).await.unwrap();
    let mut socket = browser.await.unwrap();
    let (connection, _events) = Connection::open(inbound, outbound);
    let session = connection.browser();
    let mut batch = session.batch();
    let enabled = batch.add(&page::Enable::new());
    let shot = batch.add(&page::CaptureScreenshot::new());
    batch.send();
    let answers = tokio::spawn(async move {
        let (first, second) = (hear(&mut socket).await, hear(&mut socket).await);
        assert_eq!(
            (&first["method"], &second["method"]),
            (&"Page.enable".into(), &"Page.captureScreenshot".into())
        );
        let data = "AAAA".repeat(8 << 20);
        let shot = format!(r#"{{"id":{},"result":{{"data":"{data}"}}}}"#, second["id"]);
        socket.send(Message::Text(shot.into())).await.unwrap();
        socket
            .send(Message::Text(json!({ "id": first["id"], "result": {} }).to_string().into()))
            .await
            .unwrap();
        socket
    });
    assert_eq!(shot.await.unwrap().data.0.len(), 24 << 20);
    enabled.await.unwrap();
    answers.await.unwrap();
}

#[tokio::test]
async fn a_close_with_words_is_told_with_them_and_one_without_as_such() {
    for frame in [Some(CloseFrame { code: 1013.into(), reason: "too many sessions".into() }), None] {
        let (listener, address) = listen().await;
        let browser = tokio::spawn(async move { accept(&listener).await.0 });
        let (inbound, outbound) = connect(&endpoint(&format!("ws://{address}"))).await.unwrap();
        let (connection, _events) = Connection::open(inbound, outbound);
        let call = connection.browser().send(&browser::GetVersion::new());
        let mut socket = browser.await.unwrap();
        hear(&mut socket).await;
        match frame {
            Some(frame) => {
                socket.close(Some(frame)).await.unwrap();
                let error = call.await.unwrap_err().to_string();
                assert_eq!(error, "the browser closed the connection: too many sessions (code 1013)");
            }
            None => {
                drop(socket);
                assert!(matches!(call.await, Err(CallError::Closed { why: Closed::ByPeer })));
            }
        }
    }
}

#[tokio::test]
async fn whoever_is_no_browser_is_told_apart() {
    let (listener, address) = listen().await;
    let server = tokio::spawn(async move {
        answer_http(&listener, "403 Forbidden", "no token").await;
        answer_http(&listener, "200 OK", "<html>").await;
        answer_http(&listener, "404 Not Found", "nothing here").await;
    });
    let http = endpoint(&format!("http://{address}"));
    let error = connect(&http).await.unwrap_err();
    assert!(
        matches!(&error, ConnectError::Refused { status: 403, body, .. } if body == "no token"),
        "{error}"
    );
    let error = connect(&http).await.unwrap_err();
    assert!(matches!(error, ConnectError::Handshake { .. }), "{error}");
    let error = connect(&endpoint(&format!("ws://{address}"))).await.unwrap_err();
    assert!(matches!(error, ConnectError::Refused { status: 404, .. }), "{error}");
    server.await.unwrap();
    let error = connect(&http).await.unwrap_err();
    assert!(matches!(error, ConnectError::Unreachable { .. }), "{error}");
}
