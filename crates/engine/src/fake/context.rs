//! A context that the test plays.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::FakePage;
use super::page::done;
use crate::backend::{
    BackendError, Context, ContextEvent, ContextOptions, Cookie, DownloadId, Geolocation, OpenedContext,
    OpenedPage, OriginStorage, PageEvent, Work,
};

/// A context whose pages are [`FakePage`]s.
#[derive(Debug)]
pub struct FakeContext {
    options: ContextOptions,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// `None` once it is closed.
    events: Option<UnboundedSender<ContextEvent>>,
    pages: Vec<Arc<FakePage>>,
    asked: Vec<String>,
    cookies: Vec<Cookie>,
}

impl FakeContext {
    /// An empty context, as a browser would hand it out, and the handle by which the test plays it.
    pub fn open(options: ContextOptions) -> (Arc<Self>, OpenedContext) {
        let (sender, events) = unbounded_channel();
        let state = State { events: Some(sender), ..State::default() };
        let context = Arc::new(Self { options, state: Mutex::new(state) });
        let opened = OpenedContext { context: context.clone(), events };
        (context, opened)
    }

    /// What it was opened with.
    pub fn options(&self) -> &ContextOptions {
        &self.options
    }

    /// Something happens in it.
    pub fn happen(&self, event: ContextEvent) {
        if let Some(events) = &self.state().events {
            // A context that nobody listens to any more may still do things.
            let _ = events.send(event);
        }
    }

    /// Every page that was opened.
    pub fn pages(&self) -> Vec<Arc<FakePage>> {
        self.state().pages.clone()
    }

    /// A page opens another one.
    pub fn pop_up(&self, opener: &FakePage) -> Arc<FakePage> {
        let (page, opened) = self.another_page();
        let opener = Some(crate::backend::Page::id(opener).clone());
        self.happen(ContextEvent::Opened(OpenedPage { opener, ..opened }));
        page
    }

    /// Everything that it was asked to do.
    pub fn asked(&self) -> Vec<String> {
        self.state().asked.clone()
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        self.state().events.is_none()
    }

    pub(super) fn end(&self) {
        let mut state = self.state();
        state.events = None;
        for page in &state.pages {
            page.happen(PageEvent::Closed);
        }
    }

    fn another_page(&self) -> (Arc<FakePage>, OpenedPage) {
        let mut state = self.state();
        let (page, opened) = FakePage::open_as(&format!("page-{}", state.pages.len()));
        state.pages.push(page.clone());
        (page, opened)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, what: String) -> Work<'static, ()> {
        self.state().asked.push(what);
        done(())
    }
}

impl Context for FakeContext {
    fn new_page(&self) -> Work<'_, OpenedPage> {
        if self.is_closed() {
            let gone = BackendError::BrowserGone("the context is closed".to_owned());
            return Box::pin(std::future::ready(Err(gone)));
        }
        done(self.another_page().1)
    }

    fn cookies(&self, _: &[String]) -> Work<'_, Vec<Cookie>> {
        done(self.state().cookies.clone())
    }

    fn set_cookies(&self, cookies: Vec<Cookie>) -> Work<'_, ()> {
        self.state().cookies.extend(cookies);
        done(())
    }

    fn clear_cookies(&self) -> Work<'_, ()> {
        self.state().cookies.clear();
        done(())
    }

    fn seed_storage(&self, origins: Vec<OriginStorage>) -> Work<'_, ()> {
        self.note(format!("seed {} origins", origins.len()))
    }

    fn grant_permissions(&self, permissions: Vec<String>, _: Option<String>) -> Work<'_, ()> {
        self.note(format!("grant {}", permissions.join(",")))
    }

    fn set_geolocation(&self, position: Option<Geolocation>) -> Work<'_, ()> {
        self.note(format!("geolocation {position:?}"))
    }

    fn set_offline(&self, offline: bool) -> Work<'_, ()> {
        self.note(format!("offline {offline}"))
    }

    fn set_extra_headers(&self, headers: Vec<(String, String)>) -> Work<'_, ()> {
        self.note(format!("headers {headers:?}"))
    }

    fn add_init_script(&self, script: String) -> Work<'_, ()> {
        self.note(format!("init script of {} bytes", script.len()))
    }

    fn cancel_download(&self, download: &DownloadId) -> Work<'_, ()> {
        self.note(format!("cancel {download}"))
    }

    fn close(&self) -> Work<'_, ()> {
        self.end();
        self.note("close".to_owned())
    }
}
