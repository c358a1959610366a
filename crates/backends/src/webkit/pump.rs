//! One task per view: it reads the page's events in their order, keeps its state, and tells the engine. It never waits for an
//! answer, so that nothing that a page does can hold up its events.

use std::sync::{Arc, Weak};

use base::Following;
use engine::backend::{Failure, FrameId, PageEvent};
use serde_json::json;
use tokio::sync::mpsc;
use wire::inspector::types;
use wire::inspector::{Event, Events};

use super::bodies::bytes;
use super::console::Console;
use super::frames::Outcome;
use super::network::{Matter, Network};
use super::page::{Page, lock};
use super::reasons;
use super::said::thrown;

/// What the task needs.
#[derive(Debug)]
pub(super) struct Pump {
    page: Weak<Page>,
    token: String,
    network: Network,
    console: Console,
    /// Where answers about frames come in.
    trees: mpsc::UnboundedReceiver<types::ResourceTree>,
}

impl Pump {
    pub(super) fn new(page: &Arc<Page>, token: String) -> Self {
        let (answers, trees) = mpsc::unbounded_channel();
        *lock(&page.trees) = Some(answers);
        Self {
            page: Arc::downgrade(page),
            token,
            network: Network::new(page.id.as_str(), page.channel().target()),
            console: Console::default(),
            trees,
        }
    }

    /// Runs until the view is gone, or nobody has the page any more.
    pub(super) async fn run(mut self, mut events: Events, mut following: Following) {
        loop {
            tokio::select! {
                // Events first: whoever follows is told when none is left.
                biased;
                event = events.next() => {
                    let Some(event) = event else { break };
                    let Some(page) = self.page.upgrade() else { return };
                    self.handle(&page, &event);
                }
                Some(tree) = self.trees.recv() => {
                    let Some(page) = self.page.upgrade() else { return };
                    page.grow(&tree.frame_tree, None);
                }
                follower = following.next() => follower.tell(),
            }
        }
        if let Some(page) = self.page.upgrade() {
            let left = self.network.all_gone();
            self.give_up(&page, left);
        }
    }

    /// Tells of requests that nobody will end.
    fn give_up(&self, page: &Page, failed: Vec<PageEvent>) {
        for event in failed {
            if let PageEvent::Failed(failure) = &event {
                lock(&page.bodies).ended(&failure.id);
            }
            page.say(event);
        }
        page.change(|_| ());
    }

    fn handle(&mut self, page: &Arc<Page>, event: &Event) {
        let method = event.method();
        match method.split_once('.').map_or(method, |(domain, _)| domain) {
            "Page" => self.page_event(page, event),
            "Runtime" => {
                if method == "Runtime.executionContextCreated"
                    && let Some(types::ContextCreated { context }) = event.read()
                    && context.r#type == "normal"
                {
                    page.change(|frames| {
                        let frame = frames.id(&context.frame_id);
                        frames.add_realm(&frame, context.id);
                    });
                }
            }
            "Console" => self.console_event(page, event),
            "Network" => self.network_event(page, event),
            "Worker" => self.worker_event(page, event),
            // The processes of the page: whoever waits for one looks again.
            "Target" => {
                page.change(|_| ());
                if method == "Target.targetCreated" || method == "Target.didCommitProvisionalTarget" {
                    page.process_changed(event);
                }
            }
            _ => {}
        }
    }

    fn console_event(&mut self, page: &Arc<Page>, event: &Event) {
        match event.method() {
            "Console.messageAdded" => {
                let Some(types::MessageAdded { message }) = event.read() else { return };
                let first = message.parameters.first().and_then(|first| first.value.as_ref());
                if first.is_some_and(|first| *first == *self.token) {
                    match thrown(&message.parameters) {
                        Some(json) => self.console.thrown(json),
                        None => page.said(&message.parameters),
                    }
                    return;
                }
                if let Some(url) = reasons::of_port(&message.text) {
                    let told = self.network.refused(url, &page.main_frame);
                    told.into_iter().for_each(|event| page.say(event));
                }
                if let Some(entry) = self.console.added(&message) {
                    page.say(PageEvent::Console(entry));
                }
            }
            "Console.messageRepeatCountUpdated" => {
                let timestamp = event.read().and_then(|repeated: types::MessageRepeated| repeated.timestamp);
                if let Some(entry) = self.console.repeated(timestamp) {
                    page.say(PageEvent::Console(entry));
                }
            }
            _ => {}
        }
    }

    /// A worker waits until it is told to go on; by then we listen to its console, which is the page's.
    fn worker_event(&mut self, page: &Page, event: &Event) {
        match event.method() {
            "Worker.workerCreated" => {
                let Some(types::OfWorker { worker_id }) = event.read() else { return };
                let enable = json!({ "id": 1, "method": "Console.enable", "params": {} }).to_string();
                let listen = json!({ "workerId": worker_id, "message": enable });
                let channel = page.channel();
                tokio::spawn(channel.send("Worker.sendMessageToWorker", listen));
                tokio::spawn(channel.send("Worker.initialized", json!({ "workerId": worker_id })));
            }
            "Worker.dispatchMessageFromWorker" => {
                let said = event.read().and_then(|told: types::FromWorker| told.console());
                if let Some(entry) = said.and_then(|message| self.console.added(&message)) {
                    page.say(PageEvent::Console(entry));
                }
            }
            _ => {}
        }
    }

