//! Cookies, and local storage that is there before any page.

use engine::backend::{Argument, BackendError, Cookie, OpenedPage, OriginStorage, SameSite};
use serde_json::{Value, json};
use url::Url;
use wire::bidi::types::{network, storage};

use super::context::ContextInner;
use super::refusal::refusal;
use crate::cookies::travels;
use crate::usual::FILL;

impl ContextInner {
    fn partition(&self) -> storage::Partition {
        storage::Partition::of(&self.id)
    }

    pub(super) async fn read_cookies(&self, urls: &[String]) -> Result<Vec<Cookie>, BackendError> {
        let cookies =
            self.connection.call(&storage::GetCookies::new(self.partition())).await.map_err(refusal)?;
        let cookies = cookies.cookies.into_iter().map(from_wire);
        if urls.is_empty() {
            return Ok(cookies.collect());
        }
        let urls: Vec<Url> = urls.iter().filter_map(|url| Url::parse(url).ok()).collect();
        Ok(cookies.filter(|cookie| urls.iter().any(|url| travels(cookie, url))).collect())
    }

    pub(super) async fn write_cookies(&self, cookies: Vec<Cookie>) -> Result<(), BackendError> {
        let set =
            cookies.into_iter().map(|cookie| storage::SetCookie::new(to_wire(&cookie), self.partition()));
        let sent: Vec<_> = set.map(|set| self.connection.send(&set)).collect();
        for set in sent {
            set.await.map_err(refusal)?;
        }
        Ok(())
    }

    pub(super) async fn forget_cookies(&self) -> Result<(), BackendError> {
        self.order(&storage::DeleteCookies::new(self.partition())).await
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

    async fn seed_in(&self, opened: &OpenedPage, origins: Vec<OriginStorage>) -> Result<(), BackendError> {
        let page = self.pages().into_iter().find(|page| page.main_frame == opened.main_frame);
        let page = page.ok_or(BackendError::PageGone)?;
        let intercept = network::AddIntercept {
            contexts: Some(vec![page.context.clone()]),
            ..network::AddIntercept::new(vec!["beforeRequestSent"])
        };
        let intercept = page.call(&intercept).await?.intercept;
        let mut seeded = Ok(());
        for OriginStorage { origin, local_storage } in origins {
            let arguments = [json!(origin), json!(local_storage)].map(Argument::Json);
            seeded = match page.arrive(&format!("{origin}/")).await {
                Ok(()) => page.evaluate_function(&page.main_frame, FILL, arguments.into()).await.map(drop),
                Err(error) => Err(error),
            };
            if seeded.is_err() {
                break;
            }
        }
        seeded.and(page.call(&network::RemoveIntercept::new(intercept)).await.map(drop))
    }
}

fn from_wire(cookie: storage::Cookie) -> Cookie {
    Cookie {
        name: cookie.name,
        value: String::from_utf8_lossy(&cookie.value.bytes().unwrap_or_default()).into_owned(),
        domain: cookie.domain,
        path: cookie.path,
        expires: cookie.expiry.unwrap_or(-1.0),
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: match cookie.same_site.as_str() {
            "strict" => SameSite::Strict,
            "none" => SameSite::None,
            // What says nothing is treated as lax.
            _ => SameSite::Lax,
        },
    }
}

fn to_wire(cookie: &Cookie) -> Value {
    let same_site = match cookie.same_site {
        SameSite::Strict => "strict",
        SameSite::Lax => "lax",
        SameSite::None => "none",
    };
    let mut wire = json!({
        "name": cookie.name,
        "value": network::BytesValue::text(cookie.value.as_str()),
        "domain": cookie.domain,
        "path": cookie.path,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
        "sameSite": same_site,
    });
    if cookie.expires >= 0.0 {
        // Whole seconds are all that it takes.
        wire["expiry"] = json!(cookie.expires.trunc() as i64);
    }
    wire
}
