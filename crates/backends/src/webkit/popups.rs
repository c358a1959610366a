//! Popups: the pages that other pages ask for.

use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{ContextEvent, FrameId, OpenedPage, PageEvent};
use serde_json::json;

use super::context::{ContextInner, in_time};
use super::page::{Page, lock};
use super::pages::ANSWERS;

/// How long a popup's document may take before the popup is told without it.
const DOCUMENT: Duration = Duration::from_millis(1500);

/// A popup that a page asked for.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    page: Arc<Page>,
    frame: Option<FrameId>,
    url: String,
    /// It stays blank until it is told to go, by this number.
    number: u64,
}

impl ContextInner {
    /// A popup is announced before its process has made it, and what is said to it until then is lost. The process is that
    /// of its opener, which answers only after that.
    pub(super) async fn popup_comes(self: Arc<Self>, target: u64) {
        let answers = self.equipped_pages().into_iter().map(|page| async move {
            let ask = page.tell("Runtime.evaluate", json!({ "expression": "0" }));
            drop(Deadline::after(ANSWERS).race(ask).await);
        });
        futures_util::future::join_all(answers).await;
        let (page, opened) = self.attach(target);
        Box::pin(self.popup_came(page, opened)).await;
    }

    /// A page that another one asked for is there.
    async fn popup_came(self: Arc<Self>, page: Arc<Page>, mut opened: OpenedPage) {
        let asked = {
            for other in self.every_page() {
                // Its asking was told before it came, to another task.
                if other.id != page.id {
                    other.follow().await;
                }
            }
            lock(&self.pages).openers.pop_front()
        };
        let equipped = in_time("to open a popup", page.equip_newest()).await;
        if let Err(error) = equipped {
            tracing::debug!(component = "webkit", event = "popup_not_equipped", %error);
        }
        opened.opener = asked.as_ref().map(|asked| asked.page.id.clone());
        let settled = self.settle(&page, asked);
        tokio::pin!(settled);
        // Whoever hears of it finds the document that it was opened for, unless that takes long.
        let in_time = Deadline::after(DOCUMENT).race(&mut settled).await.is_ok();
        self.tell(ContextEvent::Opened(opened));
        if !in_time {
            settled.await;
        }
    }

    /// Gives a popup its size, lets it go where it is to go, and waits until it is there.
    async fn settle(&self, page: &Page, asked: Option<Asked>) {
        if let Some(viewport) = self.options.viewport
            && let Err(error) = page.size(viewport).await
        {
            tracing::debug!(component = "webkit", event = "popup_not_sized", %error);
        }
        let Some(Asked { page: opener, frame, url, number }) = asked else { return };
        if let Some(frame) = frame.filter(|_| number > 0) {
            let ask = lock(&self.recipe).ask("go", &number);
            if let Ok(realm) = opener.realm(&frame).await {
                let _ = opener.expression(&realm, &ask).await;
            }
        }
        if url.starts_with("http") {
            let there = page.until(|page| {
                let frames = page.frames();
                let top = frames.get(&page.main_frame)?;
                (top.starts > 0 && top.pending.is_none()).then_some(())
            });
            // A page that is closed meanwhile is told as closed.
            let _ = Deadline::after(DOCUMENT).race(there).await;
        }
    }

    /// A page asked for another one.
    fn asked_for(&self, asked: Asked) {
        lock(&self.pages).openers.push_back(asked);
    }
}

impl Page {
    pub(super) fn popup_asked(self: &Arc<Self>, frame: Option<FrameId>, url: String, number: u64) {
        self.say(PageEvent::PopupAsked { url: url.clone() });
        if let Some(owner) = self.context.upgrade() {
            owner.asked_for(Asked { page: self.clone(), frame, url, number });
        }
    }
}
