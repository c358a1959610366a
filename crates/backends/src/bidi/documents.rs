//! The documents of a page's frames, from the start of a navigation to the end of its load; and file choosers.

use engine::backend::{FrameId, Handle, PageEvent, World};
use wire::bidi::types::browsing_context as tabs;
use wire::bidi::types::ids::NavigationId;

use super::frame::Reached;
use super::frames::News;
use super::listener::{abandon, give_up};
use super::page::Page;
use super::reasons;
use crate::sync::lock;

/// The page that Firefox shows instead of one whose process died.
const CRASHED: &str = "about:tabcrashed";

impl Page {
    pub(super) fn started(&self, frame: FrameId, started: tabs::NavigationStarted) {
        let Some(navigation) = started.navigation else { return };
        if self.frames().begins_again(&frame, &navigation, &started.url) {
            return;
        }
        let before = self.frames().get(&frame).and_then(|frame| frame.pending.clone());
        if let Some(before) = before.filter(|before| *before != navigation) {
            self.navigation_failed(&before, "another navigation took its place");
        }
        self.permit(&started.url);
        self.change(|frames| frames.begin(&frame, &navigation, &started.url));
        let (navigation, url) = (navigation.as_str().into(), Some(started.url));
        self.tell(PageEvent::NavigationStarted { frame, navigation, url });
    }

    /// Firefox does not see that a script stopped a navigation: of another to the same address it tells only the request.
    pub(super) fn resumed(&self, frame: &FrameId, navigation: &NavigationId, url: &str) {
        let navigation = &self.frames().names.first(navigation);
        if self.change(|frames| frames.resume(frame, navigation, url)) {
            let (navigation, url) = (navigation.as_str().into(), Some(url.to_owned()));
            self.tell(PageEvent::NavigationStarted { frame: frame.clone(), navigation, url });
        }
    }

    pub(super) fn navigation_failed(&self, navigation: &NavigationId, reason: &str) {
        let navigation = &self.frames().names.first(navigation);
        if let Some(frame) = self.change(|frames| frames.fail(navigation, reason)) {
            let (navigation, reason) = (navigation.as_str().into(), reason.to_owned());
            self.tell(PageEvent::NavigationFailed { frame, navigation, reason });
        }
    }

    /// The same as the browser tells it, which may be of a name that a navigation has no more.
    pub(super) fn navigation_given_up(&self, navigation: &NavigationId, reason: &str) {
        if reason != reasons::ABORTED || !self.frames().names.goes_on(navigation) {
            self.navigation_failed(navigation, reason);
        }
    }

    pub(super) fn committed(&self, frame: &FrameId, committed: &tabs::NavigationCommitted) {
        let named = committed.navigation.as_ref().map(|navigation| self.frames().names.first(navigation));
        let vanished = committed.url == "about:blank" && self.frames().vanished(frame, named.as_ref());
        if committed.url.starts_with(CRASHED) || vanished {
            return self.process_died();
        }
        let mut navigation = named.clone();
        // The page that is shown instead of a document that could not be had is no arrival.
        let fault = reasons::of_error_page(&committed.url);
        if let (Some(reason), Some(failed)) = (&fault, &navigation) {
            // Firefox tells of some only by that page.
            self.frames().get_mut(frame).into_iter().for_each(|frame| {
                frame.pending.get_or_insert_with(|| failed.clone());
            });
            self.navigation_failed(failed, reason);
            navigation = None;
        }
        if *frame == self.main_frame {
            self.revive();
        }
        let early = self.change(|frames| frames.commit(frame, named.as_ref(), &committed.url));
        let told = navigation.map(|navigation| navigation.as_str().into());
        let url = committed.url.clone();
        self.tell(PageEvent::Committed { frame: frame.clone(), navigation: told, url });
        // The engine takes a new document's frames for gone; those of the new one are told again.
        for (child, parent) in self.children(frame) {
            self.tell(PageEvent::FrameAttached { frame: child, parent });
        }
        self.tell_reached(frame, if fault.is_some() { Reached::Loaded } else { early });
    }

    /// The frames right below a frame.
    fn children(&self, parent: &FrameId) -> Vec<(FrameId, FrameId)> {
        let frames = self.frames();
        let below = |id: &FrameId| frames.get(id).is_some_and(|frame| frame.parent.as_ref() == Some(parent));
        frames.ids().into_iter().filter(below).map(|id| (id, parent.clone())).collect()
    }

    pub(super) fn process_died(&self) {
        // A tab in front is emptied before it says what happened.
        if self.has_crashed() {
            return;
        }
        self.tell(PageEvent::Crashed);
        lock(&self.dialog).take();
        self.crash();
        let gone = self.change(super::frames::Frames::crash);
        abandon(self, &gone);
        let failed = lock(&self.network).frame_gone(&self.main_frame);
        give_up(self, failed);
    }

    /// The address changed and the document stayed.
    pub(super) fn moved(&self, frame: FrameId, url: String, navigation: Option<NavigationId>) {
        let moved = self.change(|frames| {
            let frame = frames.get_mut(&frame)?;
            if let Some(navigation) = navigation {
                frame.pending.take_if(|pending| *pending == navigation);
            }
            frame.moves += 1;
            frame.url.clone_from(&url);
            Some(())
        });
        if moved.is_some() {
            self.tell(PageEvent::AddressChanged { frame, url });
        }
    }

    pub(super) fn reached(&self, frame: &FrameId, news: News<'_>) {
        let named = news.navigation.map(|navigation| self.frames().names.first(navigation));
        let told = self.change(|frames| frames.reach(frame, News { navigation: named.as_ref(), ..news }));
        self.tell_reached(frame, told);
        if told == Reached::Parsed && *frame == self.main_frame {
            self.watch_stop(named.as_ref());
        }
    }

    /// A document that was stopped gets no further, and nobody tells: it is complete without having been loaded.
    fn watch_stop(&self, navigation: Option<&NavigationId>) {
        const COMPLETE: &str = "() => new Promise(done => {
            const look = () => { if (document.readyState === 'complete') done(true); };
            look();
            document.addEventListener('readystatechange', look);
        })";
        let (Some(page), navigation) = (self.me.upgrade(), navigation.cloned()) else { return };
        tokio::spawn(async move {
            let complete = page.call_in(&page.main_frame, World::Utility, COMPLETE, Vec::new()).await;
            if complete.is_ok_and(|complete| complete.exception_details.is_none()) {
                let told = page.change(|frames| frames.complete(&page.main_frame, navigation.as_ref()));
                page.tell_reached(&page.main_frame, told);
            }
        });
    }

    fn tell_reached(&self, frame: &FrameId, reached: Reached) {
        if reached >= Reached::Parsed {
            self.tell(PageEvent::DomContentLoaded { frame: frame.clone() });
        }
        if reached == Reached::Loaded {
            self.tell(PageEvent::Loaded { frame: frame.clone() });
        }
    }

    pub(super) fn frame_gone(&self, frame: &FrameId) {
        let gone = self.change(|frames| frames.remove(frame));
        abandon(self, &gone);
        if !gone.is_empty() {
            self.tell(PageEvent::FrameDetached { frame: frame.clone() });
        }
    }

    pub(super) fn chooser_opened(&self, frame: &FrameId, opened: tabs::FileDialogOpened) {
        let input = opened.element.and_then(|element| element.shared_id);
        let input = input.map(|id| Handle { frame: frame.clone(), object: id.as_str().into() });
        self.tell(PageEvent::FileChooser { input, multiple: opened.multiple });
    }
}
