//! A WebSocket that echoes.

use futures_util::{SinkExt, StreamExt};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::connection::Socket;
use super::{Request, Response};

/// What makes the server close.
const CLOSE: &str = "close";

/// Shakes hands (RFC 6455, section 4.2.2) and echoes until the client closes or asks for it.
pub(super) async fn echo(mut socket: Socket, request: &Request) -> std::io::Result<()> {
    let Some(key) = request.header("sec-websocket-key") else {
        let response = Response::status(426).header("Upgrade", "websocket");
        return socket.write_all(response.head(false).as_bytes()).await;
    };
    socket.write_all(handshake(key, request).as_bytes()).await?;
    let mut messages = WebSocketStream::from_raw_socket(socket, Role::Server, None).await;
    while let Some(Ok(message)) = messages.next().await {
        let sent = match message {
            Message::Text(text) if text == CLOSE => messages.close(None).await,
            Message::Text(_) | Message::Binary(_) => messages.send(message).await,
            // Pings and closes are answered by the library.
            _ => Ok(()),
        };
        if sent.is_err() {
            break;
        }
    }
    Ok(())
}

/// The answer that turns the connection over. Of the protocols that a client offers it gets the first; without one
/// it would give up.
fn handshake(key: &str, request: &Request) -> String {
    let mut head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {}\r\n",
        derive_accept_key(key.as_bytes())
    );
    if let Some(offered) = request.header("sec-websocket-protocol") {
        head +=
            &format!("Sec-WebSocket-Protocol: {}\r\n", offered.split(',').next().unwrap_or_default().trim());
    }
    head + "\r\n"
}
