//! Views: the windows that the browser opens when it is asked to, before anybody speaks to them.

use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, OpenedPage};
use serde_json::json;
use tokio::sync::watch;
use wire::inspector::{Wrapping, types};

use super::context::{ContextInner, in_time};
use super::page::{Link, Page, lock};
use super::pages::Pages;
use super::pump::Pump;

/// How long a new window may take to show its blank document.
const SHOWN: Duration = Duration::from_secs(5);

impl ContextInner {
    /// A view that is given to whoever asks for one next.
    pub(super) fn unclaimed(&self, target: u64) {
        let mut pages = lock(&self.pages);
        pages.unclaimed.push_back(target);
        pages.arrivals.send_modify(|count| *count += 1);
    }

    /// A window has a document.
    pub(super) fn shown(&self, handle: String) {
        let mut pages = lock(&self.pages);
        pages.shown.insert(handle);
        pages.arrivals.send_modify(|count| *count += 1);
    }

    /// Opens a window and gives the page in it, which knows nothing yet of how it is to be.
    pub(super) async fn open_view(self: &Arc<Self>) -> Result<(Arc<Page>, OpenedPage), BackendError> {
        let (target, handle) = self.view().await?;
        let (page, opened) = self.attach(target);
        lock(&page.link).handle = Some(handle);
        Ok((page, opened))
    }

    /// Opens a window that nobody speaks to yet: its target, and what the automation session calls it.
    async fn view(&self) -> Result<(u64, String), BackendError> {
        let _turn = self.opening.lock().await;
        lock(&self.pages).asked += 1;
        let opened = in_time("to open a page", self.claim_view()).await;
        lock(&self.pages).asked -= 1;
        opened
    }

    async fn claim_view(&self) -> Result<(u64, String), BackendError> {
        let mut arrivals = lock(&self.pages).arrivals.subscribe();
        let created =
            self.automate("Automation.createBrowsingContext", json!({ "presentationHint": "Window" }));
        let created: types::Created = created.await?.read().map_err(|error| BackendError::Refused {
            request: "to open a page".to_owned(),
            reason: error.to_string(),
        })?;
        // What is said to a view without a process is lost; it has one when it shows its blank document.
        let shown = self.arrived(&mut arrivals, |pages| pages.shown.contains(&created.handle).then_some(()));
        drop(Deadline::after(SHOWN).race(shown).await);
        // Known without a gap: whoever is spoken to twice takes the browser with it.
        let claimed = |pages: &mut Pages| {
            let target = pages.unclaimed.pop_front()?;
            pages.coming.insert(target);
            Some(target)
        };
        let target = self.arrived(&mut arrivals, claimed).await?;
        Ok((target, created.handle))
    }

    pub(super) async fn arrived<T>(
        &self,
        arrivals: &mut watch::Receiver<u64>,
        mut look: impl FnMut(&mut Pages) -> Option<T>,
    ) -> Result<T, BackendError> {
        loop {
            arrivals.borrow_and_update();
            let found = look(&mut lock(&self.pages));
            if let Some(found) = found {
                return Ok(found);
            }
            tokio::select! {
                _ = arrivals.changed() => {}
                why = self.connection.closed() => return Err(BackendError::BrowserGone(why.to_string())),
            }
        }
    }

    /// The page that nobody sees: it keeps the browser from ending with its last page, and goes where its cookies and
    /// storage are looked at.
    pub(super) async fn keeper(self: &Arc<Self>) -> Result<Arc<Page>, BackendError> {
        let kept = lock(&self.pages).keeper.clone();
        if let Some(keeper) = kept.filter(|keeper| !keeper.has_ended() && !keeper.has_crashed()) {
            return Ok(keeper);
        }
        let (page, _) = self.open_view().await?;
        in_time("to open a page", page.equip_newest()).await?;
        lock(&self.pages).keeper = Some(page.clone());
        Ok(page)
    }

    /// Puts a new view behind a page whose process died: the dead one belongs to a session that is no more.
    pub(super) async fn transplant(self: &Arc<Self>, page: &Page) -> Result<(), BackendError> {
        let (target, handle) = self.view().await?;
        let known = {
            let mut pages = lock(&self.pages);
            let known = pages.open.iter().find(|(_, known)| known.id == page.id);
            let key = known.map(|(key, known)| (*key, known.clone()));
            key.map(|(key, known)| {
                pages.open.remove(&key);
                pages.open.insert(target, known.clone());
                pages.coming.remove(&target);
                known
            })
        };
        let page = known.ok_or(BackendError::PageGone)?;
        let (channel, events) = self.connection.channel(target, Wrapping::Wrapped);
        let (followers, following) = base::followers();
        *lock(&page.link) = Link { channel, handle: Some(handle), ended: false };
        *lock(&page.followers) = followers;
        *page.hands.lock().await = super::input::Hands::default();
        let token = lock(&self.recipe).token.clone();
        tokio::spawn(Pump::new(&page, token).run(events, following));
        page.revived();
        in_time("to bring the page back", Box::pin(self.prepare(&page))).await
    }
}
