//! Hears everything that happens in the browser, in order, and tells it to the page or context that it happens in. It
//! never waits for an answer, so that nothing that a page does can hold up the others.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use engine::backend::{FrameId, PageEvent, World};
use serde_json::Value;
use wire::Closed;
use wire::bidi::types::ids::BrowsingContextId;
use wire::bidi::types::{browsing_context as tabs, log, network, script};
use wire::bidi::{Connection, Event, EventKind, Listener};

use super::asked;
use super::console;
use super::context::Contexts;
use super::frame::{Reached, SANDBOX};
use super::frames::News;
use super::page::Page;
use crate::browsers::Process;
use crate::sync::lock;

/// What we want to hear of.
pub(super) const EVENTS: &[&str] = &[
    tabs::ContextCreated::METHOD,
    tabs::ContextDestroyed::METHOD,
    tabs::NavigationStarted::METHOD,
    tabs::NavigationCommitted::METHOD,
    tabs::NavigationFailed::METHOD,
    tabs::FragmentNavigated::METHOD,
    tabs::HistoryUpdated::METHOD,
    tabs::DomContentLoaded::METHOD,
    tabs::Load::METHOD,
    tabs::DownloadWillBegin::METHOD,
    tabs::DownloadEnd::METHOD,
    tabs::UserPromptOpened::METHOD,
    tabs::UserPromptClosed::METHOD,
    tabs::FileDialogOpened::METHOD,
    log::EntryAdded::METHOD,
    network::BeforeRequestSent::METHOD,
    network::ResponseStarted::METHOD,
    network::ResponseCompleted::METHOD,
    network::FetchError::METHOD,
    network::AuthRequired::METHOD,
    script::RealmCreated::METHOD,
    script::RealmDestroyed::METHOD,
    script::Message::METHOD,
];

/// The one who hears.
#[derive(Debug)]
pub(super) struct Ears {
    contexts: Arc<Contexts>,
    process: Arc<dyn Process>,
    /// To answer what can't wait; set when the connection is there, and held weakly by nobody else: the connection ends
    /// with the last who uses it.
    pub(super) connection: Arc<OnceLock<Weak<Connection>>>,
    /// Which page a frame is in.
    pages: HashMap<BrowsingContextId, Weak<Page>>,
}

/// Reads an event that is called an `E`; one that does not look like it is only logged.
pub(super) fn read<E: EventKind>(event: &Event) -> Option<E> {
    event.read().unwrap_or_else(|error| {
        tracing::warn!(component = "bidi", event = "malformed_event", %error);
        None
    })
}

pub(super) fn frame_id(context: &BrowsingContextId) -> FrameId {
    context.as_str().into()
}

impl Ears {
    pub(super) fn new(
        contexts: Arc<Contexts>,
        process: Arc<dyn Process>,
        connection: Arc<OnceLock<Weak<Connection>>>,
    ) -> Self {
        Self { contexts, process, connection, pages: HashMap::new() }
    }

    fn page(&self, context: &BrowsingContextId) -> Option<Arc<Page>> {
        self.pages.get(context)?.upgrade()
    }

    /// The page that an event is of, and its frame.
    pub(super) fn place(&self, context: Option<&BrowsingContextId>) -> Option<(Arc<Page>, FrameId)> {
        let context = context?;
        Some((self.page(context)?, frame_id(context)))
    }

    fn created(&mut self, created: tabs::ContextCreated) {
        if let Some(parent) = &created.parent {
            let Some(page) = self.page(parent) else { return };
            let (frame, parent) = (frame_id(&created.context), frame_id(parent));
            self.pages.insert(created.context, Arc::downgrade(&page));
            if page.change(|frames| frames.attach(&frame, &parent, created.url)) {
                page.tell(PageEvent::FrameAttached { frame, parent });
            }
            return;
        }
        if let Some(owner) = self.contexts.get(&created.user_context) {
            let opener = created.original_opener.as_ref().and_then(|opener| self.page(opener));
            let page = owner.created(created.context.clone(), created.url, opener.as_deref());
            self.pages.insert(created.context, Arc::downgrade(&page));
        }
    }

    fn destroyed(&mut self, destroyed: &tabs::ContextDestroyed) {
        let Some(page) = self.pages.remove(&destroyed.context).and_then(|page| page.upgrade()) else {
            return;
        };
        if destroyed.context == page.context {
            page.closed();
            if let Some(owner) = page.owner.upgrade() {
                owner.page_closed(&page.context);
            }
            self.pages.retain(|_, page| page.strong_count() > 0);
        } else {
            page.frame_gone(&frame_id(&destroyed.context));
        }
    }

