//! Where a running browser can be reached: `ws://…` names it, `http://host:port` is asked for it at `/json/version`, as
//! the protocol's documentation describes ("HTTP Endpoints").

use http_body_util::{BodyExt, Empty, Limited};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::http::{HeaderValue, Request, header};
use url::{Host, Url};

pub use tokio_tungstenite::tungstenite::http::HeaderMap;

/// The longest body that is read.
const LONGEST_BODY: usize = 16 << 20;

/// An address of a browser, and the headers that whoever guards it wants to see.
#[derive(Clone)]
pub struct Endpoint {
    url: Url,
    headers: HeaderMap,
}

/// Why a browser can't be reached.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The address is none.
    #[error("{text:?} is no address of a browser: {reason}; expected ws://host:port/… or http://host:port")]
    Address {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Nobody listens there.
    #[error("{endpoint} can't be reached: {source}")]
    Unreachable {
        /// Where.
        endpoint: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Somebody listens, but wants none of it.
    #[error("{endpoint} refused with HTTP status {status}: {body}")]
    Refused {
        /// Where.
        endpoint: String,
        /// The status.
        status: u16,
        /// The beginning of what it said.
        body: String,
    },
    /// Somebody listens, but does not speak our language.
    #[error("{endpoint} does not answer like a browser: {reason}")]
    Handshake {
        /// Where.
        endpoint: String,
        /// How it differs.
        reason: String,
    },
}

impl ConnectError {
    pub(super) fn refused(endpoint: String, status: u16, body: &[u8]) -> Self {
        let body = String::from_utf8_lossy(&body[..body.len().min(200)]).trim().to_owned();
        Self::Refused { endpoint, status, body }
    }
}

/// Shows no user, no password, no query and no header: tokens travel there.
impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown())
    }
}

impl Endpoint {
    /// Reads an address. A user and a password in it become a header, as browsers do it.
    ///
    /// # Errors
    /// [`ConnectError::Address`].
    pub fn parse(text: &str, headers: HeaderMap) -> Result<Self, ConnectError> {
        let refuse =
            |reason: &str| ConnectError::Address { text: text.to_owned(), reason: reason.to_owned() };
        let mut url = Url::parse(text).map_err(|error| refuse(&error.to_string()))?;
        match url.scheme() {
            "ws" | "http" => {}
            "wss" | "https" => return Err(refuse("TLS is not supported yet")),
            _ => return Err(refuse("its scheme is unknown")),
        }
        if url.host().is_none() {
            return Err(refuse("it names no host"));
        }
        let mut headers = headers;
        if !url.username().is_empty() {
            if let Some(authorization) = basic(&url) {
                headers.entry(header::AUTHORIZATION).or_insert(authorization);
            }
            // Can't fail: the address has a host.
            let _ = url.set_username("");
            let _ = url.set_password(None);
        }
        Ok(Self { url, headers })
    }

    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    /// The address without what may be secret in it.
    pub(super) fn shown(&self) -> String {
        let mut url = self.url.clone();
        url.set_query(None);
        url.set_fragment(None);
        url.into()
    }

