//! `/health`: whether the server lives, since when, and how much memory it holds; `/health/live` for whoever restarts
//! it, `/health/ready` for whoever sends it calls.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

use super::admission::Admission;
use super::authorize::Gate;
use crate::mcp::Handler;

/// What health is told from.
#[derive(Clone)]
pub(super) struct Health {
    pub(super) began: Instant,
    pub(super) handler: Handler,
    pub(super) admission: Arc<Admission>,
    pub(super) gate: Option<Arc<Gate>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    status: &'static str,
    /// In seconds.
    uptime: u64,
    active_sessions: usize,
    memory: Memory,
}

#[derive(Debug, Serialize)]
struct Readiness {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// In bytes; null where the system doesn't tell.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Memory {
    rss: Option<u64>,
    peak: Option<u64>,
}

/// Answers `GET /health`.
pub(super) async fn get(State(health): State<Health>) -> Response {
    let uptime = health.began.elapsed().as_secs();
    let memory = tokio::fs::read_to_string("/proc/self/status")
        .await
        .map(|status| memory(&status))
        .unwrap_or_default();
    let status = if health.admission.is_draining() { "draining" } else { "ok" };
    Json(Report { status, uptime, active_sessions: health.handler.sessions(), memory }).into_response()
}

/// Answers `GET /health/live`: that it is answered is the answer.
pub(super) async fn live() -> Response {
    Json(Readiness { status: "ok", reason: None }).into_response()
}

/// Answers `GET /health/ready`: whether calls should come here.
pub(super) async fn ready(State(health): State<Health>) -> Response {
    let reason = match &health.gate {
        _ if health.admission.is_draining() => Some("the server is ending"),
        Some(gate) if !gate.is_ready().await => Some("the issuer's keys can't be had; the log says why"),
        _ => None,
    };
    match reason {
        None => Json(Readiness { status: "ready", reason }).into_response(),
        Some(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, Json(Readiness { status: "not_ready", reason })).into_response()
        }
    }
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
