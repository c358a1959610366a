//! An HTTP answer, whole or still coming.
//!
//! It understands as much HTTP as our server speaks: content lengths, chunks, and event streams.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use super::HttpConnection;

/// A whole answer.
#[derive(Debug, Clone)]
pub struct HttpReply {
    /// The status code.
    pub status: u16,
    /// The headers, their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, its chunks put together.
    pub body: Vec<u8>,
}

/// An answer that is still coming. Dropping it closes the connection, as a client does that goes away.
#[derive(Debug)]
pub struct HttpStream {
    connection: HttpConnection,
    /// The status code.
    pub status: u16,
    /// The headers, their names in lower case.
    pub headers: Vec<(String, String)>,
    body: Body,
    deadline: Instant,
    text: Vec<u8>,
}

impl HttpReply {
    /// A header's value; the name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        value(&self.headers, name)
    }

    /// The body read as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The JSON-RPC messages in the body: one, when it is JSON, or one for each event of a stream.
    pub fn messages(&self) -> Vec<Value> {
        let text = String::from_utf8_lossy(&self.body);
        if !self.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return serde_json::from_str(&text).into_iter().collect();
        }
        text.replace("\r\n", "\n").split("\n\n").filter_map(event).collect()
    }
}

impl HttpStream {
    /// Reads the answer's head.
    pub(super) fn begin(mut connection: HttpConnection) -> anyhow::Result<Self> {
        let deadline = connection.deadline();
        let head = Head::read(&mut connection.reader)?.context("the connection was closed")?;
        let body = Body::of(&head);
        let Head { status, headers } = head;
        Ok(Self { connection, status, headers, body, deadline, text: Vec::new() })
    }

    /// Reads to the end.
    ///
    /// # Errors
    /// When the connection breaks or the limit passes first.
    pub fn finish(mut self) -> anyhow::Result<HttpReply> {
        while self.more()? {}
        Ok(HttpReply { status: self.status, headers: self.headers, body: self.text })
    }

    /// The next message of an event stream; `None` at its end.
    ///
    /// # Errors
    /// When the connection breaks or the limit passes first.
    pub fn next_message(&mut self) -> anyhow::Result<Option<Value>> {
        loop {
            let text = String::from_utf8_lossy(&self.text).replace("\r\n", "\n");
            if let Some((first, rest)) = text.split_once("\n\n") {
                let message = event(first);
                self.text = rest.as_bytes().to_vec();
                if message.is_some() {
                    return Ok(message);
                }
            } else if !self.more()? {
                return Ok(None);
            }
        }
    }

    /// Closes the connection in the middle.
    pub fn abandon(self) {
        let _ = self.connection.reader.get_ref().shutdown(Shutdown::Both);
    }

    fn more(&mut self) -> anyhow::Result<bool> {
        self.body.more(&mut self.connection.reader, self.deadline, &mut self.text)
    }
}

/// Status line and headers.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
}

impl Head {
    /// Reads them; `None` when the connection is closed instead.
    pub(super) fn read(reader: &mut impl BufRead) -> anyhow::Result<Option<Self>> {
        let Some(status_line) = line(reader)? else { return Ok(None) };
        let status = status_line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.with_context(|| format!("this is no status line: {status_line:?}"))?;
        let mut headers = Vec::new();
        loop {
            let line = line(reader)?.context("the connection was closed in the middle of the headers")?;
            if line.is_empty() {
                return Ok(Some(Self { status, headers }));
            }
            if let Some((name, value)) = line.split_once(':') {
                headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
    }
}

/// How a body is told from what follows it.
#[derive(Debug)]
pub(super) enum Body {
    Chunked,
    /// So many bytes are still to come.
    Counted(usize),
    /// To the end of the connection.
    Open,
}

impl Body {
    pub(super) fn of(head: &Head) -> Self {
        let chunked = value(&head.headers, "transfer-encoding");
        if chunked.is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            return Self::Chunked;
        }
        let length = value(&head.headers, "content-length").and_then(|length| length.parse().ok());
        match length {
            Some(length) => Self::Counted(length),
            // RFC 9112, section 6.3.
            None if matches!(head.status, 204 | 304) => Self::Counted(0),
            None => Self::Open,
        }
    }

    /// Adds the next piece to `text`; false at the end.
    pub(super) fn more(
        &mut self,
        reader: &mut BufReader<TcpStream>,
        deadline: Instant,
        text: &mut Vec<u8>,
    ) -> anyhow::Result<bool> {
        let remaining = deadline.saturating_duration_since(Instant::now());
        ensure!(!remaining.is_zero(), "the answer did not end in time");
        reader.get_ref().set_read_timeout(Some(remaining))?;
        let wanted = match self {
            Self::Chunked => return more_chunk(reader, text),
            Self::Counted(0) => return Ok(false),
            Self::Counted(left) => (*left).min(PIECE),
            Self::Open => PIECE,
        };
        let mut piece = vec![0; wanted];
        let got = reader.read(&mut piece)?;
        text.extend_from_slice(&piece[..got]);
        if let Self::Counted(left) = self {
            ensure!(got > 0, "the connection closed in the middle of the body");
            *left -= got;
        }
        Ok(got > 0)
    }
}

/// Bodies are read in pieces of at most this size.
const PIECE: usize = 64 * 1024;

fn more_chunk(reader: &mut impl BufRead, text: &mut Vec<u8>) -> anyhow::Result<bool> {
    let broken = "the connection closed in the middle of the body";
    let head = line(reader)?.context(broken)?;
    let size = head.split(';').next().unwrap_or_default();
    let size = usize::from_str_radix(size, 16).with_context(|| format!("no chunk size: {head:?}"))?;
    let mut chunk = vec![0; size];
    reader.read_exact(&mut chunk)?;
    text.extend_from_slice(&chunk);
    let end = line(reader)?.context(broken)?;
    if !end.is_empty() {
        bail!("a chunk ends with {end:?}");
    }
    Ok(size > 0)
}

/// One line without its end; `None` when the connection is closed, in good order or not.
fn line(reader: &mut impl BufRead) -> anyhow::Result<Option<String>> {
    let mut line = Vec::new();
    match reader.read_until(b'\n', &mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned())),
        Err(error) if error.kind() == ErrorKind::ConnectionReset => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn value<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The message in an event's data lines; comments and empty events have none.
fn event(text: &str) -> Option<Value> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let data: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    serde_json::from_str(&data.join("\n")).ok()
}