    /// The `ws:` address. The host and port stay the ones that were given, whatever the browser thinks they are: it may
    /// be behind a forwarded port, and must not send us elsewhere.
    pub(super) async fn resolve(&self) -> Result<Self, ConnectError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Version {
            web_socket_debugger_url: String,
        }
        if self.url.scheme() == "ws" {
            return Ok(self.clone());
        }
        let body = self.get("json/version").await?;
        let confused = |reason: String| ConnectError::Handshake { endpoint: self.shown(), reason };
        let version: Version = serde_json::from_slice(&body).map_err(|error| confused(error.to_string()))?;
        let found =
            Url::parse(&version.web_socket_debugger_url).map_err(|error| confused(error.to_string()))?;
        let mut url = self.url.clone();
        // Can't fail: both are schemes with a host.
        let _ = url.set_scheme("ws");
        url.set_path(found.path());
        if found.query().is_some() {
            url.set_query(found.query());
        }
        Ok(Self { url, headers: self.headers.clone() })
    }

    /// Asks the browser's HTTP server for `path`, below the address's own.
    ///
    /// # Errors
    /// [`ConnectError`] says what came instead.
    pub async fn get(&self, path: &str) -> Result<Vec<u8>, ConnectError> {
        let confused = |error: &dyn std::error::Error| ConnectError::Handshake {
            endpoint: self.shown(),
            reason: error.to_string(),
        };
        let mut target = format!("{}/{path}", self.url.path().trim_end_matches('/'));
        if let Some(query) = self.url.query() {
            target = format!("{target}?{query}");
        }
        let mut request = Request::get(target)
            .header(header::HOST, &self.url[url::Position::BeforeHost..url::Position::AfterPort])
            .body(Empty::<bytes::Bytes>::new())
            .map_err(|error| confused(&error))?;
        request.headers_mut().extend(self.headers());
        let stream = TokioIo::new(self.dial().await?);
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(stream).await.map_err(|error| confused(&error))?;
        let answer = async {
            let response = sender.send_request(request).await.map_err(|error| confused(&error))?;
            let status = response.status();
            let body = Limited::new(response.into_body(), LONGEST_BODY).collect().await;
            let body = body.map_err(|error| confused(&*error))?.to_bytes();
            if !status.is_success() {
                return Err(ConnectError::refused(self.shown(), status.as_u16(), &body));
            }
            Ok(body.to_vec())
        };
        // The connection is driven here, not by a task of its own: it ends with the answer.
        tokio::pin!(answer);
        tokio::select! {
            answer = &mut answer => answer,
            _ = connection => answer.await,
        }
    }

    pub(super) async fn dial(&self) -> Result<TcpStream, ConnectError> {
        let port = self.url.port_or_known_default().unwrap_or(80);
        let stream = match self.url.host() {
            Some(Host::Ipv4(address)) => TcpStream::connect((address, port)).await,
            Some(Host::Ipv6(address)) => TcpStream::connect((address, port)).await,
            Some(Host::Domain(name)) => TcpStream::connect((name, port)).await,
            None => Err(std::io::ErrorKind::InvalidInput.into()),
        };
        let stream = stream.map_err(|source| ConnectError::Unreachable { endpoint: self.shown(), source })?;
        // Small messages must not wait for each other (Nagle); a system that can't is only slower.
        let _ = stream.set_nodelay(true);
        Ok(stream)
    }
}

/// RFC 7617.
fn basic(url: &Url) -> Option<HeaderValue> {
    use base64::Engine;
    let decode = |text: &str| {
        let pair = format!("x={}", text.replace('+', "%2B"));
        url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, value)| value.into_owned())
    };
    let pair = format!("{}:{}", decode(url.username())?, decode(url.password().unwrap_or_default())?);
    let text = base64::engine::general_purpose::STANDARD.encode(pair);
    let mut value = HeaderValue::try_from(format!("Basic {text}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_can_not_work_are_refused_with_the_reason() {
        for (text, reason) in [
            ("localhost:9222", "scheme"),
            ("wss://host/", "TLS"),
            ("https://host/", "TLS"),
            ("no address", "relative URL"),
        ] {
            let error = Endpoint::parse(text, HeaderMap::new()).unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains("ws://host:port"), "{error}");
        }
    }

    #[test]
    fn a_password_becomes_a_header_and_is_never_shown() {
        let endpoint =
            Endpoint::parse("http://me:p%40ss+word@host:1/x?token=secret", HeaderMap::new()).unwrap();
        assert_eq!(endpoint.headers()[header::AUTHORIZATION], "Basic bWU6cEBzcyt3b3Jk");
        assert_eq!(format!("{endpoint:?}"), "http://host:1/x");
    }
}
