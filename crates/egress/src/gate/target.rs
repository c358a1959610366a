//! Whom a request is for, as its first line says (RFC 9112, section 3.2).

use hyper::Uri;
use hyper::http::uri::PathAndQuery;

use super::answers::NotServed;

/// A destination as it was asked for; whether it is a host is not known yet.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) host: String,
    pub(super) port: u16,
    /// What the other side is told as its own name.
    pub(super) authority: String,
    /// The URL, as far as it is known.
    pub(super) url: Option<String>,
}

impl Target {
    /// Of `CONNECT host:port`.
    pub(super) fn of_connect(uri: &Uri) -> Result<Self, NotServed> {
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'));
        let authority = authority.ok_or(NotServed::BadRequest("CONNECT needs a host and a port"))?;
        let port = authority.port_u16().filter(|port| *port != 0);
        Ok(Self {
            host: authority.host().to_owned(),
            port: port.ok_or(NotServed::BadRequest("CONNECT needs a port"))?,
            authority: authority.as_str().to_owned(),
            url: None,
        })
    }

    /// Of `GET http://host/path`.
    pub(super) fn of_absolute(uri: &Uri) -> Result<Self, NotServed> {
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(NotServed::BadRequest(
                "this is the proxy of a browser session; it has no pages of its own",
            ));
        };
        if !matches!(scheme, "http" | "ws") {
            return Err(NotServed::BadRequest("this proxy carries http and ws; use CONNECT for the rest"));
        }
        let text = authority.as_str();
        let text = text.rsplit_once('@').map_or(text, |(_, host)| host);
        // A port that is none must not become the usual one.
        let has_port =
            text.rsplit_once(':').is_some_and(|(_, port)| !port.is_empty() && !port.ends_with(']'));
        let port = match authority.port_u16() {
            Some(port) if port != 0 => port,
            None if !has_port => 80,
            _ => return Err(NotServed::BadRequest("the port is none")),
        };
        Ok(Self {
            host: authority.host().to_owned(),
            port,
            authority: text.to_owned(),
            url: Some(format!("{scheme}://{text}{}", uri.path_and_query().map_or("/", PathAndQuery::as_str))),
        })
    }
}
