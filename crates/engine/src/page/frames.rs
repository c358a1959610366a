//! The tree of frames in a page, and how far each document is.

use std::collections::HashMap;

use crate::backend::{FrameId, NavigationId, PageEvent};

/// How much of a document is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoadState {
    /// The document is the one that was asked for; nothing of it need be parsed.
    Committed,
    /// It is parsed.
    DomContentLoaded,
    /// Everything in it is loaded.
    Loaded,
}

/// One frame.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The frame around it; the topmost has none.
    pub parent: Option<FrameId>,
    /// Its document's address.
    pub url: String,
    /// How far its document is.
    pub state: LoadState,
    /// The navigation that brought its document.
    pub navigation: Option<NavigationId>,
    /// The navigation that is on its way, if one is.
    pub pending: Option<NavigationId>,
    /// Why the document that was to be here could not be had, when another one tells of that in its place.
    pub fault: Option<String>,
    /// Its document is known to have been on the screen.
    pub drawn: bool,
    /// How many documents it has had.
    pub documents: u64,
    /// Its place among its siblings and theirs, by the time of its appearance: refs into it begin with it.
    pub number: u32,
    children: Vec<FrameId>,
    /// Why its last navigation came to nothing.
    lost: Option<String>,
}

impl Frame {
    fn blank(parent: Option<FrameId>, number: u32) -> Self {
        Self {
            parent,
            url: "about:blank".to_owned(),
            state: LoadState::Loaded,
            navigation: None,
            pending: None,
            fault: None,
            drawn: false,
            documents: 0,
            number,
            children: Vec::new(),
            lost: None,
        }
    }
}

/// Every frame of a page.
#[derive(Debug)]
pub struct Frames {
    main: FrameId,
    /// The topmost frame, which a page never loses.
    top: Frame,
    below: HashMap<FrameId, Frame>,
    /// Navigations that came to nothing, with the reason, until somebody has asked.
    failed: HashMap<NavigationId, String>,
    appeared: u32,
}

/// Failures that nobody asks about are forgotten, the oldest first come to mind last: a page can't fill memory by
/// failing.
const MOST_FAILED: usize = 64;

impl Frames {
    /// A page with only its topmost frame, blank.
    pub fn new(main: FrameId) -> Self {
        Self { main, top: Frame::blank(None, 0), below: HashMap::new(), failed: HashMap::new(), appeared: 0 }
    }

    /// The topmost frame's name.
    pub fn main(&self) -> &FrameId {
        &self.main
    }

    /// The topmost frame, which a page never loses.
    pub fn top(&self) -> &Frame {
        &self.top
    }

    /// A frame, if it is still there.
    pub fn get(&self, frame: &FrameId) -> Option<&Frame> {
        if *frame == self.main { Some(&self.top) } else { self.below.get(frame) }
    }

    fn get_mut(&mut self, frame: &FrameId) -> Option<&mut Frame> {
        if *frame == self.main { Some(&mut self.top) } else { self.below.get_mut(frame) }
    }

    /// The topmost frame and all below it, parents before children, in the order of their appearance.
    pub fn in_order(&self) -> Vec<&FrameId> {
        let mut order = vec![&self.main];
        let mut next = 0;
        while let Some(frame) = order.get(next) {
            order.extend(self.get(frame).into_iter().flat_map(|frame| &frame.children));
            next += 1;
        }
        order
    }

    /// The way from the topmost frame down to `frame`, both included; nothing if it is gone.
    pub fn path(&self, frame: &FrameId) -> Vec<FrameId> {
        let mut path = Vec::new();
        let mut next = Some(frame.clone());
        while let Some(id) = next {
            let Some(frame) = self.get(&id) else { return Vec::new() };
            next = frame.parent.clone();
            path.push(id);
        }
        path.reverse();
        path
    }

    /// The frame whose number is `number`.
    pub fn by_number(&self, number: u32) -> Option<&FrameId> {
        let below = self.below.iter().find(|(_, frame)| frame.number == number).map(|(id, _)| id);
        if number == 0 { Some(&self.main) } else { below }
    }

    /// Why a navigation came to nothing, if it did.
    pub fn failure(&self, navigation: &NavigationId) -> Option<&str> {
        self.failed.get(navigation).map(String::as_str)
    }

    /// Takes note that a frame's document is on the screen.
    pub fn set_drawn(&mut self, frame: &FrameId) {
        if let Some(frame) = self.get_mut(frame) {
            frame.drawn = true;
        }
    }

    /// Takes note of what happened. Events of frames that are not there are late ones, and mean nothing.
    pub fn apply(&mut self, event: &PageEvent) {
        match event {
            PageEvent::FrameAttached { frame, parent } => self.insert(frame, parent),
            PageEvent::FrameDetached { frame } => self.remove(frame),
            PageEvent::NavigationStarted { frame, navigation, .. } => {
                if let Some(frame) = self.get_mut(frame) {
                    frame.pending = Some(navigation.clone());
                }
            }
            PageEvent::Committed { frame, navigation, url } => self.commit(frame, navigation.as_ref(), url),
            PageEvent::AddressChanged { frame, url } => {
                if let Some(frame) = self.get_mut(frame) {
                    frame.url.clone_from(url);
                }
            }
            PageEvent::NavigationFailed { frame, navigation, reason } => self.fail(frame, navigation, reason),
            PageEvent::DomContentLoaded { frame } => self.reach(frame, LoadState::DomContentLoaded),
            PageEvent::Loaded { frame } => self.reach(frame, LoadState::Loaded),
            _ => {}
        }
    }

