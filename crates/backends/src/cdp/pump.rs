//! One task per page: it reads the events of all the page's sessions in their order, keeps the page's state, and tells
//! the engine. It never waits for an answer, so that nothing that a page does can hold up its events.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use base::Following;
use base::follow::Follower;
use engine::backend::{Failure, FrameId, PageEvent, World};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;
use wire::cdp::types::ids::{FetchRequestId, SessionId};
use wire::cdp::types::{fetch, input, inspector, log, runtime, target};
use wire::cdp::{Event, EventKind, Events, Session};

use super::console::Console;
use super::context::ContextInner;
use super::documents::id;
use super::frames::Realm;
use super::network::{NavigationLost, Network};
use super::page::{Page, lock};
use super::settings::{Kind, UTILITY_WORLD};
use super::telling;

/// What the task needs.
#[derive(Debug)]
pub(super) struct Pump {
    page: Weak<Page>,
    context: Weak<ContextInner>,
    pub(super) told: UnboundedSender<PageEvent>,
    pub(super) network: Network,
    console: Console,
    pub(super) dialogs: u64,
    /// The topmost frames of the sessions below the page's own.
    roots: HashMap<SessionId, FrameId>,
    /// What is being found out before it is told.
    pub(super) asides: Vec<JoinHandle<()>>,
}

/// Reads an event that is called an `E`; one that does not look like it is only logged.
pub(super) fn read<E: EventKind>(event: &Event) -> Option<E> {
    event.read().unwrap_or_else(|error| {
        tracing::warn!(component = "cdp", event = "malformed_event", %error);
        None
    })
}

impl Pump {
    pub(super) fn new(
        page: &Arc<Page>,
        context: Weak<ContextInner>,
        told: UnboundedSender<PageEvent>,
    ) -> Self {
        let (network, console) = (Network::default(), Console::default());
        Self {
            page: Arc::downgrade(page),
            context,
            told,
            network,
            console,
            dialogs: 0,
            roots: HashMap::new(),
            asides: Vec::new(),
        }
    }

    /// Runs until the page is closed, or nobody has it any more.
    pub(super) async fn run(mut self, mut events: Events, mut following: Following) {
        loop {
            tokio::select! {
                // Events first: whoever follows is told when none is left.
                biased;
                event = events.next() => {
                    let Ok(event) = event else { break };
                    let Some(page) = self.page.upgrade() else { return };
                    self.handle(&page, &event);
                }
                follower = following.next() => self.tell_follower(follower),
            }
        }
        // Told first: whoever's call ends by what follows can learn why.
        self.tell(PageEvent::Closed);
        if let Some(page) = self.page.upgrade() {
            if let Some(id) = page.session.id() {
                page.settings.forget(id);
            }
            page.end();
            if let Some(context) = self.context.upgrade() {
                context.page_closed(&page.target);
            }
        }
    }

    /// Everything is told, unless something is still being found out.
    fn tell_follower(&mut self, follower: Follower) {
        let asides = std::mem::take(&mut self.asides);
        if asides.is_empty() {
            follower.tell();
        } else {
            tokio::spawn(async move {
                futures_util::future::join_all(asides).await;
                follower.tell();
            });
        }
    }

    /// An engine that does not listen any more misses nothing.
    pub(super) fn tell(&self, event: PageEvent) {
        let _ = self.told.send(event);
    }

    /// Tells of requests that nobody will end.
    pub(super) fn give_up(&self, page: &Page, failed: Vec<PageEvent>) {
        for event in failed {
            if let PageEvent::Failed(failure) = &event {
                lock(&page.bodies).ended(&failure.id);
            }
            self.tell(event);
        }
        page.change(|_| ());
    }

    fn handle(&mut self, page: &Arc<Page>, event: &Event) {
        let Some(id) = event.session() else { return };
        let session = page.session.connection().session(id.clone());
        match event.method().split_once('.').map(|(domain, _)| domain) {
            Some("Network") => self.network(page, &session, event),
            Some("Page") => self.page(page, &session, event),
            Some("Runtime") => self.runtime(page, &session, event),
            Some("Target") => self.target(page, event),
            Some("Log") => {
                let entry = read::<log::EntryAdded>(event).and_then(|added| self.console.logged(added.entry));
                entry.into_iter().for_each(|entry| self.tell(PageEvent::Console(entry)));
            }
            Some("Inspector") => self.inspector(page, &session, event),
            Some("Input") => {
                if let Some(dragged) = read::<input::DragIntercepted>(event)
                    && let Some(waiting) = lock(&page.dragged).take()
                {
                    let _ = waiting.send(dragged.data);
                }
            }
            Some("Fetch") => {
                if let Some(paused) = read::<fetch::RequestPaused>(event) {
                    blank(&session, paused.request_id);
                }
            }
            _ => {}
        }
    }