    fn tab(&mut self, event: &Event) {
        match event.method() {
            tabs::ContextCreated::METHOD => read(event).into_iter().for_each(|created| self.created(created)),
            tabs::ContextDestroyed::METHOD => read(event).iter().for_each(|gone| self.destroyed(gone)),
            tabs::NavigationStarted::METHOD => {
                self.at(event, |page, frame, started: tabs::NavigationStarted| {
                    page.started(frame, started);
                });
            }
            tabs::NavigationCommitted::METHOD => {
                self.at(event, |page, frame, committed: tabs::NavigationCommitted| {
                    page.committed(&frame, &committed);
                });
            }
            tabs::NavigationFailed::METHOD => self.at(event, |page, _, failed: tabs::NavigationFailed| {
                if let Some(navigation) = &failed.navigation {
                    page.navigation_given_up(navigation, super::reasons::ABORTED);
                }
            }),
            tabs::FragmentNavigated::METHOD => {
                self.at(event, |page, frame, moved: tabs::FragmentNavigated| {
                    page.moved(frame, moved.url, moved.navigation);
                });
            }
            tabs::HistoryUpdated::METHOD => self.at(event, |page, frame, moved: tabs::HistoryUpdated| {
                page.moved(frame, moved.url, None);
            }),
            tabs::DomContentLoaded::METHOD => {
                self.at(event, |page, frame, parsed: tabs::DomContentLoaded| {
                    let (navigation, url) = (parsed.navigation.as_ref(), parsed.url.as_str());
                    page.reached(&frame, News { navigation, url, reached: Reached::Parsed });
                });
            }
            tabs::Load::METHOD => self.at(event, |page, frame, loaded: tabs::Load| {
                let (navigation, url) = (loaded.navigation.as_ref(), loaded.url.as_str());
                page.reached(&frame, News { navigation, url, reached: Reached::Loaded });
            }),
            tabs::DownloadWillBegin::METHOD => self.at(event, |page, _, began: tabs::DownloadWillBegin| {
                page.download_began(began);
            }),
            tabs::DownloadEnd::METHOD => {
                if let Some(ended) = read::<tabs::DownloadEnd>(event) {
                    // Its page may be gone by now.
                    self.contexts.all().iter().any(|context| context.download_ended(&ended));
                }
            }
            tabs::UserPromptOpened::METHOD => {
                self.at(event, |page, frame, opened: tabs::UserPromptOpened| {
                    page.dialog_opened(&frame, opened);
                });
            }
            tabs::UserPromptClosed::METHOD => {
                self.at(event, |page, _, _: tabs::UserPromptClosed| page.dialog_closed());
            }
            _ => {}
        }
    }

    /// Tells an event to the page that it is of.
    fn at<E: EventKind + Placed>(&self, event: &Event, tell: impl FnOnce(&Page, FrameId, E)) {
        let Some(read) = read::<E>(event) else { return };
        if let Some((page, frame)) = self.place(Some(read.context())) {
            tell(&page, frame, read);
        }
    }

    /// What a script of ours in a page says.
    fn said(&self, event: &Event) {
        let Some(said) = read::<script::Message>(event).filter(|said| said.channel == asked::CHANNEL) else {
            return;
        };
        if let Some((page, frame)) = self.place(said.source.context.as_ref())
            && let Some(words) = said.data.value.as_ref().and_then(Value::as_str)
        {
            let fewer = lock(&page.network).asked.page_says(&frame, words);
            if fewer {
                page.change(|_| ());
            }
        }
    }

    fn realm(&self, event: &Event) {
        if let Some(created) = read::<script::RealmCreated>(event) {
            let world = match created.sandbox.as_deref() {
                None => World::Main,
                Some(SANDBOX) => World::Utility,
                Some(_) => return,
            };
            if let Some((page, frame)) =
                self.place(created.context.as_ref()).filter(|_| created.r#type == "window")
            {
                page.change(|frames| frames.add_realm(&frame, world, created.realm));
            }
        } else if let Some(destroyed) = read::<script::RealmDestroyed>(event) {
            let pages = self.contexts.all().into_iter().flat_map(|context| context.pages());
            for page in pages {
                if page.frames().remove_realm(&destroyed.realm) {
                    page.change(|_| ());
                    // Which is told first is the browser's to choose.
                    let vanished = page.frames().has_vanished();
                    if vanished {
                        page.process_died();
                    }
                    return;
                }
            }
        }
    }
}

impl Listener for Ears {
    fn hear(&mut self, event: Event) {
        match event.method().split_once('.').map(|(module, _)| module) {
            Some("browsingContext") => self.tab(&event),
            Some("network") => self.network(&event),
            Some("script") if event.method() == script::Message::METHOD => self.said(&event),
            Some("script") => self.realm(&event),
            Some("log") => {
                if let Some(entry) = read::<log::EntryAdded>(&event)
                    && let Some((page, _)) = self.place(entry.source.context.as_ref())
                    && let Some(entry) = console::entry(entry)
                {
                    page.tell(PageEvent::Console(entry));
                }
            }
            Some("input") => self.at(&event, |page, frame, opened: tabs::FileDialogOpened| {
                page.chooser_opened(&frame, opened);
            }),
            _ => {}
        }
    }

    fn closed(&mut self, _: &Closed) {
        for context in self.contexts.all() {
            for page in context.pages() {
                page.closed();
            }
        }
        // A session can't be taken up again: without its connection a browser is of no use.
        self.process.abandoned();
    }
}

/// An event that happens in a page.
trait Placed {
    fn context(&self) -> &BrowsingContextId;
}

macro_rules! placed {
    ($($event:ident),*) => {$(
        impl Placed for tabs::$event {
            fn context(&self) -> &BrowsingContextId {
                &self.context
            }
        }
    )*};
}
placed!(
    NavigationStarted,
    NavigationCommitted,
    NavigationFailed,
    FragmentNavigated,
    HistoryUpdated,
    DomContentLoaded,
    Load,
    DownloadWillBegin,
    UserPromptOpened,
    UserPromptClosed,
    FileDialogOpened
);

/// Takes requests that are still under way for given up.
pub(super) fn give_up(page: &Page, failed: Vec<PageEvent>) {
    let any = !failed.is_empty();
    failed.into_iter().for_each(|event| page.tell(event));
    if any {
        page.change(|_| ());
    }
}

/// What a frame that is gone waited for will not be told.
pub(super) fn abandon(page: &Page, gone: &[FrameId]) {
    let failed = gone.iter().flat_map(|frame| lock(&page.network).frame_gone(frame)).collect();
    give_up(page, failed);
}