    fn insert(&mut self, id: &FrameId, parent: &FrameId) {
        if self.get(id).is_some() || self.get(parent).is_none() {
            return;
        }
        self.appeared += 1;
        self.below.insert(id.clone(), Frame::blank(Some(parent.clone()), self.appeared));
        if let Some(parent) = self.get_mut(parent) {
            parent.children.push(id.clone());
        }
    }

    fn remove(&mut self, id: &FrameId) {
        let Some(frame) = self.below.remove(id) else { return };
        if let Some(parent) = frame.parent.as_ref().and_then(|parent| self.get_mut(parent)) {
            parent.children.retain(|child| child != id);
        }
        for child in frame.children {
            self.remove(&child);
        }
    }

    fn commit(&mut self, id: &FrameId, navigation: Option<&NavigationId>, url: &str) {
        let Some(frame) = self.get_mut(id) else { return };
        frame.url = url.to_owned();
        frame.state = LoadState::Committed;
        frame.navigation = navigation.cloned();
        frame.fault = frame.lost.take().filter(|_| navigation.is_none());
        frame.drawn = false;
        frame.documents += 1;
        if frame.pending.as_ref() == navigation {
            frame.pending = None;
        }
        // A new document has no frames of the old one's.
        for child in std::mem::take(&mut frame.children) {
            self.remove(&child);
        }
    }

    fn fail(&mut self, id: &FrameId, navigation: &NavigationId, reason: &str) {
        if let Some(frame) = self.get_mut(id) {
            if frame.pending.as_ref() == Some(navigation) {
                frame.pending = None;
            }
            frame.lost = Some(reason.to_owned());
        }
        if self.failed.len() < MOST_FAILED {
            self.failed.insert(navigation.clone(), reason.to_owned());
        }
    }

    fn reach(&mut self, id: &FrameId, state: LoadState) {
        if let Some(frame) = self.get_mut(id) {
            frame.state = frame.state.max(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> FrameId {
        FrameId::from(name)
    }

    fn attached(frame: &str, parent: &str) -> PageEvent {
        PageEvent::FrameAttached { frame: id(frame), parent: id(parent) }
    }

    fn committed(frame: &str, navigation: &str) -> PageEvent {
        PageEvent::Committed {
            frame: id(frame),
            navigation: Some(navigation.into()),
            url: format!("http://{navigation}/"),
        }
    }

    fn frames(events: &[PageEvent]) -> Frames {
        let mut frames = Frames::new(id("main"));
        events.iter().for_each(|event| frames.apply(event));
        frames
    }

    fn order(frames: &Frames) -> Vec<&str> {
        frames.in_order().into_iter().map(FrameId::as_str).collect()
    }

    #[test]
    fn frames_come_in_order_and_parents_before_children() {
        let frames = frames(&[attached("a", "main"), attached("b", "main"), attached("a1", "a")]);
        assert_eq!(order(&frames), ["main", "a", "b", "a1"]);
        assert_eq!(frames.path(&id("a1")), [id("main"), id("a"), id("a1")]);
        assert_eq!(frames.by_number(3), Some(&id("a1")));
    }

    #[test]
    fn a_removed_frame_takes_its_frames_along() {
        let frames = frames(&[
            attached("a", "main"),
            attached("a1", "a"),
            PageEvent::FrameDetached { frame: id("a") },
            attached("late", "a1"),
        ]);
        assert_eq!(order(&frames), ["main"]);
        assert!(frames.path(&id("a1")).is_empty());
    }

    #[test]
    fn a_new_document_has_no_frames_of_the_old_one() {
        let frames = frames(&[attached("a", "main"), committed("main", "one")]);
        assert_eq!(order(&frames), ["main"]);
        let main = frames.top();
        assert_eq!((main.url.as_str(), main.state), ("http://one/", LoadState::Committed));
    }

    #[test]
    fn a_document_only_ever_gets_further() {
        let loaded = PageEvent::Loaded { frame: id("main") };
        let parsed = PageEvent::DomContentLoaded { frame: id("main") };
        let frames = frames(&[committed("main", "one"), loaded, parsed]);
        assert_eq!(frames.top().state, LoadState::Loaded);
    }

    #[test]
    fn a_failed_navigation_leaves_the_document_and_its_reason() {
        let started = PageEvent::NavigationStarted { frame: id("main"), navigation: "two".into(), url: None };
        let failed = PageEvent::NavigationFailed {
            frame: id("main"),
            navigation: "two".into(),
            reason: "net::ERR_ABORTED".to_owned(),
        };
        let frames = frames(&[committed("main", "one"), started, failed]);
        let main = frames.top();
        assert_eq!((main.url.as_str(), &main.pending), ("http://one/", &None));
        assert_eq!(frames.failure(&"two".into()), Some("net::ERR_ABORTED"));
    }
}
