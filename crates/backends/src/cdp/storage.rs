//! Cookies, and local storage that is there before any page.

use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, Cookie, OriginStorage, SameSite, World};
use futures_util::future::join_all;
use serde_json::json;
use url::Url;
use wire::cdp::types::{fetch, network, runtime, storage};

use super::context::ContextInner;
use super::page::Page;
use super::refusal::of_page;
use crate::cookies::travels;
use crate::usual::FILL;

/// How long pages may take to hand over the cookies that their scripts have set; one that is busy does not hold up the others.
const HANDED_OVER: Duration = Duration::from_millis(500);
/// Reads the cookies of a document and of its frames, as far as they are of its origin. Who sets one does not wait for it to be
/// kept; who reads them in the same document does.
const READ: &str = "function read(of = window) {
    try { of.document.cookie; } catch {}
    for (let at = 0; at < of.length; at++) read(of[at]);
}";

impl Page {
    async fn hand_over_cookies(&self) -> Result<(), BackendError> {
        let realm = self.realm(&self.main_frame, World::Utility).await?;
        let read = runtime::CallForJson {
            unique_context_id: Some(realm.name.clone()),
            return_by_value: Some(true),
            ..runtime::CallForJson::new(READ)
        };
        self.in_realm(&realm, realm.session.send(&read)).await.map(drop)
    }
}

impl ContextInner {
    pub(super) async fn read_cookies(&self, urls: &[String]) -> Result<Vec<Cookie>, BackendError> {
        let pages = self.pages();
        let handing_over = join_all(pages.iter().map(|page| page.hand_over_cookies()));
        // A page that is gone, or on its way elsewhere, has none to hand over.
        let _ = Deadline::after(HANDED_OVER).race(handing_over).await;
        let get = storage::GetCookies { browser_context_id: Some(self.id.clone()) };
        let cookies = self.connection.call(&get).await.map_err(of_page)?.cookies;
        let cookies = cookies.into_iter().map(from_wire);
        if urls.is_empty() {
            return Ok(cookies.collect());
        }
        let urls: Vec<Url> = urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
        Ok(cookies.filter(|cookie| urls.iter().any(|url| travels(cookie, url))).collect())
    }

    pub(super) async fn write_cookies(&self, cookies: Vec<Cookie>) -> Result<(), BackendError> {
        let set = storage::SetCookies {
            browser_context_id: Some(self.id.clone()),
            ..storage::SetCookies::new(cookies.into_iter().map(to_wire).collect::<Vec<_>>())
        };
        self.connection.call(&set).await.map(drop).map_err(of_page)
    }

    pub(super) async fn forget_cookies(&self) -> Result<(), BackendError> {
        let clear = storage::ClearCookies { browser_context_id: Some(self.id.clone()) };
        self.connection.call(&clear).await.map(drop).map_err(of_page)
    }

    /// Storage can only be filled from inside: a page of ours goes to each origin, whose server is not asked.
    pub(super) async fn seed(&self, origins: Vec<OriginStorage>) -> Result<(), BackendError> {
        if origins.is_empty() {
            return Ok(());
        }
        let opened = self.open_page().await?;
        let seeded = self.seed_in(&opened, origins).await;
        let closed = opened.page.close(false).await;
        seeded.and(closed)
    }

    async fn seed_in(
        &self,
        opened: &engine::backend::OpenedPage,
        origins: Vec<OriginStorage>,
    ) -> Result<(), BackendError> {
        let page = self.pages().into_iter().find(|page| page.main_frame == opened.main_frame);
        let page = page.ok_or(BackendError::PageGone)?;
        let everything =
            fetch::RequestPattern { url_pattern: Some("*".to_owned()), ..fetch::RequestPattern::new() };
        let intercept = fetch::Enable { patterns: Some(vec![everything]), ..fetch::Enable::new() };
        page.call(&page.session, &intercept).await?;
        for OriginStorage { origin, local_storage } in origins {
            page.arrive(&format!("{origin}/")).await?;
            let arguments = [json!(origin), json!(local_storage)].map(engine::backend::Argument::Json);
            page.evaluate_function(&page.main_frame, FILL.to_owned(), arguments.into()).await?;
        }
        Ok(())
    }
}

fn from_wire(cookie: network::Cookie) -> Cookie {
    Cookie {
        name: cookie.name,
        value: cookie.value,
        domain: cookie.domain,
        path: cookie.path,
        expires: if cookie.session { -1.0 } else { cookie.expires },
        http_only: cookie.http_only,
        secure: cookie.secure,
        // What says nothing is treated as lax.
        same_site: match cookie.same_site {
            Some(network::CookieSameSite::Strict) => SameSite::Strict,
            Some(network::CookieSameSite::None) => SameSite::None,
            _ => SameSite::Lax,
        },
    }
}

fn to_wire(cookie: Cookie) -> network::CookieParam {
    let same_site = match cookie.same_site {
        SameSite::Strict => network::CookieSameSite::Strict,
        SameSite::Lax => network::CookieSameSite::Lax,
        SameSite::None => network::CookieSameSite::None,
    };
    network::CookieParam {
        domain: Some(cookie.domain),
        path: Some(cookie.path),
        secure: Some(cookie.secure),
        http_only: Some(cookie.http_only),
        same_site: Some(same_site),
        expires: (cookie.expires >= 0.0).then_some(cookie.expires),
        ..network::CookieParam::new(cookie.name, cookie.value)
    }
}
