//! Sending a page somewhere.

use std::time::Duration;

use base::Deadline;
use engine::backend::{Argument, BackendError, FrameId, Started};
use serde_json::json;
use url::Url;

use super::frames::Outcome;
use super::page::Page;

/// How long the browser may take to begin.
const BEGIN: Duration = Duration::from_secs(3);

impl Page {
    pub(super) async fn go(
        &self,
        frame: &FrameId,
        url: &str,
        referrer: Option<&str>,
    ) -> Result<Started, BackendError> {
        if *frame != self.main_frame {
            return self.go_within(frame, url).await;
        }
        self.dying().await;
        if self.has_crashed() {
            Box::pin(self.owner()?.transplant(self)).await?;
        }
        let (current, starts) = {
            let frames = self.frames();
            let top = frames.get(frame).ok_or(BackendError::FrameGone)?;
            (top.url.clone(), top.starts)
        };
        if referrer.is_some() {
            tracing::debug!(component = "webkit", event = "referrer_left_out");
        }
        if let Err(reason) = address(url) {
            return Ok(Started::Failed(reason.to_owned()));
        }
        match self.send_to(url).await {
            Err(BackendError::Refused { reason, .. }) => return Ok(Started::Failed(reason)),
            answer => answer?,
        }
        if same_document(&current, url) {
            return Ok(Started::SameDocument);
        }
        let outcome = self.outcome(frame, starts).await?;
        let arrived = self.frames().get(frame).map(|top| top.url.clone()).unwrap_or_default();
        if matches!(outcome, Started::Navigation(_)) && arrived == "about:blank" && !url.starts_with("about:")
        {
            // It asks nobody, and shows nothing.
            return Ok(Started::Failed("net::ERR_UNSAFE_PORT".to_owned()));
        }
        Ok(outcome)
    }

    /// Has the browser go somewhere as a user's address bar does: the page's own rights are not asked.
    async fn send_to(&self, url: &str) -> Result<(), BackendError> {
        let go = |handle: &str| json!({ "handle": handle, "url": url, "pageLoadStrategy": "None" });
        self.automate("Automation.navigateBrowsingContext", go).await.map(drop)
    }

    /// Goes somewhere in a frame below the topmost: only its own scripts can.
    async fn go_within(&self, frame: &FrameId, url: &str) -> Result<Started, BackendError> {
        let starts = self.frames().get(frame).ok_or(BackendError::FrameGone)?.starts;
        let argument = vec![Argument::Json(json!(url))];
        self.evaluate_function(frame, "url => { location.href = url; }", argument).await?;
        let begun = self.until(|page| {
            let frames = page.frames();
            let frame = frames.get(frame)?;
            let loader = frame.pending.as_ref().map(|pending| pending.loader.clone());
            (frame.starts > starts).then(|| loader.or_else(|| frame.loader.clone()))
        });
        match Deadline::after(BEGIN).race(begun).await {
            Ok(loader) => {
                let loader = loader?;
                Ok(loader
                    .map_or(Started::SameDocument, |loader| Started::Navigation(self.navigation(&loader))))
            }
            Err(_) => Ok(Started::SameDocument),
        }
    }

    /// Waits until it is known what comes of a navigation that was just asked for.
    async fn outcome(&self, frame: &FrameId, starts: u64) -> Result<Started, BackendError> {
        let begun = self.until(|page| {
            let frames = page.frames();
            let frame = frames.get(frame)?;
            (frame.starts > starts).then_some(())
        });
        if let Ok(begun) = Deadline::after(BEGIN).race(begun).await {
            begun?;
        } else {
            return Ok(Started::Failed("the browser does not navigate there".to_owned()));
        }
        self.until(|page| {
            let frames = page.frames();
            let frame = frames.get(frame)?;
            match &frame.pending {
                Some(_) => None,
                None => {
                    let loader = frame.newest.clone().or_else(|| frame.loader.clone())?;
                    let outcome = frames.outcome(&loader).cloned().unwrap_or(Outcome::Arrived);
                    let arrived = frame.loader.clone().unwrap_or(loader);
                    Some(match outcome {
                        Outcome::Arrived => Started::Navigation(page.navigation(&arrived)),
                        Outcome::Failed(reason) => Started::Failed(reason),
                        Outcome::Download => Started::Download,
                    })
                }
            }
        })
        .await
    }

