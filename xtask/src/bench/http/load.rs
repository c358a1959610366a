//! Clients that call one after the other, each on a connection of its own, and how long each call took.

use std::net::SocketAddr;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use serde_json::json;
use testkit::mcp::{HttpConnection, Revision};

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
    let params = json!({ "name": tool, "arguments": {} });
    let body = Revision::V2025_11_25.message(Some(1), "tools/call", params).to_string();
    let together = Barrier::new(clients);
    let times = std::thread::scope(|scope| {
        let (body, together) = (body.as_bytes(), &together);
        // One after the other, as strangers call.
        let turn = |number: usize| pace.mul_f64(number as f64 / clients as f64);
        let one = |number| move || client(address, body, together, turn(number), time, pace);
        let threads: Vec<_> = (0..clients).map(|number| scope.spawn(one(number))).collect();
        let ended =
            threads.into_iter().map(|thread| thread.join().map_err(|_| anyhow!("a client panicked"))?);
        ended.collect::<anyhow::Result<Vec<Vec<f64>>>>()
    })?;
    let mut times: Vec<f64> = times.into_iter().flatten().collect();
    times.sort_by(f64::total_cmp);
    Ok(Load { rate: times.len() as f64 / time.as_secs_f64(), times })
}

fn client(
    address: SocketAddr,
    body: &[u8],
    together: &Barrier,
    turn: Duration,
    time: Duration,
    pace: Duration,
) -> anyhow::Result<Vec<f64>> {
    let connection = HttpConnection::open(address, LIMIT);
    together.wait();
    let mut connection = connection?;
    std::thread::sleep(turn);
    let began = Instant::now();
    let mut times = Vec::new();
    while began.elapsed() < time {
        let call = Instant::now();
        let answer = connection.post("/mcp", &[], body)?;
        times.push(call.elapsed().as_secs_f64() * 1000.0);
        let text = String::from_utf8_lossy(&answer.body);
        ensure!(answer.status == 200 && text.contains("\"content\""), "{}: {text}", answer.status);
        std::thread::sleep(pace.saturating_sub(call.elapsed()));
    }
    times.pop().context("no call was answered")?;
    Ok(times)
}
