//! The frames of a page as the browser knows them, and the navigation that is on its way in each. Their worlds of scripts
//! are in [`realms`](super::realms).

use std::collections::{HashMap, VecDeque};

use engine::backend::FrameId;
use wire::bidi::types::ids::{NavigationId, RealmId};

use super::frame::{Frame, Reached};
use super::names::Names;
use super::reasons;

/// As many failed navigations as are remembered.
const VERDICTS: usize = 32;

/// How far a document is, as the browser tells it.
#[derive(Debug, Clone, Copy)]
pub(super) struct News<'a> {
    pub(super) navigation: Option<&'a NavigationId>,
    /// The document's address.
    pub(super) url: &'a str,
    pub(super) reached: Reached,
}

/// Every frame of a page.
#[derive(Debug)]
pub(super) struct Frames {
    pub(super) main: FrameId,
    pub(super) all: HashMap<FrameId, Frame>,
    /// Why navigations came to nothing, the newest last.
    verdicts: VecDeque<(NavigationId, String)>,
    pub(super) names: Names,
    /// Worlds that are gone, the newest last.
    pub(super) gone: VecDeque<RealmId>,
}

impl Frames {
    /// A page with only its topmost frame.
    pub(super) fn new(main: FrameId, url: String) -> Self {
        let all = HashMap::from([(main.clone(), Frame::new(None, url))]);
        Self { main, all, verdicts: VecDeque::new(), names: Names::default(), gone: VecDeque::new() }
    }

    pub(super) fn get(&self, frame: &FrameId) -> Option<&Frame> {
        self.all.get(frame)
    }

    pub(super) fn get_mut(&mut self, frame: &FrameId) -> Option<&mut Frame> {
        self.all.get_mut(frame)
    }

    pub(super) fn ids(&self) -> Vec<FrameId> {
        self.all.keys().cloned().collect()
    }

    /// A frame appeared; false if it is known.
    pub(super) fn attach(&mut self, id: &FrameId, parent: &FrameId, url: String) -> bool {
        let known = self.all.contains_key(id) || !self.all.contains_key(parent);
        if !known {
            self.all.insert(id.clone(), Frame::new(Some(parent.clone()), url));
        }
        !known
    }

    /// A frame is gone; answers it and everything in it.
    pub(super) fn remove(&mut self, id: &FrameId) -> Vec<FrameId> {
        if *id == self.main || self.all.remove(id).is_none() {
            return Vec::new();
        }
        let mut gone = self.remove_below(id);
        gone.push(id.clone());
        gone
    }

    /// The frames in `id` are gone; answers them.
    pub(super) fn remove_below(&mut self, id: &FrameId) -> Vec<FrameId> {
        let inside = |(_, frame): &(&FrameId, &Frame)| frame.parent.as_ref() == Some(id);
        let children: Vec<FrameId> = self.all.iter().filter(inside).map(|(id, _)| id.clone()).collect();
        children.iter().flat_map(|child| self.remove(child)).collect()
    }

    /// A navigation to another document began.
    pub(super) fn begin(&mut self, id: &FrameId, navigation: &NavigationId, url: &str) {
        if let Some(frame) = self.all.get_mut(id) {
            frame.pending = Some(navigation.clone());
            frame.emptied = false;
            frame.last = Some(navigation.clone());
            url.clone_into(&mut frame.heading);
        }
    }

    /// Whether this is what is on its way already, told once more: by another name perhaps, which is noted.
    pub(super) fn begins_again(&mut self, id: &FrameId, navigation: &NavigationId, url: &str) -> bool {
        let Some(frame) = self.all.get(id) else { return false };
        match &frame.pending {
            Some(pending) if frame.heading == url => {
                self.names.note(navigation, pending);
                true
            }
            _ => false,
        }
    }

    /// Whether a navigation to another document began by this name, and nothing else since.
    pub(super) fn began(&self, navigation: &NavigationId) -> bool {
        self.all.values().any(|frame| [&frame.last, &frame.former].contains(&&Some(navigation.clone())))
    }

