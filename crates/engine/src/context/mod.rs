//! A session's browser context as a user understands it: its tabs, which of them is in front, its downloads.
//!
//! One task takes note of what happens in the context outside any one page. Tabs that a page opens are followed from
//! their beginning, and stay in the background until they are selected.

mod downloads;
mod moment;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::{Activity, CallScope, Deadline};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;

pub use moment::{Happened, Moment};

use self::downloads::Downloads;
use crate::backend::{
    self, BackendError, ContextEvent, ContextOptions, Cookie, Download, DownloadState, Gone, OriginStorage,
    PageId,
};
use crate::page::{Interruption, Life, Page, State};

/// How long a page that another one asked for may take to be where it was to go.
const ARRIVING: Duration = Duration::from_millis(700);

/// A context with its tabs. Clones are the same context.
#[derive(Debug, Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    backend: Arc<dyn backend::Context>,
    tabs: Mutex<Tabs>,
    pump: Mutex<Option<AbortHandle>>,
}

#[derive(Debug, Default)]
struct Tabs {
    pages: Vec<Page>,
    current: Option<PageId>,
    downloads: Downloads,
    /// How many tabs were closed.
    closed: usize,
}

/// Cookies and local storage to begin with, as Playwright writes them into a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StorageState {
    /// Cookies.
    pub cookies: Vec<Cookie>,
    /// Local storage, by origin.
    pub origins: Vec<OriginStorage>,
}

impl Context {
    /// Opens a context without tabs. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// [`BackendError`] when the browser refuses; nothing of the context is left then.
    pub async fn open(
        browser: &dyn backend::Browser,
        options: ContextOptions,
        storage: Option<StorageState>,
    ) -> Result<Self, BackendError> {
        let opened = browser.new_context(options).await?;
        let context = Self::new(opened);
        if let Err(error) = context.fill(storage.unwrap_or_default()).await {
            // It was never used; that it can't be closed either changes nothing.
            let _ = context.inner.backend.close().await;
            return Err(error);
        }
        Ok(context)
    }

    fn new(opened: backend::OpenedContext) -> Self {
        let inner =
            Arc::new(Inner { backend: opened.context, tabs: Mutex::default(), pump: Mutex::default() });
        let pump = tokio::spawn(pump(opened.events, Arc::downgrade(&inner)));
        *inner.pump.lock().unwrap_or_else(PoisonError::into_inner) = Some(pump.abort_handle());
        Self { inner }
    }

    /// Gives a new context what it begins with.
    async fn fill(&self, storage: StorageState) -> Result<(), BackendError> {
        if !storage.cookies.is_empty() {
            self.inner.backend.set_cookies(storage.cookies).await?;
        }
        if !storage.origins.is_empty() {
            self.inner.backend.seed_storage(storage.origins).await?;
        }
        Ok(())
    }

    /// Waits until the process that carries this context alone is gone; see [`backend::Context::gone`].
    pub async fn gone(&self) -> Gone {
        self.inner.backend.gone().await
    }

    /// The open tabs, in the order in which they were opened.
    pub fn pages(&self) -> Vec<Page> {
        self.tabs().pages.clone()
    }

    /// The tab in front.
    pub fn current(&self) -> Option<Page> {
        self.tabs().current().cloned()
    }

    /// The tab in front, or a new one when there is none.
    ///
    /// # Errors
    /// [`Interruption`] when no tab can be opened.
    pub async fn page(&self, scope: &CallScope) -> Result<Page, Interruption> {
        match self.current() {
            Some(page) => Ok(page),
            None => self.new_page(scope).await,
        }
    }

    /// Opens a blank tab in front of the others.
    ///
    /// # Errors
    /// [`Interruption`] when the browser refuses or the call ends first.
    pub async fn new_page(&self, scope: &CallScope) -> Result<Page, Interruption> {
        let opened = match scope.race(self.inner.backend.new_page()).await? {
            // The process that was to carry it died under it, with others: the next one is a fresh one.
            Err(BackendError::PageGone) => scope.race(self.inner.backend.new_page()).await?,
            opened => opened,
        };
        let opened = opened.map_err(Interruption::Backend)?;
        let page = self.inner.follow(opened);
        let mut tabs = self.tabs();
        tabs.current = Some(page.id().clone());
        tabs.pages.push(page.clone());
        Ok(page)
    }

    /// Puts the tab with this number in front.
    ///
    /// # Errors
    /// [`Interruption`] when the browser refuses or the call ends first.
    pub async fn select(&self, index: usize, scope: &CallScope) -> Result<Option<Page>, Interruption> {
        let Some(page) = self.tabs().pages.get(index).cloned() else { return Ok(None) };
        scope.race(page.backend().bring_to_front()).await?.map_err(Interruption::Backend)?;
        self.tabs().current = Some(page.id().clone());
        Ok(Some(page))
    }

