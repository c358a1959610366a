//! Which path leads where, and who stands before it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use url::Url;

use super::admission::Admission;
use super::authorize::{self, Gate};
use super::guard::{self, Guard};
use super::health::{self, Health};
use super::message::{self, Door};
use super::numbers;
use crate::auth::WELL_KNOWN;
use crate::config::{MetricsAccess, ServiceOptions};
use crate::mcp::Handler;

/// All routes of a server that listens on `address`.
pub(super) fn router(
    handler: &Handler,
    address: SocketAddr,
    service: &ServiceOptions,
    admission: &Arc<Admission>,
) -> Router {
    let metrics = handler.tools().metrics();
    let public = service.public_url.as_ref();
    let gate = service.authorization.as_ref().and_then(|authorization| {
        let url = public.cloned().or_else(|| Url::parse(&format!("http://{address}")).ok())?;
        Some(Arc::new(Gate::new(authorization, &url, metrics.clone())))
    });
    let door =
        Door::new(handler.clone(), guard::names(address.ip(), public), &service.limits, admission.clone());
    let messages = Router::new()
        .route("/message", post(message::post))
        .route("/mcp", post(message::post))
        .with_state(Arc::new(door));
    let numbers = Router::new().route("/metrics", get(numbers::get)).with_state(metrics);
    let (asked, open) = match service.metrics {
        MetricsAccess::Token => (messages.merge(numbers), Router::new()),
        MetricsAccess::Open => (messages, numbers),
        MetricsAccess::Off => (messages, Router::new()),
    };
    let asked = match &gate {
        Some(gate) => asked.route_layer(from_fn_with_state(gate.clone(), authorize::check)),
        None => asked,
    };
    let health = Health {
        began: Instant::now(),
        handler: handler.clone(),
        admission: admission.clone(),
        gate: gate.clone(),
    };
    let health = Router::new()
        .route("/health", get(health::get))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .with_state(health);
    let guard = Arc::new(Guard::new(address.ip(), public));
    let guarded = asked.merge(open).merge(health).layer(from_fn_with_state(guard, guard::check));
    match gate {
        Some(gate) => guarded.merge(well_known(gate)),
        None => guarded,
    }
}

/// Open to everybody: whoever has no token yet must learn where to get one.
fn well_known(gate: Arc<Gate>) -> Router {
    Router::new()
        .route(WELL_KNOWN, get(authorize::metadata))
        .route(&format!("{WELL_KNOWN}/{{*path}}"), get(authorize::metadata))
        .with_state(gate)
}