    pub(super) async fn load_again(&self, ignore_cache: bool) -> Result<(), BackendError> {
        if self.has_crashed() {
            let url = self.frames().get(&self.main_frame).map(|top| top.url.clone()).unwrap_or_default();
            Box::pin(self.owner()?.transplant(self)).await?;
            return self.send_to(&url).await;
        }
        self.tell("Page.reload", json!({ "ignoreCache": ignore_cache })).await
    }

    /// The page's own history knows how long it is, but not where in it the page is; so the browser is asked to go, and
    /// what comes of it tells.
    pub(super) async fn travel_history(&self, delta: i32) -> Result<bool, BackendError> {
        let (method, steps) = if delta < 0 {
            ("Automation.goBackInBrowsingContext", delta.unsigned_abs())
        } else {
            ("Automation.goForwardInBrowsingContext", delta.unsigned_abs())
        };
        let mut moved = false;
        for _ in 0..steps {
            let before = self.position().await;
            self.automate(method, |handle| json!({ "handle": handle, "pageLoadStrategy": "None" })).await?;
            moved = self.left(before).await;
            if !moved {
                return Ok(false);
            }
        }
        Ok(moved)
    }

    /// What changes when the page goes elsewhere.
    async fn position(&self) -> (u64, String) {
        self.follow().await;
        let frames = self.frames();
        let top = frames.get(&self.main_frame);
        top.map(|top| (top.starts, top.url.clone())).unwrap_or_default()
    }

    /// Whether the page went elsewhere within a moment.
    async fn left(&self, before: (u64, String)) -> bool {
        /// A page of the history that is kept whole is there at once.
        const TRAVEL: Duration = Duration::from_millis(800);
        let gone = self.until(|page| {
            let frames = page.frames();
            let top = frames.get(&page.main_frame)?;
            (top.starts > before.0 || top.url != before.1).then_some(())
        });
        matches!(Deadline::after(TRAVEL).race(gone).await, Ok(Ok(())))
    }

    pub(super) async fn stop_loading(&self) -> Result<(), BackendError> {
        let stopped = self.evaluate_function(&self.main_frame, "() => { window.stop(); }", Vec::new()).await;
        match stopped {
            Err(BackendError::DocumentGone) => Ok(()),
            stopped => stopped.map(drop),
        }
    }
}

/// What the browser can show, by its scheme.
const SCHEMES: &[&str] = &["about", "blob", "data", "file", "http", "https", "javascript", "view-source"];

/// Why an address is none that the browser goes to. It would show a blank page.
fn address(url: &str) -> Result<(), &'static str> {
    let parsed = Url::parse(url).map_err(|_| "net::ERR_INVALID_URL")?;
    if SCHEMES.contains(&parsed.scheme()) { Ok(()) } else { Err("net::ERR_UNKNOWN_URL_SCHEME") }
}

/// Whether going from one address to the other keeps the document (HTML, "navigate to a fragment").
fn same_document(from: &str, to: &str) -> bool {
    let (Ok(mut from), Ok(mut to)) = (Url::parse(from), Url::parse(to)) else { return false };
    if to.fragment().is_none() {
        return false;
    }
    from.set_fragment(None);
    to.set_fragment(None);
    from == to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_fragment_keeps_the_document() {
        assert!(same_document("http://x/a", "http://x/a#b"));
        assert!(same_document("http://x/a#b", "http://x/a#c"));
        assert!(!same_document("http://x/a#b", "http://x/a"));
        assert!(!same_document("http://x/a", "http://x/b#c"));
        assert!(!same_document("http://x/a", "no address"));
    }

    #[test]
    fn what_is_no_address_is_not_gone_to() {
        assert_eq!(address("http://x/"), Ok(()));
        assert_eq!(address("http://"), Err("net::ERR_INVALID_URL"));
        assert_eq!(address("unheard-of://x/"), Err("net::ERR_UNKNOWN_URL_SCHEME"));
    }
}