    /// Closes a tab, the one in front if none is named, without asking its page. False if there is no such tab.
    ///
    /// # Errors
    /// [`Interruption`] when the call ends before it is closed.
    pub async fn close_page(&self, index: Option<usize>, scope: &CallScope) -> Result<bool, Interruption> {
        let page = match index {
            Some(index) => self.tabs().pages.get(index).cloned(),
            None => self.current(),
        };
        let Some(page) = page else { return Ok(false) };
        match scope.race(page.backend().close(false)).await? {
            Ok(()) | Err(BackendError::PageGone) => {}
            Err(error) => return Err(Interruption::Backend(error)),
        }
        let closed = |state: &State| (state.life == Life::Closed).then_some(());
        match page.wait_for(scope, closed).await {
            Ok(()) | Err(Interruption::Closed | Interruption::Crashed | Interruption::Dialog(_)) => {}
            Err(why) => return Err(why),
        }
        self.tabs().forget(page.id());
        Ok(true)
    }

    /// Every download so far, the oldest first.
    pub fn downloads(&self) -> Vec<Download> {
        self.tabs().downloads.all()
    }

    /// Cookies of the whole context, and the means to change what all its pages share.
    pub fn backend(&self) -> &Arc<dyn backend::Context> {
        &self.inner.backend
    }

    /// Closes every tab and forgets everything, by `deadline`.
    pub async fn close(&self, deadline: Deadline) {
        // A context that is gone with its browser is closed, too.
        let _ = deadline.race(self.inner.backend.close()).await;
        if let Some(pump) = self.inner.pump.lock().unwrap_or_else(PoisonError::into_inner).take() {
            pump.abort();
        }
    }

    fn tabs(&self) -> MutexGuard<'_, Tabs> {
        self.inner.tabs()
    }
}

impl Inner {
    fn follow(&self, opened: backend::OpenedPage) -> Page {
        Page::new(opened)
    }

    fn tabs(&self) -> MutexGuard<'_, Tabs> {
        let mut tabs = self.tabs.lock().unwrap_or_else(PoisonError::into_inner);
        tabs.drop_closed();
        tabs
    }
}

impl Tabs {
    fn current(&self) -> Option<&Page> {
        self.pages.iter().find(|page| Some(page.id()) == self.current.as_ref())
    }

    /// Lets go of the tabs that were closed, by whomever.
    fn drop_closed(&mut self) {
        let closed: Vec<PageId> = self
            .pages
            .iter()
            .filter(|page| page.state().life == Life::Closed)
            .map(|page| page.id().clone())
            .collect();
        for id in closed {
            self.forget(&id);
        }
    }

    /// Forgets a tab; when it was in front, its opener comes there, or else the one before it.
    fn forget(&mut self, id: &PageId) {
        let Some(at) = self.pages.iter().position(|page| page.id() == id) else { return };
        let gone = self.pages.remove(at);
        self.closed += 1;
        if self.current.as_ref() == Some(id) {
            let opener = self.pages.iter().find(|page| gone.opener() == Some(page.id()));
            let next = opener.or_else(|| self.pages.get(at.saturating_sub(1)));
            self.current = next.map(|page| page.id().clone());
        }
    }
}

/// Takes note of what happens in the context, until it is closed.
async fn pump(mut events: UnboundedReceiver<ContextEvent>, context: std::sync::Weak<Inner>) {
    while let Some(event) = events.recv().await {
        let Some(inner) = context.upgrade() else { return };
        match event {
            ContextEvent::Opened(opened) => {
                let page = inner.follow(opened);
                let mut tabs = inner.tabs();
                tabs.current.get_or_insert_with(|| page.id().clone());
                let opener = tabs.pages.iter().find(|other| page.opener() == Some(other.id())).cloned();
                tabs.pages.push(page.clone());
                drop(tabs);
                if let Some(opener) = opener {
                    tokio::spawn(arrive(page, opener));
                }
            }
            ContextEvent::Download(download) => {
                let download = downloads::named(download).await;
                let mut tabs = inner.tabs();
                let page = tabs.pages.iter().find(|page| Some(page.id()) == download.page.as_ref()).cloned();
                let ended = !matches!(download.state, DownloadState::Running { .. });
                let news = tabs.downloads.note(download);
                drop(tabs);
                if let Some(page) = page.filter(|_| news) {
                    page.transfer(ended);
                }
            }
        }
    }
}

/// Tells `opener` that the page which it asked for is there: where it was to go, not on its way.
async fn arrive(page: Page, opener: Page) {
    let scope = CallScope::new(Deadline::after(ARRIVING), CancellationToken::new(), Activity::default());
    // Where it is to go is known when the opener's own news have been heard.
    let heard = opener.caught_up(&scope).await;
    if heard.is_ok() && !opener.state().popups.blank {
        let there = |state: &State| (state.frames.top().documents > 0 || state.failures > 0).then_some(());
        // One that waits for its server, shows a dialog or is closed again is as far as it gets.
        drop(page.wait_for(&scope, there).await);
    }
    opener.popup_came();
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(pump) = self.pump.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            pump.abort();
        }
    }
}
