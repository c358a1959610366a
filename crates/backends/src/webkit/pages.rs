//! The pages of a context, and how each comes to whoever wants it: to whom asked for it, or else as an announcement.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, OpenedPage, PageEvent, PageId};
use serde_json::json;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::{oneshot, watch};
use wire::inspector::{Target, TargetKind, Wrapping};

use super::context::{ContextInner, in_time};
use super::page::{Page, lock};
use super::popups::Asked;
use super::pump::Pump;

/// How long a page may take to show that it lives.
pub(super) const ANSWERS: Duration = Duration::from_secs(1);

/// The pages that are there, and those that are awaited.
#[derive(Debug, Default)]
pub(super) struct Pages {
    pub(super) open: HashMap<u64, Arc<Page>>,
    /// Views whose process died; another one has taken their place, or will.
    pub(super) dead: HashSet<u64>,
    /// How many pages we have asked for and not been given.
    pub(super) asked: usize,
    /// Views that may be what we asked for; nobody speaks to them yet.
    pub(super) unclaimed: VecDeque<u64>,
    /// Views that are about to be spoken to, such as popups that their process may not know yet.
    pub(super) coming: HashSet<u64>,
    /// Windows that have a document, and so a process.
    pub(super) shown: HashSet<String>,
    pub(super) arrivals: watch::Sender<u64>,
    /// Who asked for the next popups.
    pub(super) openers: VecDeque<Asked>,
    /// Ends when the newest popup has been taken note of.
    popup: Option<oneshot::Receiver<()>>,
    count: u64,
    /// The page that nobody sees.
    pub(super) keeper: Option<Arc<Page>>,
}

impl ContextInner {
    /// Every page there is.
    pub(super) fn every_page(&self) -> Vec<Arc<Page>> {
        lock(&self.pages).open.values().cloned().collect()
    }

    /// Every page that was told what its context is to be; another one will be.
    pub(super) fn equipped_pages(&self) -> Vec<Arc<Page>> {
        let ready = |page: &Arc<Page>| page.frames().has_main() && !page.has_crashed();
        self.every_page().into_iter().filter(ready).collect()
    }

    fn page_of(&self, target: u64) -> Option<Arc<Page>> {
        lock(&self.pages).open.get(&target).cloned()
    }

    /// The browser told which targets there are.
    pub(super) async fn targets(self: &Arc<Self>, targets: &[Target]) {
        let session = targets.iter().find(|target| target.kind == TargetKind::Automation);
        let lost = session.is_none();
        let before = self.automation.borrow().as_ref().map(wire::inspector::Channel::target);
        match session {
            Some(session) if before != Some(session.id) => {
                let (channel, events) = self.connection.channel(session.id, Wrapping::Plain);
                self.hear_session(events);
                self.automation.send_replace(Some(channel));
            }
            None if before.is_some() => {
                self.session_lost();
                tokio::spawn(self.clone().find_crashed());
            }
            _ => {}
        }
        let listed = |id: u64| targets.iter().any(|target| target.id == id);
        // A crashed page has no view that could go.
        let vanished: Vec<u64> = {
            let pages = lock(&self.pages);
            let gone = pages.open.iter().filter(|(target, page)| !listed(**target) && !page.has_crashed());
            gone.map(|(target, _)| *target).collect()
        };
        for target in vanished {
            if let Some(page) = self.page_of(target) {
                // What happened before is told before.
                page.follow().await;
                self.view_gone(target, &page, lost);
            }
        }
        for target in targets.iter().filter(|target| target.kind == TargetKind::Page) {
            let known = {
                let pages = lock(&self.pages);
                pages.open.contains_key(&target.id)
                    || pages.dead.contains(&target.id)
                    || pages.unclaimed.contains(&target.id)
                    || pages.coming.contains(&target.id)
            };
            if known {
                continue;
            }
            if lock(&self.pages).asked > 0 {
                self.unclaimed(target.id);
            } else {
                let (turn, ended) = oneshot::channel();
                let before = {
                    let mut pages = lock(&self.pages);
                    pages.coming.insert(target.id);
                    pages.popup.replace(ended)
                };
                tokio::spawn(self.clone().popup_comes(target.id, before, turn));
            }
        }
    }

    /// A crash ended the automation session; every page's name in it is void.
    fn session_lost(&self) {
        self.automation.send_replace(None);
        for page in self.every_page() {
            lock(&page.link).handle = None;
        }
        let insecure = self.options.ignore_https_errors;
        self.connection.start_automation(&uuid::Uuid::new_v4().to_string(), insecure);
    }

    /// A process died: which of the pages it was is not told, nor are they gone from the list. Those that answer live.
    async fn find_crashed(self: Arc<Self>) {
        let pages: Vec<(u64, Arc<Page>)> = {
            let pages = lock(&self.pages);
            let open = pages.open.iter().map(|(target, page)| (*target, page.clone()));
            open.filter(|(_, page)| !page.has_crashed()).collect()
        };
        let alone = pages.len() == 1;
        let looked = pages.into_iter().map(|(target, page)| async move {
            let ask = page.channel().send("Runtime.evaluate", json!({ "expression": "0" }));
            let lives = !alone && matches!(Deadline::after(ANSWERS).race(ask).await, Ok(Ok(_)));
            (!lives).then_some((target, page))
        });
        for (target, page) in futures_util::future::join_all(looked).await.into_iter().flatten() {
            self.died(target, &page).await;
        }
    }

