//! Which cookies a request carries.

use engine::backend::Cookie;
use url::Url;

/// Whether a request to `url` carries the cookie (RFC 6265, sections 5.1.3 and 5.1.4).
pub(crate) fn travels(cookie: &Cookie, url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let on_host = match cookie.domain.strip_prefix('.') {
        Some(domain) => host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
        None => host == cookie.domain,
    };
    let path = url.path();
    let on_path = path
        .strip_prefix(cookie.path.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || cookie.path.ends_with('/'));
    // This machine is trusted without TLS.
    let safe = !cookie.secure || matches!(url.scheme(), "https" | "wss") || host == "localhost";
    on_host && on_path && safe
}

#[cfg(test)]
mod tests {
    use engine::backend::SameSite;

    use super::*;

    fn cookie(domain: &str, path: &str, secure: bool) -> Cookie {
        let (name, value) = ("a".to_owned(), "b".to_owned());
        let (domain, path) = (domain.to_owned(), path.to_owned());
        Cookie {
            name,
            value,
            domain,
            path,
            expires: -1.0,
            http_only: false,
            secure,
            same_site: SameSite::Lax,
        }
    }

    #[test]
    fn a_cookie_travels_to_its_host_its_path_and_only_safely() {
        let goes = |cookie: Cookie, url: &str| travels(&cookie, &Url::parse(url).unwrap());
        assert!(goes(cookie("x.org", "/", false), "http://x.org/a"));
        assert!(!goes(cookie("x.org", "/", false), "http://www.x.org/a"));
        assert!(goes(cookie(".x.org", "/", false), "http://www.x.org/a"));
        assert!(!goes(cookie(".x.org", "/", false), "http://evilx.org/a"));
        assert!(goes(cookie("x.org", "/a", false), "http://x.org/a/b"));
        assert!(!goes(cookie("x.org", "/a", false), "http://x.org/ab"));
        assert!(!goes(cookie("x.org", "/", true), "http://x.org/"));
        assert!(goes(cookie("x.org", "/", true), "https://x.org/"));
    }
}
