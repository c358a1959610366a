//! The frames of a page as the browser knows them: its world of scripts, and the navigation that is on its way.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use engine::backend::FrameId;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

/// One frame.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) parent: Option<FrameId>,
    /// The document that it shows, by its loader.
    pub(super) loader: Option<String>,
    pub(super) url: String,
    loaded: bool,
    pub(super) pending: Option<Pending>,
    realm: Option<Realm>,
    /// The document that is shown instead of one that could not be had, by its loader.
    pub(super) error_page: Option<String>,
    /// How many navigations began in it.
    pub(super) starts: u64,
    /// The newest navigation that began in it.
    pub(super) newest: Option<String>,
    /// Its scripts have asked for another document, which nobody has begun to get.
    pub(super) scheduled: bool,
    /// The mark that its document was sent last.
    pub(super) mark: Option<String>,
}

/// A navigation that is on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) loader: String,
    pub(super) url: String,
}

/// The world of scripts in one document.
#[derive(Debug, Clone)]
pub(super) struct Realm {
    pub(super) context: i64,
    pub(super) objects: Arc<OnceCell<Objects>>,
    /// Fires when the document is gone.
    pub(super) gone: CancellationToken,
}

/// What we hold in a document.
#[derive(Debug, Clone)]
pub(super) struct Objects {
    /// The injected script.
    pub(super) script: String,
    /// The window.
    pub(super) window: String,
}

/// What came of a navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    Arrived,
    Failed(String),
    Download,
}

/// Every frame of a page.
#[derive(Debug)]
pub(super) struct Frames {
    page: String,
    main: FrameId,
    /// What the browser calls the topmost frame now.
    main_raw: Option<String>,
    all: HashMap<FrameId, Frame>,
    /// What came of the newest navigations of the topmost frame.
    outcomes: VecDeque<(String, Outcome)>,
    /// The newest that are gone: an answer about the frames may be older than their end.
    gone: VecDeque<FrameId>,
    /// The worlds of frames that nobody has told of yet.
    early: HashMap<FrameId, i64>,
}

/// As many navigations as are remembered.
const OUTCOMES: usize = 32;
/// As many frames that are gone.
const GONE: usize = 256;

impl Frame {
    fn new(parent: Option<FrameId>) -> Self {
        Self {
            parent,
            loader: None,
            url: "about:blank".to_owned(),
            loaded: true,
            pending: None,
            realm: None,
            error_page: None,
            starts: 0,
            newest: None,
            scheduled: false,
            mark: None,
        }
    }

    pub(super) fn realm(&self) -> Option<&Realm> {
        self.realm.as_ref()
    }

    pub(super) fn is_loaded(&self) -> bool {
        self.loaded
    }

    fn lose_realm(&mut self) {
        if let Some(realm) = self.realm.take() {
            realm.gone.cancel();
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.lose_realm();
    }
}

impl Frames {
    /// A page with only its topmost frame.
    pub(super) fn new(page: &str) -> Self {
        let main = FrameId::from(format!("{page}/top"));
        let all = HashMap::from([(main.clone(), Frame::new(None))]);
        Self {
            page: page.to_owned(),
            main,
            main_raw: None,
            all,
            outcomes: VecDeque::new(),
            gone: VecDeque::new(),
            early: HashMap::new(),
        }
    }

    /// Our name for what the browser calls `raw`: its own are unique in one process only.
    pub(super) fn id(&self, raw: &str) -> FrameId {
        if self.main_raw.as_deref() == Some(raw) {
            self.main.clone()
        } else {
            format!("{}/{raw}", self.page).into()
        }
    }

    /// What the browser calls its topmost frame.
    pub(super) fn set_main(&mut self, raw: &str) {
        self.main_raw = Some(raw.to_owned());
    }

    pub(super) fn has_main(&self) -> bool {
        self.main_raw.is_some()
    }

    pub(super) fn get(&self, frame: &FrameId) -> Option<&Frame> {
        self.all.get(frame)
    }

    pub(super) fn get_mut(&mut self, frame: &FrameId) -> Option<&mut Frame> {
        self.all.get_mut(frame)
    }

    /// Every frame with a document.
    pub(super) fn all(&self) -> impl Iterator<Item = (&FrameId, &Frame)> {
        self.all.iter()
    }

