//! The documents of a page's frames, from the start of a navigation to the end of its load; and dialogs and file choosers,
//! which the protocol tells in the same domain.

use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{FrameId, PageEvent};
use wire::cdp::types::page;
use wire::cdp::{Event, EventKind, Session};

use super::frames::Pending;
use super::navigate::ABORTED;
use super::page::{Page, lock};
use super::pump::{Pump, read};

/// How long the element of a file chooser is looked for before the chooser is told without it.
const CHOOSER: Duration = Duration::from_secs(2);
/// How long a document that may have been stopped is asked about it.
const STOPPED: Duration = Duration::from_secs(5);

impl Pump {
    pub(super) fn navigation_failed(&self, page: &Page, loader: &str, reason: String) {
        if let Some(frame) = page.change(|frames| frames.fail(loader, &reason)) {
            self.tell(PageEvent::NavigationFailed { frame, navigation: loader.into(), reason });
        }
    }

    pub(super) fn page(&mut self, page: &Arc<Page>, session: &Session, event: &Event) {
        match event.method() {
            page::FrameAttached::METHOD => {
                let Some(attached) = read::<page::FrameAttached>(event) else { return };
                let (frame, parent) = (id(&attached.frame_id), id(&attached.parent_frame_id));
                if page.change(|frames| frames.attach(&frame, &parent, session)) {
                    self.tell(PageEvent::FrameAttached { frame, parent });
                }
            }
            page::FrameDetached::METHOD => {
                let Some(detached) = read::<page::FrameDetached>(event) else { return };
                // A frame that moves to another process stays the same frame.
                if detached.reason.as_deref() != Some("swap") {
                    self.frame_gone(page, id(&detached.frame_id));
                }
            }
            page::FrameStartedNavigating::METHOD => {
                read(event).into_iter().for_each(|started| self.started(page, started));
            }
            page::FrameNavigated::METHOD => {
                read(event).into_iter().for_each(|navigated| self.committed(page, session, navigated));
            }
            page::NavigatedWithinDocument::METHOD => {
                let Some(moved) = read::<page::NavigatedWithinDocument>(event) else { return };
                self.tell(PageEvent::AddressChanged { frame: id(&moved.frame_id), url: moved.url });
            }
            page::FrameStoppedLoading::METHOD => {
                let Some(stopped) = read::<page::FrameStoppedLoading>(event) else { return };
                // A navigation that never came to a request: a dialog kept the page, or a script stopped it.
                let pending =
                    page.frames().get(&id(&stopped.frame_id)).and_then(|frame| frame.pending.clone());
                match pending {
                    Some(pending) if !pending.requested => {
                        self.navigation_failed(page, pending.loader.as_str(), ABORTED.to_owned());
                    }
                    Some(_) => {}
                    None => self.stopped(page, id(&stopped.frame_id)),
                }
            }
            page::LifecycleEvent::METHOD => {
                read(event).into_iter().for_each(|reached| self.reached(page, &reached));
            }
            page::JavascriptDialogOpening::METHOD => {
                let Some(opening) = read(event) else { return };
                self.dialogs += 1;
                self.tell(PageEvent::DialogOpened(page.dialog_opened(self.dialogs, opening)));
            }
            page::JavascriptDialogClosed::METHOD => {
                if let Some(id) = lock(&page.dialog).take() {
                    self.tell(PageEvent::DialogClosed { id });
                }
            }
            page::WindowOpen::METHOD => {
                let url = read::<page::WindowOpen>(event).map(|opened| opened.url).unwrap_or_default();
                self.tell(PageEvent::PopupAsked { url });
            }
            page::FileChooserOpened::METHOD => {
                read(event).into_iter().for_each(|opened| self.file_chooser(page, opened));
            }
            _ => {}
        }
    }

    fn frame_gone(&mut self, page: &Page, frame: FrameId) {
        let gone = page.change(|frames| frames.remove(&frame));
        self.abandon(page, &gone);
        self.tell(PageEvent::FrameDetached { frame });
    }

    /// What frames that are gone waited for will not be told.
    pub(super) fn abandon(&mut self, page: &Page, gone: &[FrameId]) {
        let abandoned = gone.iter().flat_map(|frame| self.network.frame_gone(frame)).collect();
        self.give_up(page, abandoned);
    }

