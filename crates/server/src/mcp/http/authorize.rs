//! Before the messages: who sent them, told by their access token.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use url::Url;

use super::body;
use super::message::refuse;
use crate::auth::{Challenge, Issuer, Resource, Subject, Trust, Verifier, bearer};
use crate::config::Authorization;
use crate::mcp::fault::Fault;
use crate::metrics::Metrics;

/// When the issuer may be asked again.
const LATER: u64 = 5;

/// Lets those in who have a token.
#[derive(Debug)]
pub(super) struct Gate {
    verifier: Verifier,
    resource: Resource,
    issuer: Issuer,
    metrics: Metrics,
}

impl Gate {
    /// For a server that clients know by `url`.
    pub(super) fn new(authorization: &Authorization, url: &Url, metrics: Metrics) -> Self {
        let resource = Resource::at(url);
        let trust = Trust {
            issuer: authorization.issuer.clone(),
            audiences: authorization.audiences.clone().unwrap_or_else(|| resource.audiences()),
            scope: authorization.scope.clone(),
            skew: authorization.skew,
        };
        Self { issuer: trust.issuer.clone(), verifier: Verifier::new(trust), resource, metrics }
    }

    /// Whether tokens can be judged.
    pub(super) async fn is_ready(&self) -> bool {
        self.verifier.is_ready().await
    }

    async fn subject(&self, headers: &HeaderMap) -> Result<Subject, Challenge> {
        Ok(self.verifier.verify(bearer(headers)?).await?)
    }

    fn turn_away(&self, challenge: Challenge, path: &str) -> Response {
        tracing::info!(component = "auth", event = "turned_away", why = %challenge);
        self.metrics.refused(challenge.name());
        let unavailable = challenge.status() == StatusCode::SERVICE_UNAVAILABLE;
        let fault = Fault::Named {
            name: challenge.name(),
            message: challenge.to_string(),
            suggestion: challenge.suggestion().to_owned(),
            retry_after: unavailable.then_some(LATER),
        };
        let mut response = refuse(challenge.status(), &fault, None);
        let headers = response.headers_mut();
        if let Some(told) = challenge.header(&self.resource.metadata_url(path), self.verifier.scope()) {
            headers.insert(header::WWW_AUTHENTICATE, told);
        }
        if unavailable {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(LATER));
        }
        response
    }
}

/// Stands before the routes that ask who calls. The token goes no further: what is behind knows a subject.
pub(super) async fn check(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response {
    match gate.subject(request.headers()).await {
        Ok(subject) => {
            request.headers_mut().remove(header::AUTHORIZATION);
            request.extensions_mut().insert(subject);
            next.run(request).await
        }
        Err(challenge) => {
            let refusal = gate.turn_away(challenge, request.uri().path());
            body::drain(request.into_body()).await;
            refusal
        }
    }
}

/// The metadata of a resource, for whoever asks: pages of other origins, too, because clients run in browsers.
pub(super) async fn metadata(State(gate): State<Arc<Gate>>, request: Request) -> Response {
    let told = gate.resource.metadata(request.uri().path(), &gate.issuer, gate.verifier.scope());
    match told {
        Some(told) => ([(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")], Json(told)).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
