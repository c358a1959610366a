//! POST: one message in, its answer out.
//!
//! The SDK does the protocol. What it would answer in plain text is answered as JSON-RPC here.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use memchr::memmem::Finder;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, RequestId};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;
use serde_json::Value;

use super::admission::{Admission, NotNow, Permit};
use super::body::{self, Bodies};
use super::cancellations::LABEL;
use super::client::Client;
use super::limits::Limits;
use super::{batches, patience};
use crate::mcp::fault::{self, Fault, LARGEST_MESSAGE, Refused};
use crate::mcp::{Handler, batch};
use crate::metrics::Metrics;

/// Where messages come in.
pub(super) struct Door {
    handler: Handler,
    bodies: Bodies,
    admission: Arc<Admission>,
    metrics: Metrics,
    service: StreamableHttpService<Handler, NeverSessionManager>,
}

impl Door {
    /// For a server that answers to these names.
    pub(super) fn new(
        handler: Handler,
        names: Vec<String>,
        limits: &Limits,
        admission: Arc<Admission>,
    ) -> Self {
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
        let metrics = handler.tools().metrics();
        Self { handler, bodies: Bodies::new(limits), admission, metrics, service }
    }

    /// Answers one message.
    pub(super) async fn answer(&self, mut parts: Parts, body: Bytes) -> Response {
        match self.admit(&parts, &body) {
            Ok(Some(permit)) => drop(parts.extensions.insert(permit)),
            Ok(None) => {}
            Err((not_now, id)) => return not_now.into_response(id.as_ref()),
        }
        let labelled = self.note(&parts, &body);
        let request = Request::from_parts(parts, Body::from(body.clone()));
        let mut response = in_json(self.service.handle(request).await.map(Body::new), &body).await;
        if labelled && response.status().is_success() {
            let label = uuid::Uuid::new_v4().to_string();
            response.headers_mut().extend(HeaderValue::try_from(label).map(|label| (LABEL_NAME, label)));
        }
        response
    }

    /// Lets a call begin; other messages need no leave.
    fn admit(&self, parts: &Parts, body: &[u8]) -> Result<Option<Permit>, (NotNow, Option<RequestId>)> {
        let body = fault::without_mark(body);
        let (tool, id) = match serde_json::from_slice::<Glance<'_>>(body) {
            Ok(glance) if glance.method.as_deref() != Some("tools/call") => return Ok(None),
            Ok(glance) => (glance.params.and_then(|params| params.name), glance.id),
            Err(_) => match odd_call(body) {
                Some(tool) => (tool.map(Cow::Owned), None),
                // It is no call, and is refused soon.
                None => return Ok(None),
            },
        };
        let opens = tool.is_some_and(|tool| self.handler.tools().opens_session(&tool));
        self.admission.admit(&Client::of(&parts.extensions), opens).map(Some).map_err(|not_now| {
            tracing::info!(component = "http", event = "not_now", why = %not_now);
            self.metrics.refused(not_now.name());
            (not_now, id)
        })
    }

    /// Notes what the SDK leaves to us; says whether the client is to get a label.
    fn note(&self, parts: &Parts, body: &[u8]) -> bool {
        if !NOTED.iter().any(|method| method.find(body).is_some()) {
            return false;
        }
        match fault::read(body) {
            Ok(ClientJsonRpcMessage::Notification(notification)) => {
                if let ClientNotification::CancelledNotification(cancelled) = notification.notification
                    && let Some(id) = cancelled.params.request_id
                {
                    self.handler.cancellations().cancel(parts, id);
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

/// What is in the messages that we note something of.
static NOTED: LazyLock<[Finder<'_>; 2]> =
    LazyLock::new(|| ["\"initialize\"", "\"notifications/cancelled\""].map(Finder::new));

/// As much of a message as is needed to know whether it is a call.
#[derive(Deserialize)]
struct Glance<'a> {
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<GlanceAtParams<'a>>,
    id: Option<RequestId>,
}

#[derive(Deserialize)]
struct GlanceAtParams<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
}

/// The tool of a call that is written oddly, such as with a name twice: what others may still take for one is counted.
fn odd_call(body: &[u8]) -> Option<Option<String>> {
    let message: Value = serde_json::from_slice(body).ok()?;
    let name = message.pointer("/params/name").and_then(Value::as_str);
    (message.get("method")? == "tools/call").then(|| name.map(str::to_owned))
}

/// Takes one message, or a batch of them.
pub(super) async fn post(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !is_json(&parts.headers) {
        body::drain(body).await;
        let reason = "the Content-Type must be application/json".to_owned();
        return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, &Fault::Transport { reason }, None);
    }
    let body = match door.bodies.read(body).await {
        Ok(body) => body,
        Err(refused) => return refused.into_response(),
    };
    patience::answer(async move {
        match batch::is_one(&body.bytes) && batches::are_spoken(&parts.headers) {
            true => batches::answer(&door, &parts, &body.bytes).await,
            false => door.answer(parts, body.bytes.clone()).await,
        }
    })
    .await
}

const LABEL_NAME: header::HeaderName = header::HeaderName::from_static(LABEL);

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
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
