//! Clients that call one after the other, each on a connection of its own, and how long each call took.
//!
//! One thread is all of them and asks for no more of an answer than where it ends: what the clients cost, the servers
//! that are measured lack, on the same cores.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::json;
use testkit::mcp::Revision;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const LIMIT: Duration = Duration::from_secs(30);

/// What came of it.
pub(super) struct Load {
    /// Calls a second.
    pub(super) rate: f64,
    /// Of each call, in milliseconds, sorted.
    pub(super) times: Vec<f64>,
}

/// Calls `tool` from `clients` connections for so long: each as often as it can, or one call every so often.
pub(super) fn run(
    address: SocketAddr,
    tool: &str,
    clients: usize,
    time: Duration,
    pace: Duration,
) -> anyhow::Result<Load> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut times = runtime.block_on(async {
        let mut connections = Vec::new();
        for _ in 0..clients {
            connections.push(Connection::open(address, tool).await?);
        }
        let mut calling = JoinSet::new();
        for (number, connection) in connections.into_iter().enumerate() {
            // One after the other, as strangers call.
            let turn = pace.mul_f64(number as f64 / clients as f64);
            let client = connection.call(turn, time, pace);
            calling.spawn(tokio::time::timeout(time + LIMIT, client));
        }
        let mut times = Vec::new();
        while let Some(ended) = calling.join_next().await {
            times.extend(ended?.context("a call was not answered")??);
        }
        anyhow::Ok(times)
    })?;
    times.sort_by(f64::total_cmp);
    Ok(Load { rate: times.len() as f64 / time.as_secs_f64(), times })
}

/// A client's connection, which its server keeps.
struct Connection {
    socket: TcpStream,
    request: Vec<u8>,
    /// What came of the answer.
    answer: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr, tool: &str) -> anyhow::Result<Self> {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        let params = json!({ "name": tool, "arguments": {} });
        let body = Revision::V2025_11_25.message(Some(1), "tools/call", params).to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
            body.len(),
        );
        Ok(Self { socket, request: request.into_bytes(), answer: Vec::with_capacity(4096) })
    }

    /// How long each call took; the last is left out, which may have been one of few.
    async fn call(mut self, turn: Duration, time: Duration, pace: Duration) -> anyhow::Result<Vec<f64>> {
        let began = Instant::now();
        let mut next = began + turn;
        let mut times = Vec::new();
        while began.elapsed() < time {
            if !pace.is_zero() {
                tokio::time::sleep_until(next.into()).await;
                next += pace;
            }
            let call = Instant::now();
            self.socket.write_all(&self.request).await?;
            self.read().await?;
            times.push(call.elapsed().as_secs_f64() * 1000.0);
        }
        times.pop().context("no call was answered")?;
        Ok(times)
    }

    /// Reads one answer to its end: that of a call that succeeded.
    async fn read(&mut self) -> anyhow::Result<()> {
        self.answer.clear();
        loop {
            ensure!(self.socket.read_buf(&mut self.answer).await? > 0, "the server closed the connection");
            let text = std::str::from_utf8(&self.answer)?;
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.with_context(|| format!("no length: {head}"))?.parse()?;
            if body.len() >= length {
                let done = head.starts_with("HTTP/1.1 200 ") && body.contains("\"content\"");
                ensure!(done, "{text}");
                return Ok(());
            }
        }
    }
}