    fn started(&self, page: &Page, started: page::FrameStartedNavigating) {
        if started.navigation_type.to_ascii_lowercase().contains("samedocument") {
            return;
        }
        let frame = id(&started.frame_id);
        let before = page.frames().get(&frame).and_then(|frame| frame.pending.clone());
        if let Some(before) = before.filter(|before| before.loader != started.loader_id) {
            self.navigation_failed(
                page,
                before.loader.as_str(),
                "another navigation took its place".to_owned(),
            );
        }
        let navigation = started.loader_id.as_str().into();
        page.change(|frames| {
            if let Some(frame) = frames.get_mut(&frame) {
                frame.pending = Some(Pending { loader: started.loader_id, requested: false });
            }
        });
        self.tell(PageEvent::NavigationStarted { frame, navigation, url: Some(started.url) });
    }

    fn committed(&mut self, page: &Page, session: &Session, navigated: page::FrameNavigated) {
        let committed = navigated.frame;
        let frame = id(&committed.id);
        let loader = committed.loader_id;
        let first =
            page.frames().get(&frame).is_some_and(|frame| frame.loader.is_none() && frame.pending.is_none());
        // The page that is shown instead of a document that could not be had is no arrival.
        let error = committed.unreachable_url.is_some();
        if error {
            self.navigation_failed(page, loader.as_str(), "net::ERR_FAILED".to_owned());
        }
        let blank = first && committed.url == "about:blank";
        let navigation = (!error && !blank).then(|| loader.as_str().into());
        let abandoned = self.network.document_changed(&frame, loader.as_str());
        self.give_up(page, abandoned);
        let gone = page.change(|frames| frames.commit(&frame, session, loader));
        if frame == page.main_frame {
            page.revive();
        }
        self.abandon(page, &gone);
        let url = committed.url + committed.url_fragment.as_deref().unwrap_or_default();
        self.tell(PageEvent::Committed { frame, navigation, url });
    }

    fn reached(&self, page: &Page, reached: &page::LifecycleEvent) {
        let frame = id(&reached.frame_id);
        // A document that was left behind gets no further, and a frame's first, blank one was there from the beginning.
        let current = page.frames().get(&frame).and_then(|frame| frame.loader.clone());
        if current.is_none_or(|current| current != reached.loader_id) {
            return;
        }
        match reached.name.as_str() {
            "DOMContentLoaded" => self.tell(PageEvent::DomContentLoaded { frame }),
            "load" => self.loaded(page, frame),
            _ => {}
        }
    }

    /// A document that was stopped gets no further, and its events never come. But the event does not say which document
    /// it is of, and that of the one before may come late: the document is asked.
    fn stopped(&self, page: &Arc<Page>, frame: FrameId) {
        let Some(loader) = page.frames().unfinished(&frame) else { return };
        let (page, told) = (page.clone(), self.told.clone());
        tokio::spawn(async move {
            let asked = page.evaluate_function(
                &frame,
                "() => document.readyState === 'complete'".to_owned(),
                Vec::new(),
            );
            let complete = matches!(Deadline::after(STOPPED).race(asked).await, Ok(Ok(answer)) if answer.get() == "true");
            let current = page.frames().unfinished(&frame) == Some(loader);
            if complete && current && page.frames().load(&frame) {
                let _ = told.send(PageEvent::Loaded { frame });
            }
        });
    }

    /// Tells once that a document is loaded.
    fn loaded(&self, page: &Page, frame: FrameId) {
        if page.frames().load(&frame) {
            self.tell(PageEvent::Loaded { frame });
        }
    }

    /// Tells of a file chooser when its input is known. That needs an answer of the page's, so it is waited for aside.
    fn file_chooser(&mut self, page: &Arc<Page>, opened: page::FileChooserOpened) {
        let (page, told) = (page.clone(), self.told.clone());
        self.asides.retain(|aside| !aside.is_finished());
        self.asides.push(tokio::spawn(async move {
            let frame = id(&opened.frame_id);
            let input = match opened.backend_node_id {
                Some(node) => Deadline::after(CHOOSER).race(page.hold(&frame, node)).await.ok(),
                None => None,
            };
            let input = input.and_then(Result::ok);
            let _ = told.send(PageEvent::FileChooser { input, multiple: opened.mode == "selectMultiple" });
        }));
    }
}

pub(super) fn id(id: &wire::cdp::types::ids::FrameId) -> FrameId {
    id.as_str().into()
}
