//! The documents of a page's frames, from the start of a navigation to the end of its load.

use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, FrameId, NavigationId, PageEvent};
use serde_json::json;
use wire::inspector::{Event, types};

use super::frames::Outcome;
use super::page::{Page, lock};

/// How long the browser may take to ask for the document that a script wished for.
const TURNED: Duration = Duration::from_secs(1);

/// How long the beginning of a navigation is waited for that a document asked for.
const DEPARTED: Duration = Duration::from_millis(500);

impl Page {
    /// Our name for a frame that the browser tells of; one that is new is attached.
    pub(super) fn place(&self, told: &types::Frame) -> FrameId {
        let Some(parent) = &told.parent_id else {
            // After a change of process the topmost frame may be called otherwise.
            self.frames().set_main(&told.id);
            return self.main_frame.clone();
        };
        let (frame, parent) = {
            let frames = self.frames();
            (frames.id(&told.id), frames.id(parent))
        };
        if self.change(|frames| frames.attach(&frame, &parent)) {
            self.say(PageEvent::FrameAttached { frame: frame.clone(), parent });
        }
        frame
    }

    /// Asks which frames there are. Afterwards they are known, those too that no event has named.
    pub(super) async fn learn_frames(&self) -> Result<(), BackendError> {
        let tree = self.call("Page.getResourceTree", json!({})).await?;
        let trees = lock(&self.trees).clone();
        if let Some(trees) = trees {
            // The task that reads the events may have ended, with its view.
            let _ = trees.send(tree);
        }
        self.follow().await;
        Ok(())
    }

    /// Attaches every frame of a tree that is not known yet.
    pub(super) fn grow(&self, tree: &types::FrameTree, parent: Option<&str>) {
        if parent.is_some() || tree.frame.parent_id.is_none() {
            let frame = self.place(&tree.frame);
            // The frames of a document that is gone are gone with it.
            if !self.frames().may_show(&frame, &tree.frame.loader_id) {
                return;
            }
        }
        for child in &tree.child_frames {
            self.grow(child, Some(&tree.frame.id));
        }
    }

    /// What the engine knows a navigation by.
    pub(super) fn navigation(&self, loader: &str) -> NavigationId {
        navigation(self.channel().target(), loader)
    }

    pub(super) fn navigation_started(&self, frame: &FrameId, loader: &str, url: &str) {
        // A blank document is asked of nobody, unless it tells that another one could not be had.
        if url == "about:blank" {
            return self.change(|frames| {
                if let Some(frame) = frames.get_mut(frame) {
                    frame.error_page = Some(loader.to_owned());
                }
            });
        }
        self.begun(frame, loader, url);
    }

    fn begun(&self, frame: &FrameId, loader: &str, url: &str) {
        let Some(before) = self.change(|frames| frames.start(frame, loader, url)) else { return };
        if let Some(before) = before {
            let reason = "another navigation took its place".to_owned();
            let navigation = self.navigation(&before.loader);
            self.say(PageEvent::NavigationFailed { frame: frame.clone(), navigation, reason });
        }
        let (navigation, url) = (self.navigation(loader), Some(url.to_owned()));
        self.say(PageEvent::NavigationStarted { frame: frame.clone(), navigation, url });
    }

    pub(super) fn navigation_failed(&self, loader: &str, reason: &str, outcome: Outcome) {
        if let Some(frame) = self.change(|frames| frames.fail(loader, outcome)) {
            let (navigation, reason) = (self.navigation(loader), reason.to_owned());
            self.say(PageEvent::NavigationFailed { frame, navigation, reason });
        }
    }

    /// A new document is told; answers the frames that went with the old one.
    pub(super) fn committed(&self, frame: &FrameId, committed: &types::Frame) -> Vec<FrameId> {
        let _turn = lock(&self.turning);
        self.turn(frame, committed)
    }

