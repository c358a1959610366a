//! An MCP client over HTTP, on bare sockets: one request a connection, HTTP/1.1, no TLS.
//!
//! What no client would send goes over an [`HttpConnection`].

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::answer::answer;
use super::{Answer, HttpConnection, HttpReply, HttpStream, Revision, ToolResult};

/// How long a request may take when the test names no limit of its own.
const USUAL: Duration = Duration::from_secs(30);

/// A client of one server address, path and revision.
#[derive(Debug, Clone)]
pub struct HttpClient {
    address: SocketAddr,
    path: String,
    revision: Revision,
    last_id: u64,
}

impl HttpClient {
    /// A client for the server at `address`; nothing is sent yet.
    pub fn new(address: SocketAddr, path: &str, revision: Revision) -> Self {
        Self { address, path: path.to_owned(), revision, last_id: 0 }
    }

    /// Agrees on a revision where it has a handshake, asks `server/discover` where it has none.
    ///
    /// # Errors
    /// When the server does not answer, or with an error.
    pub fn initialize(&mut self) -> anyhow::Result<Value> {
        if !self.revision.has_handshake() {
            return Ok(self.request("server/discover", json!({}), USUAL)??);
        }
        let agreed = self.request("initialize", self.revision.initialize_params(), USUAL)??;
        let initialized = self.revision.message(None, "notifications/initialized", Value::Null);
        let reply = self.post(&initialized, USUAL)?;
        ensure!(reply.status == 202, "notifications/initialized was answered with {}", reply.status);
        Ok(agreed)
    }

    /// Sends a request and waits for its answer; notifications on the way are skipped.
    ///
    /// # Errors
    /// When no answer comes within the limit.
    pub fn request(&mut self, method: &str, params: Value, limit: Duration) -> anyhow::Result<Answer> {
        let message = self.message(method, params);
        let reply = self.post(&message, limit)?;
        let response = reply.messages().into_iter().find(|one| one["id"] == message["id"]);
        let response = response.with_context(|| {
            format!("no answer in the reply {}: {}", reply.status, String::from_utf8_lossy(&reply.body))
        })?;
        Ok(answer(&response))
    }

    /// Calls a tool and waits for its result, no longer than `limit`.
    ///
    /// # Errors
    /// When no result comes in time, or the answer is a protocol error.
    pub fn call_tool(
        &mut self,
        name: &str,
        arguments: &Value,
        limit: Duration,
    ) -> anyhow::Result<ToolResult> {
        let params = json!({ "name": name, "arguments": arguments });
        Ok(ToolResult(self.request("tools/call", params, limit)??))
    }

    /// A request of this client's revision with the next id, for [`post`](Self::post) and [`open`](Self::open).
    pub fn message(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        self.revision.message(Some(self.last_id), method, params)
    }

    /// Posts a message with the headers that its revision wants, and reads the whole answer.
    ///
    /// # Errors
    /// When the connection fails or the answer does not end within the limit.
    pub fn post(&self, message: &Value, limit: Duration) -> anyhow::Result<HttpReply> {
        self.open(message, limit)?.finish()
    }

    /// Posts a message and returns as soon as the answer's head is there.
    ///
    /// # Errors
    /// When the connection fails or no head comes within the limit.
    pub fn open(&self, message: &Value, limit: Duration) -> anyhow::Result<HttpStream> {
        let headers = self.revision.headers(message);
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.send("POST", &self.path, &headers, message.to_string().as_bytes(), limit)
    }

    /// Sends any method, path, headers and body on a connection of its own.
    ///
    /// # Errors
    /// When the connection fails or no head comes within the limit.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
        limit: Duration,
    ) -> anyhow::Result<HttpStream> {
        let mut connection = self.connect(limit)?;
        let mut all = vec![("Connection", "close")];
        all.extend_from_slice(headers);
        // A server may answer (413, 400) and close before it has read everything; the answer is what counts.
        let _ = connection.send(method, path, &all, body);
        HttpStream::begin(connection)
    }

    /// A connection to the same server on which anything can be sent.
    ///
    /// # Errors
    /// When nobody listens there.
    pub fn connect(&self, limit: Duration) -> anyhow::Result<HttpConnection> {
        HttpConnection::open(self.address, limit)
    }
}