    fn network_event(&mut self, page: &Arc<Page>, event: &Event) {
        if event.method() == "Network.requestIntercepted" {
            if let Some(intercepted) = event.read() {
                page.intercepted(&intercepted);
            }
            return;
        }
        if event.method() == "Network.requestWillBeSent"
            && let Some(sent) = event.read::<types::RequestWillBeSent>()
        {
            let request = self.network.id(&sent.request_id);
            let text = sent.request.headers.keys().any(|name| name.eq_ignore_ascii_case("content-type"));
            lock(&page.bodies).note(&request, sent.request.post_data.map(|body| bytes(body, text)));
            page.visited(&sent.request.url);
            Self::unknown(page, &sent.frame_id);
        }
        if event.method() == "Network.dataReceived"
            && let Some(types::OfRequest { request_id }) = event.read()
        {
            lock(&page.bodies).received(self.network.id(&request_id));
        }
        let (told, matter) = self.network.translate(event, |raw| page.frames().id(raw));
        // A navigation begins before its request is told.
        if let Some(Matter::Navigation { frame, loader, url }) = &matter {
            page.navigation_started(frame, loader, url);
        }
        for event in told {
            if let PageEvent::Finished { id, .. } | PageEvent::Failed(Failure { id, .. }) = &event {
                lock(&page.bodies).ended(id);
            }
            page.say(event);
        }
        match matter {
            Some(Matter::Lost { loader, reason }) => {
                page.navigation_failed(&loader, &reason, Outcome::Failed(reason.clone()));
            }
            Some(Matter::Download { loader, url, name }) => {
                page.downloads(&url, name);
                let reason = "the server sent a file to be saved: there is no document";
                page.navigation_failed(&loader, reason, Outcome::Download);
            }
            _ => {}
        }
        page.change(|_| ());
    }

    fn page_event(&mut self, page: &Arc<Page>, event: &Event) {
        match event.method() {
            "Page.frameNavigated" => {
                let Some(types::FrameNavigated { frame }) = event.read() else { return };
                self.committed(page, &frame);
            }
            "Page.frameStartedLoading" => {
                if let Some(types::OfFrame { frame_id }) = event.read() {
                    Self::unknown(page, &frame_id);
                }
            }
            "Page.frameDetached" => {
                let Some(types::OfFrame { frame_id }) = event.read() else { return };
                let frame = page.frames().id(&frame_id);
                let gone = page.change(|frames| frames.remove(&frame));
                self.abandon(page, &gone);
                if !gone.is_empty() {
                    page.say(PageEvent::FrameDetached { frame });
                }
            }
            "Page.frameScheduledNavigation" => {
                let Some(types::Scheduled { frame_id, delay }) = event.read() else { return };
                // One that is put off lets its document come to its end.
                let frame = page.frames().id(&frame_id);
                if delay < 1.0 {
                    page.scheduled(&frame, true);
                }
            }
            "Page.frameClearedScheduledNavigation" => {
                let Some(types::OfFrame { frame_id }) = event.read() else { return };
                let frame = page.frames().id(&frame_id);
                page.scheduled(&frame, false);
            }
            "Page.frameStoppedLoading" => {
                let Some(types::OfFrame { frame_id }) = event.read() else { return };
                let frame = page.frames().id(&frame_id);
                page.stopped(&frame);
            }
            "Page.domContentEventFired" => {
                page.say(PageEvent::DomContentLoaded { frame: page.main_frame.clone() });
            }
            "Page.loadEventFired" => page.loaded(&page.main_frame.clone()),
            _ => {}
        }
    }

    /// What frames that are gone waited for will not be told.
    fn abandon(&mut self, page: &Page, gone: &[FrameId]) {
        let abandoned = gone.iter().flat_map(|frame| self.network.frame_gone(frame)).collect();
        self.give_up(page, abandoned);
    }

    fn committed(&mut self, page: &Arc<Page>, committed: &types::Frame) {
        let frame = page.place(committed);
        let abandoned = self.network.document_changed(&frame, &committed.loader_id);
        self.give_up(page, abandoned);
        let gone = page.committed(&frame, committed);
        self.abandon(page, &gone);
    }

    /// A frame that an event named before its document came: its parent is asked for.
    fn unknown(page: &Arc<Page>, raw: &str) {
        let known = {
            let frames = page.frames();
            !frames.has_main() || frames.get(&frames.id(raw)).is_some()
        };
        if !known {
            let page = page.clone();
            // A page that is gone has no frames.
            tokio::spawn(async move { drop(page.learn_frames().await) });
        }
    }
}
