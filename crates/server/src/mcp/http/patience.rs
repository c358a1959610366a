//! Slow answers: clients give up when no byte comes for about a minute, so headers and a sign of life go out sooner.
//!
//! A call with a progress token reports within a second and needs none of this. For the others the answer is turned
//! into an event stream once it is late, and comments keep the connection alive until it is there.

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::{Stream, StreamExt as _, stream};

/// An answer that takes longer becomes a stream; so long, too, until each further sign of life.
const LATE: Duration = Duration::from_secs(10);

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// The answer itself when it comes soon, and else a stream that ends with it. Dropping either drops the call's
/// connection, which the SDK notices.
pub(super) async fn answer(answer: impl Future<Output = Response> + Send + 'static) -> Response {
    let mut answer: Answer = Box::pin(answer);
    match tokio::time::timeout(LATE, &mut answer).await {
        Ok(response) => response,
        Err(_) => late(answer),
    }
}

fn late(answer: Answer) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    (headers, Body::from_stream(events(answer).map(Ok::<_, Infallible>))).into_response()
}

enum Stage {
    /// A sign of life goes out first: the headers alone are no byte of the body.
    Silent(Answer),
    Waiting(Answer),
    Passing(BodyDataStream),
    Over,
}

fn events(answer: Answer) -> impl Stream<Item = Bytes> + Send {
    stream::unfold(Stage::Silent(answer), |stage| async move {
        const ALIVE: Bytes = Bytes::from_static(b": still working\n\n");
        match stage {
            Stage::Silent(answer) => Some((ALIVE, Stage::Waiting(answer))),
            Stage::Waiting(mut answer) => match tokio::time::timeout(LATE, &mut answer).await {
                Err(_) => Some((ALIVE, Stage::Waiting(answer))),
                Ok(response) => deliver(response).await,
            },
            Stage::Passing(mut body) => match body.next().await {
                Some(Ok(bytes)) => Some((bytes, Stage::Passing(body))),
                Some(Err(_)) | None => None,
            },
            Stage::Over => None,
        }
    })
}

/// A stream is passed on as it is; a single message becomes an event (MCP 2025-11-25, Transports: a response to a
/// request is either).
async fn deliver(response: Response) -> Option<(Bytes, Stage)> {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
        let mut body = response.into_body().into_data_stream();
        let first = body.next().await?.ok()?;
        return Some((first, Stage::Passing(body)));
    }
    let json = axum::body::to_bytes(response.into_body(), usize::MAX).await.ok()?;
    Some(([b"data: ", &json[..], b"\n\n"].concat().into(), Stage::Over))
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn body(response: Response) -> String {
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("body");
        String::from_utf8(bytes.to_vec()).expect("text")
    }

    async fn json_after(seconds: u64) -> Response {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        ([(header::CONTENT_TYPE, "application/json")], "{\"id\":1}").into_response()
    }

    #[tokio::test(start_paused = true)]
    async fn a_prompt_answer_is_passed_on_untouched() {
        let response = answer(json_after(9)).await;
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
        assert_eq!(body(response).await, "{\"id\":1}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_late_answer_sends_headers_and_a_byte_before_clients_give_up() {
        let began = tokio::time::Instant::now();
        let response = answer(json_after(35)).await;
        assert_eq!(began.elapsed(), LATE);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        let alive = ": still working\n\n".repeat(3);
        assert_eq!(body(response).await, format!("{alive}data: {{\"id\":1}}\n\n"));
        assert_eq!(began.elapsed(), Duration::from_secs(35));
    }

    #[tokio::test(start_paused = true)]
    async fn a_late_stream_is_passed_on_as_it_is() {
        let late_stream = async {
            tokio::time::sleep(Duration::from_secs(15)).await;
            ([(header::CONTENT_TYPE, "text/event-stream")], "data: {}\n\n").into_response()
        };
        assert_eq!(body(answer(late_stream).await).await, ": still working\n\ndata: {}\n\n");
    }
}