    /// A new document is there. Whoever says so holds `turning`.
    pub(super) fn turn(&self, frame: &FrameId, committed: &types::Frame) -> Vec<FrameId> {
        let loader = &committed.loader_id;
        let (known, first, failed) = {
            let frames = self.frames();
            let before = frames.get(frame);
            let pending = before.and_then(|frame| frame.pending.as_ref());
            let known = pending.is_some_and(|pending| pending.loader == *loader);
            let first = before.is_some_and(|frame| frame.loader.is_none() && frame.pending.is_none());
            let error_page = before.and_then(|frame| frame.error_page.as_ref());
            (known, first, error_page.is_some_and(|error_page| error_page == loader))
        };
        let blank = first && committed.url == "about:blank";
        if !known && !blank && !failed {
            // A document that nobody had to be asked for: `about:blank`, or a page that the history kept.
            self.begun(frame, loader, &committed.url);
        }
        let gone = self.change(|frames| frames.commit(frame, loader, &committed.url));
        // The page that is shown instead of a document that could not be had is no arrival.
        let navigation = (!blank && !failed).then(|| self.navigation(loader));
        self.say(PageEvent::Committed { frame: frame.clone(), navigation, url: committed.url.clone() });
        gone
    }

    /// Tells once that a document is loaded.
    pub(super) fn loaded(&self, frame: &FrameId) {
        if self.change(|frames| frames.load(frame)) {
            self.say(PageEvent::Loaded { frame: frame.clone() });
        }
    }

    /// A document that was stopped gets no further, and its own event never comes; unless it was stopped for the next.
    pub(super) fn stopped(&self, frame: &FrameId) {
        let goes_on =
            self.frames().get(frame).is_some_and(|frame| frame.pending.is_some() || frame.scheduled);
        if !goes_on {
            self.loaded(frame);
        }
    }

    /// A document's scripts asked for another one, or the browser has turned to that wish: to do it, or to drop it.
    pub(super) fn scheduled(self: &Arc<Self>, frame: &FrameId, asked: bool) {
        let starts = self.change(|frames| {
            let frame = frames.get_mut(frame)?;
            let turned = frame.scheduled && !asked;
            frame.scheduled |= asked;
            turned.then_some(frame.starts)
        });
        let Some(starts) = starts else { return };
        let (page, frame) = (self.clone(), frame.clone());
        tokio::spawn(async move {
            let begun = page.until(|page| {
                let frames = page.frames();
                frames.get(&frame).is_none_or(|frame| frame.starts > starts).then_some(())
            });
            if Deadline::after(TURNED).race(begun).await.is_ok() {
                return;
            }
            page.stays(&frame);
            page.stopped(&frame);
        });
    }

    /// A document's scripts don't want to go elsewhere after all.
    pub(super) fn stays(&self, frame: &FrameId) {
        self.change(|frames| {
            if let Some(frame) = frames.get_mut(frame) {
                frame.scheduled = false;
            }
        });
    }

    /// Waits until the navigations have begun that documents asked for: the browser decides about each in another process, and tells
    /// of it only then. One that it drops is not waited for long, and a page with an open dialog goes nowhere.
    pub(super) async fn departed(&self) {
        let begun = self.until(|page| {
            let is_asking = page.life.borrow().dialog;
            (is_asking || page.frames().all().all(|(_, frame)| !frame.scheduled)).then_some(())
        });
        let _ = Deadline::after(DEPARTED).race(begun).await;
    }

    /// A process was put behind the page. The first is equipped by whoever opened the page; a later one here.
    pub(super) fn process_changed(self: &Arc<Self>, event: &Event) {
        let later = self.frames().has_main();
        if !later || self.has_crashed() {
            return;
        }
        tracing::debug!(component = "webkit", event = "process_changed", method = event.method());
        self.frames().other_process();
        let page = self.clone();
        tokio::spawn(async move {
            if let Err(error) = page.equip().await {
                tracing::debug!(component = "webkit", event = "not_equipped", %error);
            }
        });
    }
}

/// What the engine knows a navigation by: the browser's own name for it is that of the process, and the next one begins anew.
pub(super) fn navigation(view: u64, loader: &str) -> NavigationId {
    format!("{view}.{loader}").into()
}

#[cfg(test)]
mod tests {
    use super::super::network::Network;
    use super::navigation;

    #[test]
    fn what_two_processes_of_a_page_call_the_same_is_told_apart() {
        assert_ne!(navigation(1, "0.3"), navigation(2, "0.3"));
        assert_ne!(Network::new("p", 1).id("0.12"), Network::new("p", 2).id("0.12"));
    }
}
