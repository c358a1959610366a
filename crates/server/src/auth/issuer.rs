//! The authorization server that is trusted, and where it says what it is.

use std::fmt;

use url::{Host, Url};

/// An issuer's identifier: exactly the text that its tokens and its metadata must have (RFC 8414, section 3.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Issuer {
    text: String,
    url: Url,
}

/// It can't be one.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum IssuerRefused {
    #[error("it is no URL")]
    NoUrl,
    #[error("its scheme must be https; http is for loopback only")]
    Insecure,
    #[error("it may have no user, query or fragment (RFC 8414, section 2)")]
    Superfluous,
}

impl Issuer {
    /// Reads an identifier.
    ///
    /// # Errors
    /// [`IssuerRefused`] for what nobody should trust.
    pub(crate) fn parse(text: &str) -> Result<Self, IssuerRefused> {
        let url = Url::parse(text).map_err(|_| IssuerRefused::NoUrl)?;
        if !is_trustworthy(&url) {
            return Err(IssuerRefused::Insecure);
        }
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user || url.query().is_some() || url.fragment().is_some() {
            return Err(IssuerRefused::Superfluous);
        }
        Ok(Self { text: text.to_owned(), url })
    }

    /// As it was given.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// Where its metadata may be, in the order in which MCP asks for them (2025-11-25, Authorization server metadata
    /// discovery): RFC 8414's place, and both of OpenID Connect's.
    pub(super) fn discovery(&self) -> Vec<Url> {
        let path = self.url.path().trim_end_matches('/').to_owned();
        let mut places = vec![
            format!("/.well-known/oauth-authorization-server{path}"),
            format!("/.well-known/openid-configuration{path}"),
            format!("{path}/.well-known/openid-configuration"),
        ];
        places.dedup();
        places
            .into_iter()
            .map(|place| {
                let mut url = self.url.clone();
                url.set_path(&place);
                url
            })
            .collect()
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether what comes from there is what its owner sent: over TLS, or from this machine.
pub(super) fn is_trustworthy(url: &Url) -> bool {
    match url.scheme() {
        "https" => url.has_host(),
        "http" => match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<String> {
        Issuer::parse(text).expect("an issuer").discovery().iter().map(Url::to_string).collect()
    }

    #[test]
    fn plain_http_is_for_this_machine_only() {
        for fine in ["https://id.example", "http://localhost:9/a", "http://127.0.0.1:1", "http://[::1]:1/"] {
            assert_eq!(Issuer::parse(fine).expect("fine").text(), fine);
        }
        for (bad, why) in [
            ("id.example", IssuerRefused::NoUrl),
            ("http://id.example", IssuerRefused::Insecure),
            ("http://localhost.id.example", IssuerRefused::Insecure),
            ("ftp://127.0.0.1", IssuerRefused::Insecure),
            ("https://id.example?a=b", IssuerRefused::Superfluous),
            ("https://id.example#a", IssuerRefused::Superfluous),
            ("https://a:b@id.example", IssuerRefused::Superfluous),
        ] {
            assert_eq!(Issuer::parse(bad), Err(why), "{bad}");
        }
    }

    #[test]
    fn metadata_is_looked_for_where_both_standards_put_it() {
        assert_eq!(
            places("https://id.example/tenant"),
            [
                "https://id.example/.well-known/oauth-authorization-server/tenant",
                "https://id.example/.well-known/openid-configuration/tenant",
                "https://id.example/tenant/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            places("https://id.example/"),
            [
                "https://id.example/.well-known/oauth-authorization-server",
                "https://id.example/.well-known/openid-configuration",
            ]
        );
    }
}
