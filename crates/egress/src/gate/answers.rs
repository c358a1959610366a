//! What the gate answers by itself: refusals, failures, and what it does not understand.

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty, Full};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use crate::notes::Unreached;
use crate::refusal::Refusal;

/// The body of whatever is answered.
pub(super) type Answer = BoxBody<Bytes, hyper::Error>;

/// The header of a refusal; its value is the rule.
const REFUSED: HeaderName = HeaderName::from_static("x-e2e-refused");

/// Why a request was not carried on.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotServed {
    #[error("{0}; {next}", next = .0.remedy())]
    Refused(Refusal),
    #[error("{0}")]
    BadRequest(&'static str),
    #[error("{host}:{port} could not be reached: {why}", host = .0.host, port = .0.port, why = .0.why)]
    Unreached(Unreached),
}

/// A response that says so.
pub(super) fn of(why: &NotServed) -> Response<Answer> {
    let status = match why {
        NotServed::Refused(_) => StatusCode::FORBIDDEN,
        NotServed::BadRequest(_) => StatusCode::BAD_REQUEST,
        NotServed::Unreached(_) => StatusCode::BAD_GATEWAY,
    };
    let text = Full::from(format!("{why}\n")).map_err(|never| match never {}).boxed();
    let mut response = Response::new(text);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let NotServed::Refused(refusal) = why {
        // Rules are ASCII.
        headers.extend(HeaderValue::try_from(refusal.rule.to_string()).ok().map(|rule| (REFUSED, rule)));
    }
    response
}

/// A response without a body.
pub(super) fn empty(status: StatusCode) -> Response<Answer> {
    let mut response = Response::new(Empty::new().map_err(|never| match never {}).boxed());
    *response.status_mut() = status;
    response
}
