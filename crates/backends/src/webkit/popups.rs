//! Popups: the pages that other pages ask for.

use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{ContextEvent, FrameId, OpenedPage, PageEvent};
use serde_json::json;
use tokio::sync::oneshot;

use super::context::{ContextInner, READY};
use super::page::{Page, lock};
use super::pages::ANSWERS;

/// How long a popup's document may take before the popup is told without it.
const DOCUMENT: Duration = Duration::from_millis(1500);
/// How long a process may take to make a popup that it has announced.
const MADE: Duration = Duration::from_secs(5);

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
    /// A popup is announced before its process has made it, and what is said to it until then is lost. One popup after the
    /// other: `before` ends when it is this one's turn, `turn` is dropped when it is the next one's.
    pub(super) async fn popup_comes(
        self: Arc<Self>,
        target: u64,
        before: Option<oneshot::Receiver<()>>,
        turn: oneshot::Sender<()>,
    ) {
        if let Some(before) = before {
            // Nothing is sent: it ends.
            let _ = before.await;
        }
        // One that takes longer is spoken to all the same.
        let _ = Deadline::after(MADE).race(self.popup_made()).await;
        let asked = self.who_asked(None).await;
        drop(turn);
        let (page, opened) = self.attach(target);
        Box::pin(self.popup_came(page, opened, asked)).await;
    }

    /// Waits until the newest popup is made. Its process is that of its opener, which answers only after that, and says so
    /// when it has opened one that waits for us.
    async fn popup_made(&self) {
        let mut arrivals = lock(&self.pages).arrivals.subscribe();
        let asking = self.equipped_pages().into_iter().map(|page| async move {
            drop(page.tell("Runtime.evaluate", json!({ "expression": "0" })).await);
        });
        let answered = futures_util::future::join_all(asking);
        let said = async {
            let number = self.arrived(&mut arrivals, |pages| Some(pages.openers.front()?.number)).await;
            if number.is_ok_and(|number| number == 0) {
                // Said before it is opened. A page that does not answer may have nothing to do with it.
                tokio::time::sleep(ANSWERS).await;
            }
        };
        tokio::select! {
            _ = answered => {}
            () = said => {}
        }
    }

    /// Who asked for the popup that comes now, if anybody has said so.
    async fn who_asked(&self, popup: Option<&Page>) -> Option<Asked> {
        for other in self.every_page() {
            // It was told before the popup came, to another task.
            if popup.is_none_or(|popup| popup.id != other.id) {
                other.follow().await;
            }
        }
        let mut pages = lock(&self.pages);
        // A name may be that of a window that is there already: then nothing comes of asking for it.
        let coming = pages.coming.len().max(1);
        while pages.openers.len() > coming && pages.openers.front().is_some_and(|asked| asked.number == 0) {
            pages.openers.pop_front();
        }
        pages.openers.pop_front()
    }

    /// A page that another one asked for is there.
    async fn popup_came(self: Arc<Self>, page: Arc<Page>, mut opened: OpenedPage, asked: Option<Asked>) {
        let equipping = async {
            if let Err(error) = page.equip_newest().await {
                tracing::debug!(component = "webkit", event = "popup_not_equipped", %error);
            }
            match asked {
                // Its process was busy, and has said so by now, before it answered.
                None => self.who_asked(Some(&page)).await,
                asked => asked,
            }
        };
        tokio::pin!(equipping);
        let Ok(asked) = Deadline::after(READY).race(&mut equipping).await else {
            // It is told as it is, and goes on when it can.
            self.tell(ContextEvent::Opened(opened));
            let asked = equipping.await;
            return self.settle(&page, asked).await;
        };
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
        let mut pages = lock(&self.pages);
        pages.openers.push_back(asked);
        pages.arrivals.send_modify(|count| *count += 1);
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
