//! One HTTP connection, kept between requests for as long as both sides like.
//!
//! It sends what it is told to: a foreign `Host`, half a request, bytes that are no HTTP.

use std::io::{BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::HttpReply;
use super::reply::{Body, Head};

/// A connection to a server. Dropping it closes it, as a client does that goes away.
#[derive(Debug)]
pub struct HttpConnection {
    pub(super) reader: BufReader<TcpStream>,
    limit: Duration,
}

impl HttpConnection {
    /// Connects. Nothing that is done on the connection may take longer than `limit`.
    ///
    /// # Errors
    /// When nobody listens there.
    pub fn open(address: SocketAddr, limit: Duration) -> anyhow::Result<Self> {
        let socket = TcpStream::connect_timeout(&address, limit)?;
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(limit))?;
        socket.set_write_timeout(Some(limit))?;
        Ok(Self { reader: BufReader::new(socket), limit })
    }

    /// Posts JSON, or what pretends to be, and reads the whole answer. The headers that MCP asks for in every revision
    /// are added unless given.
    ///
    /// # Errors
    /// When the connection fails or is closed, or no whole answer comes within the limit.
    pub fn post(&mut self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> anyhow::Result<HttpReply> {
        let mut all =
            vec![("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
        all.retain(|(name, _)| !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)));
        all.extend_from_slice(headers);
        self.ask("POST", path, &all, body)
    }

    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// When the connection fails or is closed, or no whole answer comes within the limit.
    pub fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> anyhow::Result<HttpReply> {
        self.send(method, path, headers, body)?;
        self.reply()?.context("the server closed the connection instead of answering")
    }

    /// Sends any method, path, headers and body. `Host` and `Content-Length` are added unless given.
    ///
    /// # Errors
    /// When the connection is closed or the server does not read.
    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> anyhow::Result<()> {
        let given = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if !given("host") {
            head += &format!("Host: {}\r\n", self.reader.get_ref().peer_addr()?);
        }
        if !given("content-length") && !given("transfer-encoding") {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let mut request = (head + "\r\n").into_bytes();
        request.extend_from_slice(body);
        self.send_raw(&request)
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// When the connection is closed or the server does not read.
    pub fn send_raw(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        Ok(self.reader.get_mut().write_all(bytes)?)
    }

    /// Says that nothing more will be sent; answers can still be read.
    ///
    /// # Errors
    /// When the connection is already closed.
    pub fn close_write(&self) -> anyhow::Result<()> {
        Ok(self.reader.get_ref().shutdown(Shutdown::Write)?)
    }

    /// Reads the next answer; `None` when the server closed the connection instead.
    ///
    /// # Errors
    /// When neither comes within the limit, or it is no HTTP.
    pub fn reply(&mut self) -> anyhow::Result<Option<HttpReply>> {
        let deadline = self.deadline();
        let Some(head) = Head::read(&mut self.reader)? else { return Ok(None) };
        let mut body = Body::of(&head);
        let mut bytes = Vec::new();
        while body.more(&mut self.reader, deadline, &mut bytes)? {}
        Ok(Some(HttpReply { status: head.status, headers: head.headers, body: bytes }))
    }

    /// When something that begins now must be over.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.limit
    }
}