    /// The frame with this world of scripts.
    pub(super) fn with_context(&self, context: i64) -> Option<FrameId> {
        let has = |frame: &Frame| frame.realm.as_ref().is_some_and(|realm| realm.context == context);
        self.all.iter().find(|(_, frame)| has(frame)).map(|(id, _)| id.clone())
    }

    /// A frame appeared; false if it was there already, or is no more.
    pub(super) fn attach(&mut self, id: &FrameId, parent: &FrameId) -> bool {
        if self.all.contains_key(id) || !self.all.contains_key(parent) || self.gone.contains(id) {
            return false;
        }
        self.all.insert(id.clone(), Frame::new(Some(parent.clone())));
        if let Some(context) = self.early.remove(id) {
            self.add_realm(id, context);
        }
        true
    }

    /// A frame was removed; answers it and everything in it.
    pub(super) fn remove(&mut self, id: &FrameId) -> Vec<FrameId> {
        if *id == self.main {
            return Vec::new();
        }
        if self.gone.len() == GONE {
            self.gone.pop_front();
        }
        self.gone.push_back(id.clone());
        self.early.remove(id);
        if self.all.remove(id).is_none() {
            return Vec::new();
        }
        let mut gone = self.remove_below(id);
        gone.push(id.clone());
        gone
    }

    fn remove_below(&mut self, id: &FrameId) -> Vec<FrameId> {
        let children = self.below(id);
        children.iter().flat_map(|child| self.remove(child)).collect()
    }

    /// Another process is behind the page, and may call its frames as the one before did.
    pub(super) fn other_process(&mut self) {
        self.gone.clear();
        self.early.clear();
    }

    /// Whether a frame may still show this document, as far as is known.
    pub(super) fn may_show(&self, id: &FrameId, loader: &str) -> bool {
        let frame = self.all.get(id);
        frame.is_some_and(|frame| frame.loader.as_ref().is_none_or(|shown| shown == loader))
    }

    /// The frames directly in a frame's document.
    pub(super) fn below(&self, id: &FrameId) -> Vec<FrameId> {
        let inside = |(_, frame): &(&FrameId, &Frame)| frame.parent.as_ref() == Some(id);
        self.all.iter().filter(inside).map(|(id, _)| id.clone()).collect()
    }

    /// A navigation began; answers the one that it takes the place of. Nothing if it was known.
    pub(super) fn start(&mut self, id: &FrameId, loader: &str, url: &str) -> Option<Option<Pending>> {
        let frame = self.all.get_mut(id)?;
        if frame.loader.as_deref() == Some(loader) {
            return None;
        }
        if let Some(pending) = frame.pending.as_mut().filter(|pending| pending.loader == loader) {
            url.clone_into(&mut pending.url);
            return None;
        }
        frame.starts += 1;
        frame.scheduled = false;
        frame.newest = Some(loader.to_owned());
        Some(frame.pending.replace(Pending { loader: loader.to_owned(), url: url.to_owned() }))
    }

    /// A new document is there, without the frames of the old one: answers those.
    pub(super) fn commit(&mut self, id: &FrameId, loader: &str, url: &str) -> Vec<FrameId> {
        let Some(frame) = self.all.get_mut(id) else { return Vec::new() };
        frame.lose_realm();
        frame.pending = frame.pending.take().filter(|pending| pending.loader != loader);
        frame.loader = Some(loader.to_owned());
        url.clone_into(&mut frame.url);
        frame.loaded = false;
        if *id == self.main {
            self.early.clear();
            self.conclude(loader, Outcome::Arrived);
        }
        self.remove_below(id)
    }

    /// A frame's document is loaded, or gets no further; true the first time.
    pub(super) fn load(&mut self, id: &FrameId) -> bool {
        self.all.get_mut(id).is_some_and(|frame| !std::mem::replace(&mut frame.loaded, true))
    }

    /// The navigation `loader` came to nothing; answers its frame, the first time.
    pub(super) fn fail(&mut self, loader: &str, outcome: Outcome) -> Option<FrameId> {
        let waits = |frame: &Frame| frame.pending.as_ref().is_some_and(|pending| pending.loader == loader);
        let id = self.all.iter().find(|(_, frame)| waits(frame)).map(|(id, _)| id.clone())?;
        self.all.get_mut(&id)?.pending = None;
        if id == self.main {
            self.conclude(loader, outcome);
        }
        Some(id)
    }

