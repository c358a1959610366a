//! `/health`: whether the server lives, since when, and how much memory it holds.

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::mcp::Handler;

/// What health is told from.
#[derive(Clone)]
pub(super) struct Health {
    began: Instant,
    handler: Handler,
}

impl Health {
    pub(super) fn new(handler: Handler) -> Self {
        Self { began: Instant::now(), handler }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    status: &'static str,
    /// In seconds.
    uptime: u64,
    active_sessions: usize,
    memory: Memory,
}

/// In bytes; null where the system doesn't tell.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Memory {
    rss: Option<u64>,
    peak: Option<u64>,
}

/// Answers `GET /health`.
pub(super) async fn get(State(health): State<Health>) -> Json<Report> {
    let uptime = health.began.elapsed().as_secs();
    let memory = tokio::fs::read_to_string("/proc/self/status")
        .await
        .map(|status| memory(&status))
        .unwrap_or_default();
    Json(Report { status: "ok", uptime, active_sessions: health.handler.sessions(), memory })
}

/// proc_pid_status(5): `VmRSS:     5120 kB`.
fn memory(status: &str) -> Memory {
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok().map(|kilobytes: u64| kilobytes * 1024)
    };
    Memory { rss: field("VmRSS:"), peak: field("VmHWM:") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_bytes_or_not_at_all() {
        assert_eq!(
            memory("Name:\tx\nVmHWM:\t    6000 kB\nVmRSS:\t    5120 kB\n"),
            Memory { rss: Some(5_242_880), peak: Some(6_144_000) }
        );
        assert_eq!(memory(""), Memory::default());
    }
}