    fn network(&mut self, page: &Page, session: &Session, event: &Event) {
        let (told, lost) = self.network.translate(event);
        for event in &told {
            match event {
                PageEvent::Requested(request) => {
                    lock(&page.bodies).note(request.id.clone(), session);
                    if let (Some(frame), Some(navigation)) = (&request.frame, &request.navigation) {
                        page.change(|frames| frames.requested(frame, navigation.as_str()));
                    }
                }
                PageEvent::Responded(response) => lock(&page.bodies).note(response.id.clone(), session),
                PageEvent::Finished { id, .. } | PageEvent::Failed(Failure { id, .. }) => {
                    lock(&page.bodies).ended(id);
                    page.change(|_| ());
                }
                _ => {}
            }
        }
        told.into_iter().for_each(|event| self.tell(event));
        if let Some(NavigationLost { loader, reason }) = lost {
            self.navigation_failed(page, &loader, reason);
        }
    }

    fn runtime(&mut self, page: &Page, session: &Session, event: &Event) {
        match event.method() {
            runtime::ExecutionContextCreated::METHOD => {
                let Some(created) = read::<runtime::ExecutionContextCreated>(event) else { return };
                let context = created.context;
                let Some(owner) = context.aux_data else { return };
                let Some(frame) = owner.frame_id.as_ref().map(id) else { return };
                let world = match (owner.is_default, context.name.as_str()) {
                    (true, _) => World::Main,
                    (false, UTILITY_WORLD) => World::Utility,
                    _ => return,
                };
                let realm = Realm::new(session.clone(), context.id, context.unique_id);
                page.change(|frames| frames.add_realm(&frame, world, realm));
            }
            runtime::ExecutionContextDestroyed::METHOD => {
                let destroyed = read::<runtime::ExecutionContextDestroyed>(event);
                if let Some(context) = destroyed.and_then(|destroyed| destroyed.execution_context_id) {
                    page.change(|frames| frames.remove_realm(session, context));
                }
            }
            runtime::ExecutionContextsCleared::METHOD => page.change(|frames| frames.remove_realms(session)),
            runtime::ConsoleApiCalled::METHOD => {
                let entry = read(event).and_then(|call| self.console.called(&call));
                entry.into_iter().for_each(|entry| self.tell(PageEvent::Console(entry)));
            }
            runtime::ExceptionThrown::METHOD => {
                if let Some(thrown) = read(event) {
                    self.tell(PageEvent::Console(self.console.thrown(thrown)));
                }
            }
            _ => {}
        }
    }

    fn target(&mut self, page: &Arc<Page>, event: &Event) {
        if let Some(attached) = read::<target::AttachedToTarget>(event) {
            let session = page.session.connection().session(attached.session_id.clone());
            let kind = match attached.target_info.r#type.as_str() {
                "iframe" => Kind::Frame,
                _ => Kind::Worker,
            };
            if kind == Kind::Frame {
                let root = attached.target_info.target_id.as_str().into();
                self.roots.insert(attached.session_id, root);
            }
            equip_aside(page, &session, kind);
        } else if let Some(detached) = read::<target::DetachedFromTarget>(event) {
            page.settings.forget(&detached.session_id);
            let abandoned = self.network.session_gone(&detached.session_id);
            self.give_up(page, abandoned);
            if let Some(root) = self.roots.remove(&detached.session_id) {
                let gone = page.change(|frames| frames.end_session(&detached.session_id, &root));
                self.abandon(page, &gone);
                gone.into_iter().for_each(|frame| self.tell(PageEvent::FrameDetached { frame }));
            }
        }
    }

    fn inspector(&mut self, page: &Page, session: &Session, event: &Event) {
        if event.is::<inspector::TargetReloadedAfterCrash>() {
            return page.revive();
        }
        if !event.is::<inspector::TargetCrashed>() {
            return;
        }
        // Told first: whoever's call ends by what follows can learn why.
        if session.id() == page.session.id() {
            self.tell(PageEvent::Crashed);
            lock(&page.dialog).take();
            page.crash();
        }
        page.change(|frames| frames.crash(session));
        if let Some(id) = session.id() {
            let abandoned = self.network.session_gone(id);
            self.give_up(page, abandoned);
        }
    }
}

/// Equips a session; what it refuses is worth a line in the log, no more: a worker knows less than a page.
fn equip_aside(page: &Page, session: &Session, kind: Kind) {
    let told = page.settings.equip(session, kind);
    tokio::spawn(async move {
        if let Err(error) = telling::all(told).await {
            tracing::debug!(component = "cdp", event = "not_equipped", ?kind, %error);
        }
    });
}

/// Answers a request with an empty document: requests stand still only while storage is seeded.
fn blank(session: &Session, request: FetchRequestId) {
    let kind = fetch::HeaderEntry { name: "Content-Type".to_owned(), value: "text/html".to_owned() };
    drop(session.send(&fetch::FulfillRequest {
        response_headers: Some(vec![kind]),
        ..fetch::FulfillRequest::new(request, 200)
    }));
}