    /// A new document is there; answers how much of it was told before.
    pub(super) fn commit(&mut self, id: &FrameId, navigation: Option<&NavigationId>, url: &str) -> Reached {
        let Some(frame) = self.all.get_mut(id) else { return Reached::Nothing };
        let early = std::mem::take(&mut frame.early);
        let expected = frame.pending.as_ref() == navigation;
        if expected {
            frame.pending = None;
        }
        frame.former = frame.navigation.take();
        frame.navigation = navigation.cloned();
        url.clone_into(&mut frame.url);
        frame.moves += 1;
        frame.ahead = false;
        frame.owed = !std::mem::take(&mut frame.fresh);
        frame.loaded = false;
        if expected { early } else { Reached::Nothing }
    }

    /// A document got further: how far it is to be told; nothing if it is an old one's news, or too early.
    pub(super) fn reach(&mut self, id: &FrameId, news: News<'_>) -> Reached {
        let News { navigation, url, reached } = news;
        let Some(frame) = self.all.get_mut(id) else { return Reached::Nothing };
        // A document that was busy tells what it reached in the name of the navigation that is to replace it.
        let of_this = frame.url == url && frame.heading != url;
        if navigation.is_some()
            && frame.pending.as_ref() == navigation
            && frame.navigation.as_ref() != navigation
            && !of_this
        {
            frame.early = frame.early.max(reached);
            return Reached::Nothing;
        }
        if navigation.is_some()
            && frame.former.as_ref() == navigation
            && frame.navigation.as_ref() != navigation
        {
            return Reached::Nothing;
        }
        if reached == Reached::Loaded {
            frame.loaded = true;
        }
        reached
    }

    /// Whether a blank document that nobody asked for stands where the topmost frame's process died: a tab in the background
    /// is emptied, its worlds are gone, and no others have come.
    pub(super) fn vanished(&mut self, id: &FrameId, navigation: Option<&NavigationId>) -> bool {
        let main = *id == self.main;
        let Some(frame) = self.all.get_mut(id).filter(|_| main) else { return false };
        let asked_for = frame.pending.is_some() && frame.pending.as_ref() == navigation;
        frame.emptied = frame.moves > 0 && !asked_for;
        frame.has_vanished()
    }

    /// Whether the topmost document went away and nothing is on its way to take its place: so it is for a moment after its
    /// process died.
    pub(super) fn is_bare(&self) -> bool {
        let main = self.all.get(&self.main);
        main.is_some_and(|main| main.pending.is_none() && main.main.is_none() && main.utility.is_none())
    }

    /// Whether one world of the topmost document is gone and the other is not (yet), and nothing is on its way.
    pub(super) fn is_half_bare(&self) -> bool {
        let main = self.all.get(&self.main);
        main.is_some_and(|main| main.pending.is_none() && main.main.is_none() != main.utility.is_none())
    }

    /// A document is complete: whether that it is loaded is still to be told.
    pub(super) fn complete(&mut self, id: &FrameId, navigation: Option<&NavigationId>) -> Reached {
        let same = |frame: &&mut Frame| frame.navigation.as_ref() == navigation && !frame.loaded;
        match self.all.get_mut(id).filter(same) {
            Some(frame) => {
                frame.loaded = true;
                Reached::Loaded
            }
            None => Reached::Nothing,
        }
    }

    /// The navigation came to nothing; answers its frame, the first time.
    pub(super) fn fail(&mut self, navigation: &NavigationId, reason: &str) -> Option<FrameId> {
        let waits = |frame: &Frame| frame.pending.as_ref() == Some(navigation);
        let (id, frame) = self.all.iter_mut().find(|(_, frame)| waits(frame))?;
        frame.pending = None;
        frame.early = Reached::Nothing;
        let id = id.clone();
        self.judge(navigation, reason);
        Some(id)
    }

    /// A navigation that was stopped is under way again, by the same name; answers whether it is news.
    pub(super) fn resume(&mut self, id: &FrameId, navigation: &NavigationId, url: &str) -> bool {
        let stopped = self.verdict(navigation) == Some(reasons::ABORTED);
        let waits = self.all.get(id).is_some_and(|frame| {
            frame.pending.is_none()
                && frame.last.as_ref() == Some(navigation)
                && frame.navigation.as_ref() != Some(navigation)
        });
        if stopped && waits {
            self.verdicts.retain(|(failed, _)| failed != navigation);
            self.begin(id, navigation, url);
        }
        stopped && waits
    }

