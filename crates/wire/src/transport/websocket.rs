//! WebSocket (RFC 6455): a browser that runs elsewhere, or that was started by somebody else. One message is one text.
//!
//! Where the browser is, [`super::endpoint`] finds out. There is no TLS yet.

use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::{Error, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::endpoint::{ConnectError, Endpoint};
use super::prompt::Prompt;
use super::{Closed, Inbound, Outbound};

/// No message is larger: V8's longest string has half as many characters.
const LARGEST: usize = 1 << 30;

/// Messages from a browser.
#[derive(Debug)]
pub struct WebSocketInbound(SplitStream<WebSocketStream<Prompt>>);

/// Messages to a browser.
#[derive(Debug)]
pub struct WebSocketOutbound(SplitSink<WebSocketStream<Prompt>, Message>);

/// Finds the browser at `endpoint` and connects to it.
///
/// # Errors
/// [`ConnectError`] says what is in the way.
pub async fn connect(endpoint: &Endpoint) -> Result<(WebSocketInbound, WebSocketOutbound), ConnectError> {
    let endpoint = endpoint.resolve().await?;
    let refused = |error: Error| match error {
        Error::Http(response) => {
            let body = response.body().as_deref().unwrap_or_default();
            ConnectError::refused(endpoint.shown(), response.status().as_u16(), body)
        }
        error => ConnectError::Handshake { endpoint: endpoint.shown(), reason: error.to_string() },
    };
    let mut request = endpoint.url().as_str().into_client_request().map_err(refused)?;
    request.headers_mut().extend(endpoint.headers());
    let config = WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
    let stream = Prompt(endpoint.dial().await?);
    let (socket, _) =
        tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await.map_err(refused)?;
    let (outbound, inbound) = socket.split();
    Ok((WebSocketInbound(inbound), WebSocketOutbound(outbound)))
}

impl Inbound for WebSocketInbound {
    async fn receive(&mut self) -> Result<Bytes, Closed> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text.into()),
                Some(Ok(Message::Binary(bytes))) => return Ok(bytes),
                Some(Ok(Message::Close(Some(frame)))) => {
                    let (code, reason) = (frame.code.into(), frame.reason.to_string());
                    return Err(Closed::ByPeerSaying { code, reason });
                }
                // Pings are answered by the library, with the next message or read.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Close(None))) | None => return Err(Closed::ByPeer),
                Some(Err(error)) => return Err(closed(error)),
            }
        }
    }
}

impl Outbound for WebSocketOutbound {
    async fn send(&mut self, messages: Vec<Bytes>) -> Result<(), Closed> {
        for message in messages {
            let text =
                Utf8Bytes::try_from(message).map_err(|error| Closed::Unintelligible(error.to_string()))?;
            self.0.feed(Message::Text(text)).await.map_err(closed)?;
        }
        self.0.flush().await.map_err(closed)
    }
}

fn closed(error: Error) -> Closed {
    match error {
        Error::Io(error) => error.into(),
        Error::ConnectionClosed
        | Error::AlreadyClosed
        | Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => Closed::ByPeer,
        Error::Capacity(_) => Closed::TooLarge { limit: LARGEST },
        error => Closed::Unintelligible(error.to_string()),
    }
}
