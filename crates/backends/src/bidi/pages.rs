//! The pages of a context, however they came to be.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, ContextEvent, OpenedPage, PageEvent, World};
use wire::bidi::CallError;
use wire::bidi::types::browsing_context as tabs;
use wire::bidi::types::ids::BrowsingContextId;

use super::context::ContextInner;
use super::page::Page;
use super::refusal::refusal;
use crate::sync::lock;

/// How long a page that was opened may take to say where it goes.
const ANNOUNCED: Duration = Duration::from_secs(1);

/// What the browser says when a tab is not there any more.
const NO_TAB: &str = "no such frame";

/// As many pages that are closed as are remembered.
const FORMER: usize = 64;

/// The pages that are there, those that were, and those that are awaited.
#[derive(Debug, Default)]
pub(super) struct Pages {
    open: HashMap<BrowsingContextId, Arc<Page>>,
    former: VecDeque<BrowsingContextId>,
    /// How many pages we have asked for and not been given.
    asked: usize,
    /// Pages that may be what we asked for: nobody opened them, and the browser has not named ours yet.
    unclaimed: HashMap<BrowsingContextId, OpenedPage>,
}

impl ContextInner {
    /// Takes over a page that is there now.
    pub(super) fn created(
        self: &Arc<Self>,
        context: BrowsingContextId,
        url: String,
        opener: Option<&Page>,
    ) -> Arc<Page> {
        let (page, events) = Page::new(context.clone(), url, self);
        let opened = OpenedPage {
            page: page.clone(),
            events,
            main_frame: page.main_frame.clone(),
            opener: opener.map(|opener| opener.id.clone()),
        };
        let mut pages = lock(&self.pages);
        pages.open.insert(context.clone(), page.clone());
        if opener.is_none() && pages.asked > 0 {
            pages.unclaimed.insert(context, opened);
            return page;
        }
        drop(pages);
        if let Some(opener) = opener {
            // Where it goes is told by its own events: what is blank for now may be about to leave.
            opener.tell(PageEvent::PopupAsked { url: String::new() });
        }
        self.equip_later(&page);
        self.announce(&page, opened);
        page
    }

    /// Announces a page that another one opened, when it is known whether it goes somewhere: its process has begun to by
    /// the time that it answers.
    fn announce(self: &Arc<Self>, page: &Arc<Page>, opened: OpenedPage) {
        let (context, page) = (self.clone(), page.clone());
        tokio::spawn(async move {
            let answered = page.call_in(&page.main_frame, World::Utility, "() => 0", Vec::new());
            // One that answers nothing is there all the same.
            drop(Deadline::after(ANNOUNCED).race(answered).await);
            context.tell(ContextEvent::Opened(opened));
        });
    }

    /// A page is closed.
    pub(super) fn page_closed(&self, context: &BrowsingContextId) {
        let mut pages = lock(&self.pages);
        pages.open.remove(context);
        pages.unclaimed.remove(context);
        if pages.former.len() == FORMER {
            pages.former.pop_front();
        }
        pages.former.push_back(context.clone());
    }

    /// The pages that are open.
    pub(super) fn pages(&self) -> Vec<Arc<Page>> {
        lock(&self.pages).open.values().cloned().collect()
    }

    /// Opens a page and waits until it is ready.
    pub(super) async fn open_page(&self) -> Result<OpenedPage, BackendError> {
        let asking = Asking::new(self);
        let context = self.create().await.map_err(refusal)?;
        // That it is there was told before the answer.
        let opened = lock(&self.pages).unclaimed.remove(&context).ok_or(BackendError::PageGone)?;
        drop(asking);
        let page = lock(&self.pages).open.get(&context).cloned().ok_or(BackendError::PageGone)?;
        self.equip(&page).await?;
        Ok(opened)
    }

    /// Has the browser make a tab. It would do so in the foremost window, which may be one that another context's page has
    /// opened, and go with that; so it is told in which.
    async fn create(&self) -> Result<BrowsingContextId, CallError> {
        let create = |beside: Option<&BrowsingContextId>| tabs::Create {
            user_context: Some(self.id.clone()),
            reference_context: beside.cloned(),
            background: Some(true),
            ..tabs::Create::new("tab")
        };
        let created = match self.connection.call(&create(self.first.as_ref())).await {
            // Whoever looks at the browser's windows may close the first tab.
            Err(CallError::Protocol { error, .. }) if self.first.is_some() && error == NO_TAB => {
                self.connection.call(&create(None)).await
            }
            created => created,
        };
        created.map(|created| created.context)
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
            for opened in left {
                self.0.tell(ContextEvent::Opened(opened));
            }
        }
    }
}
