//! An HTTP answer, whole or still coming.
//!
//! It understands as much HTTP as our server speaks: content lengths, chunks, and event streams.

use std::io::{BufRead, BufReader, Read};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

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
    reader: BufReader<TcpStream>,
    /// The status code.
    pub status: u16,
    /// The headers, their names in lower case.
    pub headers: Vec<(String, String)>,
    chunked: bool,
    left: Option<usize>,
    limit: Instant,
    text: Vec<u8>,
}

impl HttpReply {
    /// A header's value; the name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
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
    /// Reads status line and headers.
    pub(super) fn read_head(socket: TcpStream, limit: Instant) -> anyhow::Result<Self> {
        let mut reader = BufReader::new(socket);
        let status_line = read_line(&mut reader).context("no status line came")?;
        let status = status_line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.with_context(|| format!("this is no status line: {status_line:?}"))?;
        let mut headers = Vec::new();
        loop {
            let line = read_line(&mut reader)?;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':') {
                headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        let value =
            |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let chunked = value("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"));
        let left = value("content-length").and_then(|length| length.parse().ok());
        Ok(Self { reader, status, headers, chunked, left, limit, text: Vec::new() })
    }

    /// Reads to the end.
    ///
    /// # Errors
    /// When the connection breaks or the limit passes first.
    pub fn finish(mut self) -> anyhow::Result<HttpReply> {
        while self.more()? {}
        Ok(HttpReply {
            status: self.status,
            headers: self.headers.clone(),
            body: std::mem::take(&mut self.text),
        })
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
        let _ = self.reader.get_ref().shutdown(Shutdown::Both);
    }

    /// Reads the next piece of the body; false at its end.
    fn more(&mut self) -> anyhow::Result<bool> {
        let remaining = self.limit.saturating_duration_since(Instant::now());
        ensure!(!remaining.is_zero(), "the answer did not end in time");
        self.reader.get_ref().set_read_timeout(Some(remaining))?;
        if self.chunked {
            return self.more_chunk();
        }
        let wanted = self.left.unwrap_or(usize::MAX).min(64 * 1024);
        if wanted == 0 {
            return Ok(false);
        }
        let mut piece = vec![0; wanted];
        let got = self.reader.read(&mut piece)?;
        if got == 0 {
            ensure!(self.left.is_none(), "the connection closed in the middle of the body");
            return Ok(false);
        }
        self.left = self.left.map(|left| left - got);
        self.text.extend_from_slice(&piece[..got]);
        Ok(true)
    }

    fn more_chunk(&mut self) -> anyhow::Result<bool> {
        let line = read_line(&mut self.reader)?;
        let size = line.split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(size, 16).with_context(|| format!("no chunk size: {line:?}"))?;
        let mut chunk = vec![0; size];
        self.reader.read_exact(&mut chunk)?;
        self.text.extend_from_slice(&chunk);
        let end = read_line(&mut self.reader)?;
        if !end.is_empty() {
            bail!("a chunk ends with {end:?}");
        }
        Ok(size > 0)
    }
}

/// One line without its end.
fn read_line(reader: &mut impl BufRead) -> anyhow::Result<String> {
    let mut line = Vec::new();
    let got = reader.read_until(b'\n', &mut line)?;
    ensure!(got > 0, "the connection was closed");
    Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
}

/// The message in an event's data lines; comments and empty events have none.
fn event(text: &str) -> Option<Value> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let data: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    serde_json::from_str(&data.join("\n")).ok()
}
