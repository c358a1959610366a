//! A POST with a batch: each message is answered as if it had come alone, and all answers go back together.
//!
//! What a call reports while it runs is left out: the response to a batch is one array, and progress is never owed.

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::future::join_all;
use serde_json::Value;
use serde_json::value::RawValue;

use super::message::{Door, refuse};
use crate::mcp::batch;

/// The header that names the revision. It came after batches had gone: a client without it speaks 2025-03-26 (MCP
/// 2025-11-25, Transports: protocol version header).
const REVISION: &str = "mcp-protocol-version";

/// Whether this client speaks the revision that has batches.
pub(super) fn are_spoken(headers: &HeaderMap) -> bool {
    headers.get(REVISION).is_none_or(|revision| revision.as_bytes() == batch::REVISION.as_str().as_bytes())
}

/// Answers a batch.
pub(super) async fn answer(door: &Door, parts: &Parts, batch: &Bytes) -> Response {
    let entries = match batch::cut(batch) {
        Ok(entries) => entries,
        Err(refused) => return refuse(StatusCode::BAD_REQUEST, &refused.fault, None),
    };
    let answers = join_all(entries.into_iter().map(|entry| answer_one(door, parts, batch, entry))).await;
    let answers: Vec<Vec<u8>> = answers.into_iter().flatten().collect();
    if answers.is_empty() {
        return StatusCode::ACCEPTED.into_response();
    }
    ([(header::CONTENT_TYPE, "application/json")], batch::join(&answers)).into_response()
}

/// The answer to one message; a notification has none.
async fn answer_one(door: &Door, parts: &Parts, batch: &Bytes, entry: &RawValue) -> Option<Vec<u8>> {
    if let Err(refused) = batch::read(entry) {
        return Some(refused.response());
    }
    // An entry is a part of the batch that it was cut from, as `slice_ref` demands.
    let response = door.answer(parts.clone(), batch.slice_ref(entry.get().as_bytes())).await;
    let streamed =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.ok()?;
    if streamed { last_answer(&body) } else { (!body.is_empty()).then(|| body.to_vec()) }
}

/// The response among the messages of an event stream.
fn last_answer(stream: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(stream).ok()?;
    let messages = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let is_response = |message: &&str| {
        let message: Value = serde_json::from_str(message).unwrap_or_default();
        message.get("id").is_some() && message.get("method").is_none()
    };
    messages.rev().find(is_response).map(|message| message.trim().as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_response_is_found_behind_progress_and_empty_events() {
        let stream = b"id: 0\nretry: 3000\ndata: \n\ndata: {\"method\":\"notifications/progress\"}\n\n\
                       data: {\"id\":1,\"result\":{}}\n\n: alive\n\n";
        assert_eq!(last_answer(stream).as_deref(), Some(&br#"{"id":1,"result":{}}"#[..]));
        assert_eq!(last_answer(b"data: \n\n"), None);
    }
}