    /// Remembers why a navigation came to nothing.
    pub(super) fn judge(&mut self, navigation: &NavigationId, reason: &str) {
        let navigation = &self.names.first(navigation);
        if self.verdict(navigation).is_some() {
            return;
        }
        if self.verdicts.len() == VERDICTS {
            self.verdicts.pop_front();
        }
        self.verdicts.push_back((navigation.clone(), reason.to_owned()));
    }

    /// Why a navigation came to nothing, if it did.
    pub(super) fn verdict(&self, navigation: &NavigationId) -> Option<&str> {
        self.verdicts.iter().find(|(failed, _)| failed == navigation).map(|(_, reason)| reason.as_str())
    }

    /// The process behind the page died, and every frame in it.
    pub(super) fn crash(&mut self) -> Vec<FrameId> {
        let main = self.main.clone();
        if let Some(frame) = self.all.get_mut(&main) {
            frame.lose_realms();
            frame.pending = None;
        }
        self.remove_below(&main)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> (Frames, FrameId) {
        let main = FrameId::from("main");
        (Frames::new(main.clone(), "about:blank".to_owned()), main)
    }

    #[test]
    fn news_of_a_document_that_is_still_on_its_way_wait_for_it() {
        let (mut frames, main) = frames();
        let one = NavigationId::from("one");
        frames.get_mut(&main).unwrap().pending = Some(one.clone());
        let news = |reached| News { navigation: Some(&one), url: "http://one/", reached };
        assert_eq!(frames.reach(&main, news(Reached::Parsed)), Reached::Nothing);
        assert_eq!(frames.reach(&main, news(Reached::Loaded)), Reached::Nothing);
        assert_eq!(frames.commit(&main, Some(&one), "http://one/"), Reached::Loaded);
        assert_eq!(frames.reach(&main, news(Reached::Loaded)), Reached::Loaded);
    }

    #[test]
    fn news_of_the_document_before_mean_nothing() {
        let (mut frames, main) = frames();
        let (one, two) = (NavigationId::from("one"), NavigationId::from("two"));
        frames.commit(&main, Some(&one), "http://one/");
        frames.commit(&main, Some(&two), "http://two/");
        let late = News { navigation: Some(&one), url: "http://one/", reached: Reached::Loaded };
        assert_eq!(frames.reach(&main, late), Reached::Nothing);
    }

    #[test]
    fn what_a_busy_document_tells_in_the_name_of_the_next_is_its_own() {
        let (mut frames, main) = frames();
        let (one, two) = (NavigationId::from("one"), NavigationId::from("two"));
        frames.commit(&main, Some(&one), "http://one/");
        frames.begin(&main, &two, "http://two/");
        let late = News { navigation: Some(&two), url: "http://one/", reached: Reached::Loaded };
        assert_eq!(frames.reach(&main, late), Reached::Loaded);
        assert_eq!(frames.commit(&main, Some(&two), "http://two/"), Reached::Nothing);
    }

    #[test]
    fn a_navigation_that_is_told_twice_is_one() {
        let (mut frames, main) = frames();
        let (one, again) = (NavigationId::from("one"), NavigationId::from("again"));
        frames.begin(&main, &one, "http://one/");
        assert!(!frames.begins_again(&main, &again, "http://other/"));
        assert!(frames.begins_again(&main, &again, "http://one/"));
        assert_eq!(frames.names.first(&again), one);
    }

    #[test]
    fn only_a_navigation_that_was_stopped_is_under_way_again() {
        let (mut frames, main) = frames();
        let one = NavigationId::from("one");
        frames.begin(&main, &one, "http://one/");
        assert!(!frames.resume(&main, &one, "http://one/"), "it is under way");
        frames.fail(&one, reasons::ABORTED);
        let resume = |frames: &mut Frames| frames.resume(&main, &one, "http://one/");
        assert!(resume(&mut frames) && !resume(&mut frames));
        assert_eq!(frames.fail(&one, reasons::ABORTED), Some(main.clone()));
        frames.commit(&main, Some(&one), "http://one/");
        assert!(!frames.resume(&main, &one, "http://one/"), "it arrived");
    }

    #[test]
    fn a_failed_navigation_is_told_once() {
        let (mut frames, main) = frames();
        let one = NavigationId::from("one");
        frames.get_mut(&main).unwrap().pending = Some(one.clone());
        assert_eq!(frames.fail(&one, "x"), Some(main));
        assert_eq!(frames.fail(&one, "y"), None);
        assert_eq!(frames.verdict(&one), Some("x"));
    }
}
