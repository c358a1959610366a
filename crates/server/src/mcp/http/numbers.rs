//! `/metrics`: what the server has counted, for Prometheus and its kin.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::metrics::{CONTENT_TYPE, Machine, Metrics};

/// Answers `GET /metrics`.
pub(super) async fn get(State(metrics): State<Metrics>) -> Response {
    // The system's part is read from files, one for each process.
    match tokio::task::spawn_blocking(move || metrics.text(Machine::now())).await {
        Ok(text) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
