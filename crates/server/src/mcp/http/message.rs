//! POST: one message in, its answer out.
//!
//! The SDK does the protocol. What it would answer in plain text is answered as JSON-RPC here.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base::Deadline;
use futures_util::StreamExt as _;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, RequestId};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::cancellations::LABEL;
use super::{guard, patience};
use crate::mcp::Handler;
use crate::mcp::fault::{self, Fault, LARGEST_MESSAGE, Refused};

/// How long a client may take for a body.
const PATIENCE_WITH_BODIES: Duration = Duration::from_secs(30);
/// So much of a body that is too large is read and dropped, because a client that still writes can't read the refusal.
const DRAINED: usize = 4 * LARGEST_MESSAGE;

/// Where messages come in.
pub(super) struct Door {
    handler: Handler,
    service: StreamableHttpService<Handler, NeverSessionManager>,
}

impl Door {
    pub(super) fn new(handler: Handler, bound: IpAddr) -> Self {
        let names = guard::names(bound);
        let origins = names.iter().map(|name| match name.contains(':') {
            true => format!("[{name}]"),
            false => name.clone(),
        });
        let origins = origins.flat_map(|name| [format!("http://{name}:*"), format!("https://{name}:*")]);
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(LARGEST_MESSAGE)
            .with_allowed_origins(origins)
            .enforce_origin_validation()
            .with_allowed_hosts(names);
        let factory = handler.clone();
        let service = StreamableHttpService::new(move || Ok(factory.clone()), Arc::default(), config);
        Self { handler, service }
    }

    /// Notes what the SDK leaves to us; says whether the client is to get a label.
    fn note(&self, headers: &HeaderMap, body: &[u8]) -> bool {
        let concerns_us = ["\"initialize\"", "\"notifications/cancelled\""]
            .iter()
            .any(|method| memchr::memmem::find(body, method.as_bytes()).is_some());
        if !concerns_us {
            return false;
        }
        match fault::read(body) {
            Ok(ClientJsonRpcMessage::Notification(notification)) => {
                if let ClientNotification::CancelledNotification(cancelled) = notification.notification
                    && let Some(id) = cancelled.params.request_id
                {
                    self.handler.cancellations().cancel(headers, id);
                }
                false
            }
            Ok(ClientJsonRpcMessage::Request(request)) => {
                matches!(request.request, ClientRequest::InitializeRequest(_))
            }
            _ => false,
        }
    }
}

/// Takes one message.
pub(super) async fn post(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !is_json(&parts.headers) {
        let reason = "the Content-Type must be application/json".to_owned();
        return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, &Fault::Transport { reason }, None);
    }
    let body = match collect(body).await {
        Ok(body) => body,
        Err(refused) => return refused.into_response(),
    };
    let labelled = door.note(&parts.headers, &body);
    let request = Request::from_parts(parts, Body::from(body.clone()));
    let answer = async move {
        let mut response = in_json(door.service.handle(request).await.map(Body::new), &body).await;
        if labelled && response.status().is_success() {
            let label = uuid::Uuid::new_v4().to_string();
            response.headers_mut().extend(HeaderValue::try_from(label).map(|label| (LABEL_NAME, label)));
        }
        response
    };
    patience::answer(answer).await
}

const LABEL_NAME: header::HeaderName = header::HeaderName::from_static(LABEL);

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// A body that could not be taken.
enum NoBody {
    TooLarge,
    TooSlow,
    Broken,
}

impl NoBody {
    fn into_response(self) -> Response {
        let broken = |reason: &str| Fault::Transport { reason: reason.to_owned() };
        match self {
            Self::TooLarge => refuse(StatusCode::PAYLOAD_TOO_LARGE, &Fault::TooLarge, None),
            Self::TooSlow => {
                refuse(StatusCode::REQUEST_TIMEOUT, &broken("the body took longer than 30 s"), None)
            }
            Self::Broken => refuse(StatusCode::BAD_REQUEST, &broken("the body broke off"), None),
        }
    }
}

/// Reads the body, within the limits of size and time.
async fn collect(body: Body) -> Result<Bytes, NoBody> {
    let deadline = Deadline::after(PATIENCE_WITH_BODIES);
    let mut pieces = body.into_data_stream();
    let mut collected = Vec::new();
    let mut size = 0;
    while let Some(piece) = deadline.race(pieces.next()).await.map_err(|_| NoBody::TooSlow)? {
        let piece = piece.map_err(|_| NoBody::Broken)?;
        size += piece.len();
        if size <= LARGEST_MESSAGE {
            collected.extend_from_slice(&piece);
        } else {
            collected = Vec::new();
        }
        if size > DRAINED {
            break;
        }
    }
    if size > LARGEST_MESSAGE { Err(NoBody::TooLarge) } else { Ok(collected.into()) }
}

/// The SDK's refusals are plain text; clients that speak JSON-RPC get JSON-RPC.
async fn in_json(response: Response, request: &[u8]) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    if response.status().is_success() || kind.is_some_and(|kind| kind == "application/json") {
        return response;
    }
    let read = fault::read(request);
    // Its 415 stands for a body that it could not read; the header was checked before.
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE
        && let Err(refused) = &read
    {
        return refuse(StatusCode::BAD_REQUEST, &refused.fault, refused.id.as_ref());
    }
    let id = match read {
        Ok(ClientJsonRpcMessage::Request(request)) => Some(request.id),
        Ok(_) => None,
        Err(Refused { id, .. }) => id,
    };
    let status = response.status();
    let text = axum::body::to_bytes(response.into_body(), LARGEST_MESSAGE).await.unwrap_or_default();
    refuse(status, &Fault::Transport { reason: String::from_utf8_lossy(&text).into_owned() }, id.as_ref())
}

/// An error response with a JSON-RPC error as its body.
pub(super) fn refuse(status: StatusCode, fault: &Fault, id: Option<&RequestId>) -> Response {
    tracing::debug!(%fault, %status, "refused a message");
    (status, [(header::CONTENT_TYPE, "application/json")], fault.response(id)).into_response()
}