    async fn died(&self, target: u64, page: &Arc<Page>) {
        // What happened before is told before.
        page.follow().await;
        if !page.has_crashed() {
            self.view_gone(target, page, true);
            self.connection.forget(target);
        }
    }

    /// A page died, and nobody told.
    pub(super) async fn page_crashed(&self, page: &Page) {
        let target = page.channel().target();
        if let Some(page) = self.page_of(target) {
            self.died(target, &page).await;
        }
    }

    fn view_gone(&self, target: u64, page: &Arc<Page>, crashed: bool) {
        if lock(&page.link).channel.target() != target {
            // Another view has taken its place.
            lock(&self.pages).open.remove(&target);
            return;
        }
        if crashed {
            lock(&self.pages).dead.insert(target);
            let gone = page.change(super::frames::Frames::crash);
            if !lock(&page.link).ended {
                page.say(PageEvent::Crashed);
            }
            lock(&page.dialog).take();
            page.crash();
            gone.into_iter().for_each(|frame| page.say(PageEvent::FrameDetached { frame }));
            lock(&self.pages).open.remove(&target);
            lock(&self.pages).open.insert(u64::MAX - target, page.clone());
        } else {
            lock(&self.pages).open.remove(&target);
            page.say(PageEvent::Closed);
            page.end();
        }
    }

    /// Every page is closed, with the process.
    pub(super) async fn all_closed(&self) {
        let pages: Vec<_> = std::mem::take(&mut lock(&self.pages).open).into_values().collect();
        for page in pages {
            page.follow().await;
            page.say(PageEvent::Closed);
            page.end();
        }
    }

    /// Begins to speak to a page that is new here.
    pub(super) fn attach(self: &Arc<Self>, target: u64) -> (Arc<Page>, OpenedPage) {
        let (channel, events) = self.connection.channel(target, Wrapping::Wrapped);
        let (told, received) = unbounded_channel();
        let (followers, following) = base::followers();
        let id = {
            let mut pages = lock(&self.pages);
            pages.count += 1;
            PageId::from(format!("page-{}", pages.count))
        };
        let page = Page::new(id, channel, Arc::downgrade(self), told, followers);
        let token = lock(&self.recipe).token.clone();
        {
            let mut pages = lock(&self.pages);
            pages.open.insert(target, page.clone());
            pages.coming.remove(&target);
        }
        tokio::spawn(Pump::new(&page, token).run(events, following));
        let main_frame = page.main_frame.clone();
        let opened = OpenedPage { page: page.clone(), events: received, main_frame, opener: None };
        (page, opened)
    }

    /// Opens a page and waits until it is ready.
    pub(super) async fn open_page(self: &Arc<Self>) -> Result<OpenedPage, BackendError> {
        let (page, opened) = self.open_view().await?;
        in_time("to open a page", Box::pin(self.prepare(&page))).await?;
        Ok(opened)
    }

    pub(super) async fn prepare(&self, page: &Arc<Page>) -> Result<(), BackendError> {
        let Some(viewport) = self.options.viewport else { return page.equip_newest().await };
        *lock(&page.around) = *lock(&self.around);
        let (equipped, framed) = tokio::join!(page.equip_newest(), page.frame_early(viewport));
        equipped?;
        page.fit(viewport, framed).await?;
        *lock(&self.around) = *lock(&page.around);
        Ok(())
    }
}

impl Page {
    /// Shows the page in front of the others.
    pub(super) async fn show(&self) -> Result<(), BackendError> {
        self.automate(
            "Automation.switchToBrowsingContext",
            |handle| json!({ "browsingContextHandle": handle }),
        )
        .await
        .map(drop)
    }

    /// Closes it; the last one of a browser is followed by one that nobody sees.
    pub(super) async fn shut(&self) -> Result<(), BackendError> {
        if self.has_ended() {
            return Ok(());
        }
        let owner = self.owner()?;
        if self.has_crashed() {
            // Its view is dead already.
            let mut pages = lock(&owner.pages);
            pages.open.retain(|_, page| page.id != self.id);
            drop(pages);
            self.say(PageEvent::Closed);
            self.end();
            return Ok(());
        }
        if owner.every_page().len() == 1 {
            owner.keeper().await?;
        }
        let dialog = lock(&self.dialog).clone();
        if let Some(dialog) = dialog {
            // It would be answered by nobody.
            let _ =
                Deadline::after(Duration::from_secs(1)).race(self.handle_dialog(&dialog, false, None)).await;
        }
        let close = |handle: &str| json!({ "handle": handle });
        match self.automate("Automation.closeBrowsingContext", close).await {
            Ok(_) | Err(BackendError::PageGone) => {}
            Err(error) => return Err(error),
        }
        let mut life = self.life.subscribe();
        // The sender is ours.
        let _ = life.wait_for(|life| life.closed).await;
        Ok(())
    }
}
