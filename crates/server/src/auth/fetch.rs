//! Asking the issuer: one GET, a JSON object back, within a time and a size.
//!
//! Redirects are not followed: what is trusted is the address that was configured, and what it names.

use std::io;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Request, StatusCode, header};
use base::Deadline;
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_util::task::AbortOnDropHandle;
use url::{Host, Url};

use super::{issuer, tls};

/// Key sets have a few kilobytes.
const LARGEST: usize = 1024 * 1024;
/// How long one question may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Nothing that could be used came.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchFailed {
    #[error("{0} is neither https nor on loopback")]
    Insecure(Url),
    #[error("{0} did not answer within 5 s")]
    Late(Url),
    #[error("{url} can't be reached: {source}")]
    Unreachable { url: Url, source: io::Error },
    #[error("{url} did not answer: {source}")]
    Broken { url: Url, source: hyper::Error },
    #[error("{url} answered {status}")]
    Status { url: Url, status: StatusCode },
    #[error("the answer of {0} is larger than 1 MiB, or broke off")]
    Body(Url),
    #[error("the answer of {url} is not what it should be: {source}")]
    NotJson { url: Url, source: serde_json::Error },
}

/// Asks for a document.
///
/// # Errors
/// [`FetchFailed`] names the address and what went wrong.
pub(super) async fn json<T: DeserializeOwned>(url: &Url) -> Result<T, FetchFailed> {
    if !issuer::is_trustworthy(url) {
        return Err(FetchFailed::Insecure(url.clone()));
    }
    let bytes =
        Deadline::after(PATIENCE).race(get(url)).await.map_err(|_| FetchFailed::Late(url.clone()))??;
    serde_json::from_slice(&bytes).map_err(|source| FetchFailed::NotJson { url: url.clone(), source })
}

async fn get(url: &Url) -> Result<Bytes, FetchFailed> {
    let unreachable = |source| FetchFailed::Unreachable { url: url.clone(), source };
    let broken = |source| FetchFailed::Broken { url: url.clone(), source };
    let stream = connect(url).await.map_err(unreachable)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    // It ends with this question, however that ends.
    let _connection = AbortOnDropHandle::new(tokio::spawn(connection));
    let request = Request::get(&url[url::Position::BeforePath..url::Position::AfterQuery])
        .header(header::HOST, &url[url::Position::BeforeHost..url::Position::AfterPort])
        .header(header::ACCEPT, "application/json")
        .header(header::USER_AGENT, concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .body(Empty::<Bytes>::new())
        .map_err(|error| unreachable(io::Error::other(error)))?;
    let response = sender.send_request(request).await.map_err(broken)?;
    if response.status() != StatusCode::OK {
        return Err(FetchFailed::Status { url: url.clone(), status: response.status() });
    }
    let body = Limited::new(response.into_body(), LARGEST).collect().await;
    body.map(http_body_util::Collected::to_bytes).map_err(|_| FetchFailed::Body(url.clone()))
}

/// A connection, whatever is below it.
trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Wire for T {}

async fn connect(url: &Url) -> io::Result<Box<dyn Wire>> {
    let port = url.port_or_known_default().unwrap_or(443);
    let (name, stream) = match url.host() {
        Some(Host::Domain(name)) => (name.to_owned(), TcpStream::connect((name, port)).await?),
        Some(Host::Ipv4(address)) => (address.to_string(), TcpStream::connect((address, port)).await?),
        Some(Host::Ipv6(address)) => (address.to_string(), TcpStream::connect((address, port)).await?),
        None => return Err(io::Error::new(io::ErrorKind::InvalidInput, "no host")),
    };
    match url.scheme() {
        "https" => Ok(Box::new(tls::connect(&name, stream).await?)),
        _ => Ok(Box::new(stream)),
    }
}