    fn conclude(&mut self, loader: &str, outcome: Outcome) {
        if self.outcomes.len() == OUTCOMES {
            self.outcomes.pop_front();
        }
        self.outcomes.push_back((loader.to_owned(), outcome));
    }

    /// What came of a navigation of the topmost frame, if it is over.
    pub(super) fn outcome(&self, loader: &str) -> Option<&Outcome> {
        self.outcomes.iter().rev().find(|(known, _)| known == loader).map(|(_, outcome)| outcome)
    }

    /// A world appeared, or was told of again.
    pub(super) fn add_realm(&mut self, id: &FrameId, context: i64) {
        let Some(frame) = self.all.get_mut(id) else {
            if !self.gone.contains(id) {
                self.early.insert(id.clone(), context);
            }
            return;
        };
        if frame.realm.as_ref().is_some_and(|realm| realm.context == context) {
            return;
        }
        frame.lose_realm();
        frame.realm = Some(Realm { context, objects: Arc::default(), gone: CancellationToken::new() });
    }

    /// The page's process died, with everything in it. Answers the frames that are gone.
    pub(super) fn crash(&mut self) -> Vec<FrameId> {
        let main = self.main.clone();
        let gone = self.remove_below(&main);
        if let Some(frame) = self.all.get_mut(&main) {
            frame.lose_realm();
            frame.pending = None;
            frame.loader = None;
            frame.newest = None;
        }
        self.outcomes.clear();
        self.main_raw = None;
        self.other_process();
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_go_with_the_document_around_them_and_questions_to_them_end() {
        let mut frames = Frames::new("p");
        frames.set_main("0.1");
        let (top, child, grandchild) = (frames.id("0.1"), frames.id("0.2"), frames.id("0.3"));
        assert!(frames.attach(&child, &top) && frames.attach(&grandchild, &child));
        assert!(!frames.attach(&child, &top));
        frames.add_realm(&grandchild, 7);
        let gone = frames.get(&grandchild).unwrap().realm().unwrap().gone.clone();
        assert_eq!(frames.with_context(7), Some(grandchild.clone()));
        assert_eq!(frames.commit(&top, "l1", "http://x/"), [grandchild, child]);
        assert!(gone.is_cancelled());
    }

    #[test]
    fn an_answer_that_is_older_than_a_frames_end_does_not_bring_it_back() {
        let mut frames = Frames::new("p");
        frames.set_main("0.1");
        let (top, known, unknown) = (frames.id("0.1"), frames.id("0.2"), frames.id("0.3"));
        assert!(frames.attach(&known, &top));
        assert_eq!(frames.remove(&known).len(), 1);
        assert!(frames.remove(&unknown).is_empty());
        assert!(!frames.attach(&known, &top) && !frames.attach(&unknown, &top));
        frames.commit(&top, "l1", "http://x/");
        assert!(frames.may_show(&top, "l1") && !frames.may_show(&top, "l0"));
    }

    #[test]
    fn a_world_that_is_told_before_its_frame_waits_for_it() {
        let mut frames = Frames::new("p");
        frames.set_main("0.1");
        let (top, child) = (frames.id("0.1"), frames.id("0.2"));
        frames.add_realm(&child, 7);
        assert_eq!(frames.with_context(7), None);
        assert!(frames.attach(&child, &top));
        assert_eq!(frames.with_context(7), Some(child));
    }

    #[test]
    fn a_navigation_ends_once_and_is_remembered() {
        let mut frames = Frames::new("p");
        frames.set_main("0.1");
        let top = frames.id("0.1");
        assert_eq!(frames.start(&top, "l1", "http://x/"), Some(None));
        assert_eq!(frames.start(&top, "l1", "http://y/"), None);
        let before = frames.start(&top, "l2", "http://z/").flatten().unwrap();
        assert_eq!((before.loader.as_str(), before.url.as_str()), ("l1", "http://y/"));
        assert_eq!(frames.fail("l2", Outcome::Download), Some(top));
        assert_eq!(frames.fail("l2", Outcome::Download), None);
        assert_eq!(frames.outcome("l2"), Some(&Outcome::Download));
    }
}
