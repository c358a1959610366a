//! Cookies. The browser tells those of the document that a page shows, so the keeper goes wherever the context has been.

use std::collections::BTreeSet;

use engine::backend::{BackendError, Cookie, SameSite};
use serde_json::json;
use url::Url;
use wire::inspector::types;

use super::context::ContextInner;
use super::page::{Page, lock};

/// Where cookies may be: origins, and the folders of their paths.
#[derive(Debug, Default)]
pub(super) struct Visited(BTreeSet<String>);

/// As many places as are looked at.
const MOST: usize = 200;

impl Visited {
    /// Takes note of an address.
    pub(super) fn note(&mut self, url: &Url) {
        if !matches!(url.scheme(), "http" | "https") || self.0.len() >= MOST {
            return;
        }
        let mut place = url.clone();
        place.set_query(None);
        place.set_fragment(None);
        let _ = place.set_username("");
        let _ = place.set_password(None);
        let folder = url.path().rsplit_once('/').map_or("/", |(folder, _)| folder);
        place.set_path(&format!("{folder}/"));
        self.0.insert(place.to_string());
        place.set_path("/");
        self.0.insert(place.to_string());
    }
}

impl Page {
    /// The page asked for an address.
    pub(super) fn visited(&self, url: &str) {
        if let (Some(owner), Ok(url)) = (self.context.upgrade(), Url::parse(url)) {
            lock(&owner.visited).note(&url);
        }
    }
}

impl ContextInner {
    pub(super) async fn read_cookies(
        self: &std::sync::Arc<Self>,
        urls: &[String],
    ) -> Result<Vec<Cookie>, BackendError> {
        let places: Vec<String> =
            if urls.is_empty() { lock(&self.visited).0.iter().cloned().collect() } else { urls.to_vec() };
        let mut found: Vec<Cookie> = Vec::new();
        for place in places {
            for cookie in self.cookies_at(&place).await? {
                let same = |known: &Cookie| {
                    (&known.name, &known.domain, &known.path) == (&cookie.name, &cookie.domain, &cookie.path)
                };
                if !found.iter().any(same) {
                    found.push(cookie);
                }
            }
        }
        Ok(found)
    }

    async fn cookies_at(self: &std::sync::Arc<Self>, url: &str) -> Result<Vec<Cookie>, BackendError> {
        let keeper = self.look_at(url).await?;
        let cookies: types::Cookies = keeper.call("Page.getCookies", json!({})).await?;
        Ok(cookies.cookies.into_iter().map(from_wire).collect())
    }

    pub(super) async fn write_cookies(
        self: &std::sync::Arc<Self>,
        cookies: Vec<Cookie>,
    ) -> Result<(), BackendError> {
        let page = self.any_page().await?;
        for cookie in cookies {
            let scheme = if cookie.secure { "https" } else { "http" };
            let place = format!("{scheme}://{}{}", cookie.domain.trim_start_matches('.'), cookie.path);
            if let Ok(mut url) = Url::parse(&place) {
                let path = format!("{}/", url.path().trim_end_matches('/'));
                url.set_path(&path);
                lock(&self.visited).note(&url);
            }
            page.tell("Page.setCookie", json!({ "cookie": to_wire(&cookie) })).await?;
        }
        Ok(())
    }

    pub(super) async fn forget_cookies(self: &std::sync::Arc<Self>) -> Result<(), BackendError> {
        let places: Vec<String> = lock(&self.visited).0.iter().cloned().collect();
        for place in places {
            let keeper = self.look_at(&place).await?;
            let cookies: types::Cookies = keeper.call("Page.getCookies", json!({})).await?;
            for cookie in cookies.cookies {
                let delete = json!({ "cookieName": cookie.name, "url": place });
                keeper.tell("Page.deleteCookie", delete).await?;
            }
        }
        Ok(())
    }

    /// A page to speak through.
    async fn any_page(self: &std::sync::Arc<Self>) -> Result<std::sync::Arc<Page>, BackendError> {
        match self.equipped_pages().into_iter().next() {
            Some(page) => Ok(page),
            None => self.keeper().await,
        }
    }
}

fn from_wire(cookie: types::Cookie) -> Cookie {
    Cookie {
        name: cookie.name,
        value: cookie.value,
        domain: cookie.domain,
        path: cookie.path,
        // In milliseconds here.
        expires: if cookie.session { -1.0 } else { cookie.expires / 1000.0 },
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: match cookie.same_site.as_str() {
            "Strict" => SameSite::Strict,
            "Lax" => SameSite::Lax,
            _ => SameSite::None,
        },
    }
}

fn to_wire(cookie: &Cookie) -> serde_json::Value {
    let same_site = match cookie.same_site {
        SameSite::Strict => "Strict",
        SameSite::Lax => "Lax",
        SameSite::None => "None",
    };
    json!({
        "name": cookie.name, "value": cookie.value, "domain": cookie.domain, "path": cookie.path,
        "expires": cookie.expires.max(0.0) * 1000.0, "session": cookie.expires < 0.0,
        "httpOnly": cookie.http_only, "secure": cookie.secure, "sameSite": same_site,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_looked_for_where_the_context_has_been() {
        let mut visited = Visited::default();
        for url in ["http://u:p@x.org:8080/a/b?c#d", "data:text/html,x", "https://x.org/"] {
            visited.note(&Url::parse(url).unwrap());
        }
        let places: Vec<_> = visited.0.into_iter().collect();
        assert_eq!(places, ["http://x.org:8080/", "http://x.org:8080/a/", "https://x.org/"]);
    }
}
