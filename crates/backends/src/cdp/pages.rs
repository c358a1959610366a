//! The pages of a context, and how each comes to whoever wants it: to whom asked for it, or else as an announcement.
//!
//! The browser attaches a page before it answers the request that made it, so a page that nobody opened may be ours.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use engine::backend::{self, BackendError, ContextEvent, OpenedPage};
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::oneshot;
use wire::cdp::types::ids::TargetId;
use wire::cdp::types::target;

use super::context::ContextInner;
use super::page::{Page, lock};
use super::pump::Pump;
use super::refusal::{Place, of_page};
use super::settings::Kind;
use super::telling;

/// As many pages that are closed as are remembered: a download may be told after the popup that it came from is gone.
const FORMER: usize = 64;

/// The pages that are there, those that were, and those that are awaited.
#[derive(Debug, Default)]
pub(super) struct Pages {
    open: HashMap<TargetId, Arc<Page>>,
    former: VecDeque<TargetId>,
    /// How many pages we have asked for and not been given.
    asked: usize,
    /// Pages that may be what we asked for: nobody opened them, and the browser has not named ours yet.
    unclaimed: HashMap<TargetId, OpenedPage>,
    /// Ours by name, before they came.
    claims: HashMap<TargetId, oneshot::Sender<OpenedPage>>,
}

impl ContextInner {
    /// Takes over a page that was just attached and stands still.
    pub(super) fn attached(self: &Arc<Self>, attached: target::AttachedToTarget) {
        let target = attached.target_info.target_id;
        // Asked for before anything is sent to it: everything that happens in it belongs to one stream.
        let Some(events) = self.connection.tree_events(&attached.session_id) else {
            // It was closed again before we came to it.
            return self.page_closed(&target);
        };
        let session = self.connection.session(attached.session_id);
        let (page, following) =
            Page::new(target.clone(), session, self.settings.clone(), self.screens.clone());
        lock(&self.pages).open.insert(target, page.clone());
        let (told, received) = unbounded_channel();
        tokio::spawn(Pump::new(&page, Arc::downgrade(self), told).run(events, following));
        let mut equipped = self.settings.equip(&page.session, Kind::Page);
        equipped.push(page.fit_window(self.settings.viewport()));
        let equipping = Arc::downgrade(&page);
        tokio::spawn(async move {
            let outcome = telling::all(equipped).await.map_err(of_page);
            if let Err(error) = &outcome {
                tracing::warn!(component = "cdp", event = "page_not_equipped", %error);
            }
            if let Some(page) = equipping.upgrade() {
                page.equipped.send_replace(Some(outcome));
            }
        });
        let opener = attached.target_info.opener_id.map(|opener| opener.as_str().into());
        let main_frame = page.main_frame.clone();
        self.arrived(OpenedPage { page, events: received, main_frame, opener });
    }

    /// Hands a page to whoever asked for it, or announces it.
    fn arrived(&self, opened: OpenedPage) {
        let target = TargetId::from(opened.main_frame.as_str());
        let mut pages = lock(&self.pages);
        if let Some(claim) = pages.claims.remove(&target) {
            // Whoever asked may have gone away; then the page is like any other.
            if let Err(opened) = claim.send(opened) {
                self.tell(ContextEvent::Opened(opened));
            }
        } else if opened.opener.is_none() && pages.asked > 0 {
            pages.unclaimed.insert(target, opened);
        } else {
            self.tell(ContextEvent::Opened(opened));
        }
    }

    /// A page is closed.
    pub(super) fn page_closed(&self, target: &TargetId) {
        let mut pages = lock(&self.pages);
        pages.open.remove(target);
        pages.claims.remove(target);
        if pages.former.len() == FORMER {
            pages.former.pop_front();
        }
        pages.former.push_back(target.clone());
    }

    /// The pages that are open.
    pub(super) fn pages(&self) -> Vec<Arc<Page>> {
        lock(&self.pages).open.values().cloned().collect()
    }

    /// Whether a frame is, or was the topmost one, of a page of this context; and of which, if that is open.
    pub(super) fn page_of(&self, frame: &str) -> Option<Option<Arc<Page>>> {
        let id = frame.into();
        if let Some(page) = self.pages().into_iter().find(|page| page.frames().get(&id).is_some()) {
            return Some(Some(page));
        }
        let former = lock(&self.pages).former.iter().any(|former| former.as_str() == frame);
        former.then_some(None)
    }

    /// Opens a page and waits until it is ready.
    pub(super) async fn open_page(&self) -> Result<OpenedPage, BackendError> {
        let asking = Asking::new(self);
        let create = target::CreateTarget {
            browser_context_id: Some(self.id.clone()),
            ..target::CreateTarget::new("about:blank")
        };
        let target = self.connection.call(&create).await.map_err(of_page)?.target_id;
        let claim = {
            let mut pages = lock(&self.pages);
            match pages.unclaimed.remove(&target) {
                Some(opened) => Ok(opened),
                None if pages.former.contains(&target) => return Err(BackendError::PageGone),
                None => {
                    let (sender, claim) = oneshot::channel();
                    pages.claims.insert(target, sender);
                    Err(claim)
                }
            }
        };
        let opened = match claim {
            Ok(opened) => opened,
            Err(claim) => tokio::select! {
                opened = claim => opened.map_err(|_| BackendError::PageGone)?,
                why = self.connection.closed() => return Err(BackendError::BrowserGone(why.to_string())),
            },
        };
        drop(asking);
        self.ready(&opened).await?;
        Ok(opened)
    }

    /// Waits until a page has what it was equipped with. One that refused it, because there is no such time zone, is none
    /// that anybody wants.
    async fn ready(&self, opened: &OpenedPage) -> Result<(), BackendError> {
        let target = TargetId::from(opened.main_frame.as_str());
        let page = lock(&self.pages).open.get(&target).cloned().ok_or(BackendError::PageGone)?;
        page.realm(&page.main_frame, backend::World::Utility).await?;
        let mut equipped = page.equipped.subscribe();
        let known = async {
            // The sender is the page's.
            let _ = equipped.wait_for(Option::is_some).await;
            Ok(())
        };
        page.while_alive(Place::Page, || known).await?;
        let outcome = page.equipped.borrow().clone();
        if let Some(Err(refused)) = outcome {
            drop(self.connection.browser().send(&target::CloseTarget::new(&target)));
            return Err(refused);
        }
        Ok(())
    }
}

/// A page was asked for. When the last who asked has what they wanted, what nobody claimed is announced.
struct Asking<'a>(&'a ContextInner);

impl<'a> Asking<'a> {
    fn new(context: &'a ContextInner) -> Self {
        lock(&context.pages).asked += 1;
        Self(context)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let mut pages = lock(&self.0.pages);
        pages.asked -= 1;
        if pages.asked == 0 {
            let left: Vec<OpenedPage> = pages.unclaimed.drain().map(|(_, opened)| opened).collect();
            drop(pages);
            left.into_iter().for_each(|opened| self.0.tell(ContextEvent::Opened(opened)));
        }
    }
}
