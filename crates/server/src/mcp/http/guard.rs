//! Turns away requests that a web page sent: by DNS rebinding (a foreign name in `Host` that leads here) or from a
//! foreign origin (`Origin`).
//!
//! MCP 2025-11-25, Transports: security warning. The SDK checks its own route; this guard stands before every route.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::message::refuse;
use crate::mcp::fault::Fault;

/// Why a request was turned away.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum TurnedAway {
    #[error("the Host header is missing or malformed")]
    NoHost,
    #[error("Host `{0}` is not allowed: this server answers to localhost only")]
    ForeignHost(String),
    #[error("Origin `{0}` is not allowed: only pages of localhost may call this server")]
    ForeignOrigin(String),
}

/// The names under which the server may be called.
#[derive(Debug)]
pub(super) struct Guard {
    names: Vec<String>,
}

impl Guard {
    pub(super) fn new(bound: IpAddr) -> Self {
        Self { names: names(bound) }
    }

    fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), TurnedAway> {
        let host = match headers.get(header::HOST) {
            Some(host) => host.to_str().ok().and_then(|host| host.parse::<Authority>().ok()),
            None => uri.authority().cloned(),
        };
        let host = host.ok_or(TurnedAway::NoHost)?;
        if !self.knows(host.host()) {
            return Err(TurnedAway::ForeignHost(host.to_string()));
        }
        match headers.get(header::ORIGIN) {
            None => Ok(()),
            Some(origin) => {
                let text = String::from_utf8_lossy(origin.as_bytes());
                if self.is_own_origin(&text) {
                    Ok(())
                } else {
                    Err(TurnedAway::ForeignOrigin(text.into_owned()))
                }
            }
        }
    }

    fn is_own_origin(&self, origin: &str) -> bool {
        let Ok(uri) = origin.parse::<Uri>() else { return false };
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| self.knows(host))
    }

    fn knows(&self, host: &str) -> bool {
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        self.names.iter().any(|name| name.eq_ignore_ascii_case(host))
    }
}

/// The loopback names, and the address that the server is bound to.
pub(super) fn names(bound: IpAddr) -> Vec<String> {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    let bound = bound.to_string();
    if !names.contains(&bound) {
        names.push(bound);
    }
    names
}

/// Stands before every route.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.admit(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(turned_away) => {
            tracing::warn!(%turned_away, "turned a request away");
            let status = match turned_away {
                TurnedAway::NoHost => StatusCode::BAD_REQUEST,
                TurnedAway::ForeignHost(_) | TurnedAway::ForeignOrigin(_) => StatusCode::FORBIDDEN,
            };
            refuse(status, &Fault::Transport { reason: turned_away.to_string() }, None).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(host: Option<&str>, origin: Option<&str>) -> Result<(), TurnedAway> {
        let mut headers = HeaderMap::new();
        if let Some(host) = host {
            headers.insert(header::HOST, host.parse().expect("header"));
        }
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().expect("header"));
        }
        Guard::new([127, 0, 0, 1].into()).admit(&Uri::from_static("/mcp"), &headers)
    }

    #[test]
    fn loopback_names_are_let_in_with_any_port() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:3000", "[::1]:9", "[::1]"] {
            assert_eq!(admit(Some(host), None), Ok(()), "{host}");
        }
        for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:1"] {
            assert_eq!(admit(Some("localhost"), Some(origin)), Ok(()), "{origin}");
        }
    }

    #[test]
    fn names_that_only_look_like_loopback_are_turned_away() {
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.nip.io:80",
            "localhost@evil.example",
            "0.0.0.0",
        ] {
            assert!(admit(Some(host), None).is_err(), "{host}");
        }
        let foreign = [
            "http://evil.example",
            "null",
            "",
            "http://localhost.evil.example",
            "file://localhost",
            "localhost",
        ];
        for origin in foreign {
            assert!(admit(Some("localhost"), Some(origin)).is_err(), "{origin}");
        }
        assert_eq!(admit(None, None), Err(TurnedAway::NoHost));
    }
}
