//! A plain request, carried on to its host and its response back, bodies as they come.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::client::conn::http1;
use hyper::header::{HOST, HeaderValue};
use hyper::http::uri::PathAndQuery;
use hyper::{Request, Response, StatusCode, Uri, Version};
use hyper_util::rt::TokioIo;
use tokio_util::task::AbortOnDropHandle;

use super::answers::{Answer, NotServed};
use super::connection::Afterwards;
use super::reach::reach;
use super::target::Target;
use super::{Shared, hop, tunnel};
use crate::host::Host;
use crate::notes::{Trouble, Unreached};

/// Answers a request for a whole URL.
pub(super) async fn request(
    shared: &Arc<Shared>,
    afterwards: &Afterwards,
    mut request: Request<Incoming>,
) -> Result<Response<Answer>, NotServed> {
    let target = Target::of_absolute(request.uri())?;
    let stream = reach(shared, &target).await?;
    let broken = |error: hyper::Error| broken_off(shared, &target, &error);
    let here = hyper::upgrade::on(&mut request);
    let offered = turn(&mut request, &target)?;
    let (mut sender, connection) = client().handshake(TokioIo::new(stream)).await.map_err(broken)?;
    let connection = AbortOnDropHandle::new(tokio::spawn(async move {
        let _ = connection.with_upgrades().await;
    }));
    let mut response = sender.send_request(request).await.map_err(broken)?;
    let there = hyper::upgrade::on(&mut response);
    let switched = hop::strip(response.headers_mut());
    match (response.status(), offered, switched) {
        (StatusCode::SWITCHING_PROTOCOLS, Some(_), Some(protocol)) => {
            hop::offer(response.headers_mut(), protocol);
            afterwards.set(async move {
                let _connection = connection;
                if let Ok(there) = there.await {
                    tunnel::carry(here, TokioIo::new(there)).await;
                }
            });
            Ok(response.map(BodyExt::boxed))
        }
        (StatusCode::SWITCHING_PROTOCOLS, ..) => {
            let why = "it switched to a protocol that nobody asked for".to_owned();
            Err(no_answer(shared, &target, Trouble::NoHttp, why))
        }
        _ => {
            *response.version_mut() = Version::HTTP_11;
            Ok(response.map(|body| Held { body, _connection: connection }.boxed()))
        }
    }
}

/// Room for a response's head, and for what is read ahead of a slow client.
const RESPONSE_BUFFER: usize = 256 * 1024;
/// A site that sets many cookies has many of them.
const MOST_HEADERS: usize = 1000;

/// As patient with servers as browsers are: what is odd in a head is not carried on.
fn client() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .preserve_header_case(true)
        .max_buf_size(RESPONSE_BUFFER)
        .max_headers(MOST_HEADERS)
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .ignore_invalid_headers_in_responses(true);
    builder
}

/// Whoever listens there did not answer as it should.
fn broken_off(shared: &Shared, target: &Target, error: &hyper::Error) -> NotServed {
    let trouble = if error.is_parse() { Trouble::NoHttp } else { Trouble::BrokenOff };
    no_answer(shared, target, trouble, error.to_string())
}

fn no_answer(shared: &Shared, target: &Target, trouble: Trouble, why: String) -> NotServed {
    let host = Host::read(&target.host).map_or_else(|| target.host.clone(), |host| host.to_string());
    let unreached = Unreached { host, port: target.port, trouble, why };
    shared.notes().add_unreached(unreached.clone());
    NotServed::Unreached(unreached)
}

/// Turns a request to a proxy into one to its host. Answers the protocol that it offers to switch to.
fn turn(request: &mut Request<Incoming>, target: &Target) -> Result<Option<HeaderValue>, NotServed> {
    let path = request.uri().path_and_query().cloned().unwrap_or(PathAndQuery::from_static("/"));
    *request.uri_mut() = Uri::from(path);
    *request.version_mut() = Version::HTTP_11;
    let host = HeaderValue::try_from(&target.authority);
    let headers = request.headers_mut();
    let offered = hop::strip(headers);
    // The URL says whom it is for (RFC 9112, section 3.2.2).
    headers.insert(HOST, host.map_err(|_| NotServed::BadRequest("the host can't be written in a header"))?);
    if let Some(protocol) = offered.clone() {
        hop::offer(headers, protocol);
    }
    Ok(offered)
}

/// A response's body with the connection that it comes from.
struct Held {
    body: Incoming,
    _connection: AbortOnDropHandle<()>,
}

impl Body for Held {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
