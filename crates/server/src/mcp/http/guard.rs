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
use url::Url;

use super::body;
use super::message::refuse;
use crate::mcp::fault::Fault;

/// Why a request was turned away.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum TurnedAway {
    #[error("the Host header is missing or malformed")]
    NoHost,
    #[error(
        "Host `{0}` is not allowed: this server answers to localhost and to the host of --public-url only"
    )]
    ForeignHost(String),
    #[error("Origin `{0}` is not allowed: only pages of localhost and of --public-url may call this server")]
    ForeignOrigin(String),
}

/// The names under which the server may be called.
#[derive(Debug)]
pub(super) struct Guard {
    names: Vec<String>,
    /// Probes and scrapers call a server by its bare address; where only this machine reaches it, they need not.
    probed: bool,
}

impl Guard {
    pub(super) fn new(bound: IpAddr, public: Option<&Url>) -> Self {
        Self { names: names(bound, public), probed: !bound.is_loopback() }
    }

    fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), TurnedAway> {
        let is_probe = uri.path() == "/metrics" || uri.path().starts_with("/health");
        if self.probed && is_probe {
            return Ok(());
        }
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
        let host = bare(host);
        self.names.iter().any(|name| name.eq_ignore_ascii_case(host))
    }
}

/// The loopback names, the address that the server is bound to, and the host that clients know it by.
pub(super) fn names(bound: IpAddr, public: Option<&Url>) -> Vec<String> {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    let bound = (!bound.is_unspecified()).then(|| bound.to_string());
    let public = public.and_then(Url::host_str).map(bare).map(str::to_owned);
    for name in bound.into_iter().chain(public) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// An address of version 6 without its brackets.
fn bare(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// Stands before every route.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.admit(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(turned_away) => {
            tracing::warn!(%turned_away, "turned a request away");
            body::drain(request.into_body()).await;
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
        Guard::new([127, 0, 0, 1].into(), None).admit(&Uri::from_static("/mcp"), &headers)
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
    fn a_public_server_answers_to_its_public_host_and_to_probes_by_any_name() {
        let public = Url::parse("https://e2e.example:8443/x").expect("a URL");
        let guard = Guard::new([0, 0, 0, 0].into(), Some(&public));
        let admit = |path: &'static str, host: &str| {
            let headers = HeaderMap::from_iter([(header::HOST, host.parse().expect("header"))]);
            guard.admit(&Uri::from_static(path), &headers).is_ok()
        };
        assert!(admit("/mcp", "e2e.example:8443") && admit("/mcp", "localhost:1"));
        assert!(
            !admit("/mcp", "10.1.2.3:80") && !admit("/mcp", "0.0.0.0") && !admit("/mcp", "other.example")
        );
        assert!(admit("/health/ready", "10.1.2.3:80") && admit("/metrics", "10.1.2.3:80"));
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
