//! What the server says of itself to clients that want in (RFC 9728).

use serde::Serialize;
use url::Url;

use super::issuer::Issuer;

/// Where the metadata of a resource is: before its path (RFC 9728, section 3.1).
pub(crate) const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// The paths that are resources of their own: a client's URL is one of them.
const PATHS: &[&str] = &["", "/mcp", "/message"];

/// The server as clients know it: the address that they use, whatever stands between.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resource {
    /// `https://host:port`.
    origin: String,
    /// A path before all of ours, without its last slash; usually empty.
    prefix: String,
}

/// RFC 9728, section 2.
#[derive(Debug, Serialize)]
pub(crate) struct Metadata<'a> {
    resource: String,
    authorization_servers: [&'a str; 1],
    scopes_supported: [&'a str; 1],
    bearer_methods_supported: [&'a str; 1],
    resource_name: &'a str,
}

impl Resource {
    pub(crate) fn at(url: &Url) -> Self {
        Self {
            origin: url.origin().ascii_serialization(),
            prefix: url.path().trim_end_matches('/').to_owned(),
        }
    }

    /// What tokens may be meant for.
    pub(crate) fn audiences(&self) -> Vec<String> {
        let whole = format!("{}{}", self.origin, self.prefix);
        let mut all = vec![format!("{whole}/")];
        all.extend(PATHS.iter().map(|path| format!("{whole}{path}")));
        all
    }

    /// Where the metadata of `path` is.
    pub(crate) fn metadata_url(&self, path: &str) -> String {
        let path = if PATHS.contains(&path) { path } else { "" };
        format!("{}{WELL_KNOWN}{}{path}", self.origin, self.prefix)
    }

    /// The metadata at `asked`, an address below [`WELL_KNOWN`]; none for what is no resource here.
    pub(crate) fn metadata<'a>(
        &self,
        asked: &str,
        issuer: &'a Issuer,
        scope: &'a str,
    ) -> Option<Metadata<'a>> {
        let below = asked.strip_prefix(WELL_KNOWN)?.trim_end_matches('/');
        // A proxy may take the prefix away, or not.
        let path = below.strip_prefix(&self.prefix).filter(|path| PATHS.contains(path)).unwrap_or(below);
        PATHS.contains(&path).then(|| Metadata {
            resource: format!("{}{}{path}", self.origin, self.prefix),
            authorization_servers: [issuer.text()],
            scopes_supported: [scope],
            bearer_methods_supported: ["header"],
            resource_name: env!("CARGO_PKG_NAME"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(url: &str) -> Resource {
        Resource::at(&Url::parse(url).expect("a URL"))
    }

    #[test]
    fn each_path_is_a_resource_with_metadata_where_the_standard_puts_it() {
        let issuer = Issuer::parse("https://id.example").expect("an issuer");
        for (url, whole) in
            [("https://e.example:8443/", "https://e.example:8443"), ("https://h/e2e/", "https://h/e2e")]
        {
            let resource = resource(url);
            for path in ["", "/mcp", "/message"] {
                let place = Url::parse(&resource.metadata_url(path)).expect("a URL");
                let told = resource.metadata(place.path(), &issuer, "s").expect("metadata");
                assert_eq!(told.resource, format!("{whole}{path}"));
                assert!(resource.audiences().contains(&told.resource));
            }
            assert!(resource.metadata(&format!("{WELL_KNOWN}/elsewhere"), &issuer, "s").is_none());
        }
        assert_eq!(
            resource("https://h/e2e").metadata_url("/mcp"),
            "https://h/.well-known/oauth-protected-resource/e2e/mcp"
        );
    }
}
