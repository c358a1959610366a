//! The frames of a page as the browser knows them: which session each lives in, its worlds of scripts, and the
//! navigation that is on its way.
//!
//! A frame keeps its name when it moves to another process, and gets another session; its worlds go with the process.

use std::collections::{HashMap, VecDeque};

use engine::backend::{FrameId, World};
use tokio_util::sync::CancellationToken;
use wire::cdp::Session;
use wire::cdp::types::ids::{ExecutionContextId, LoaderId, SessionId, UniqueContextId};

/// One frame.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) parent: Option<FrameId>,
    pub(super) session: Session,
    /// The document that it shows.
    pub(super) loader: Option<LoaderId>,
    /// That it is loaded was told.
    loaded: bool,
    /// The navigation that is on its way.
    pub(super) pending: Option<Pending>,
    main: Option<Realm>,
    utility: Option<Realm>,
    /// Its process died; its session answers nothing until it has another document.
    pub(super) crashed: bool,
}

/// A navigation that is on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) loader: LoaderId,
    /// Its request was sent: how it ends is told by the network.
    pub(super) requested: bool,
}

/// A world of scripts in one document.
#[derive(Debug, Clone)]
pub(super) struct Realm {
    pub(super) session: Session,
    /// Its number within its process: after a navigation the same number may be another world in another process, so it
    /// is only used where the protocol takes no other name.
    pub(super) number: ExecutionContextId,
    /// Its name, which is no other world's.
    pub(super) name: UniqueContextId,
    /// Fires when the document is gone.
    pub(super) gone: CancellationToken,
}

impl Realm {
    pub(super) fn new(session: Session, number: ExecutionContextId, name: UniqueContextId) -> Self {
        Self { session, number, name, gone: CancellationToken::new() }
    }
}

/// Every frame of a page.
#[derive(Debug)]
pub(super) struct Frames {
    main: FrameId,
    all: HashMap<FrameId, Frame>,
    /// Why navigations came to nothing, the newest last.
    verdicts: VecDeque<(LoaderId, String)>,
}

/// As many failed navigations as are remembered.
const VERDICTS: usize = 32;

impl Frame {
    fn new(parent: Option<FrameId>, session: Session) -> Self {
        Self {
            parent,
            session,
            loader: None,
            loaded: true,
            pending: None,
            main: None,
            utility: None,
            crashed: false,
        }
    }

    pub(super) fn realm(&self, world: World) -> Option<&Realm> {
        match world {
            World::Main => self.main.as_ref(),
            World::Utility => self.utility.as_ref(),
        }
    }

    fn slot(&mut self, world: World) -> &mut Option<Realm> {
        match world {
            World::Main => &mut self.main,
            World::Utility => &mut self.utility,
        }
    }

    fn lose_realms(&mut self) {
        for realm in [self.main.take(), self.utility.take()].into_iter().flatten() {
            realm.gone.cancel();
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.lose_realms();
    }
}

impl Frames {
    /// A page with only its topmost frame.
    pub(super) fn new(main: FrameId, session: Session) -> Self {
        let all = HashMap::from([(main.clone(), Frame::new(None, session))]);
        Self { main, all, verdicts: VecDeque::new() }
    }

    pub(super) fn get(&self, frame: &FrameId) -> Option<&Frame> {
        self.all.get(frame)
    }

    pub(super) fn get_mut(&mut self, frame: &FrameId) -> Option<&mut Frame> {
        self.all.get_mut(frame)
    }

    pub(super) fn is_main(&self, frame: &FrameId) -> bool {
        *frame == self.main
    }

    /// The frame whose request a document's is.
    fn waiting_for(&self, loader: &str) -> Option<FrameId> {
        let waits = |frame: &Frame| frame.pending.as_ref().is_some_and(|it| it.loader.as_str() == loader);
        self.all.iter().find(|(_, frame)| waits(frame)).map(|(id, _)| id.clone())
    }

    /// Every session that a frame lives in, each once.
    pub(super) fn sessions(&self) -> Vec<Session> {
        let mut sessions: Vec<Session> = Vec::new();
        for frame in self.all.values() {
            if !sessions.iter().any(|known| known.id() == frame.session.id()) {
                sessions.push(frame.session.clone());
            }
        }
        sessions
    }

    /// Every world of this kind that is there.
    pub(super) fn realms(&self, world: World) -> Vec<Realm> {
        self.all.values().filter_map(|frame| frame.realm(world).cloned()).collect()
    }

    /// A frame appeared in `session`; false if it was there already, and only moved.
    pub(super) fn attach(&mut self, id: &FrameId, parent: &FrameId, session: &Session) -> bool {
        if let Some(frame) = self.all.get_mut(id) {
            if frame.session.id() != session.id() {
                frame.lose_realms();
                frame.session = session.clone();
            }
            return false;
        }
        self.all.insert(id.clone(), Frame::new(Some(parent.clone()), session.clone()));
        true
    }

    /// A frame was removed; answers it and everything in it.
    pub(super) fn remove(&mut self, id: &FrameId) -> Vec<FrameId> {
        if self.is_main(id) || self.all.remove(id).is_none() {
            return Vec::new();
        }
        let mut gone = self.remove_below(id);
        gone.push(id.clone());
        gone
    }

    /// The frames in `id` are gone; answers them.
    fn remove_below(&mut self, id: &FrameId) -> Vec<FrameId> {
        let inside = |(_, frame): &(&FrameId, &Frame)| frame.parent.as_ref() == Some(id);
        let children: Vec<FrameId> = self.all.iter().filter(inside).map(|(id, _)| id.clone()).collect();
        children.iter().flat_map(|child| self.remove(child)).collect()
    }

    /// A session ended. Its topmost frame waits for what comes next in the session around it; those below are gone.
    pub(super) fn end_session(&mut self, session: &SessionId, root: &FrameId) -> Vec<FrameId> {
        let around = self.all.get(root).and_then(|frame| frame.parent.clone());
        let around = around.and_then(|parent| self.all.get(&parent)).map(|parent| parent.session.clone());
        match (self.all.get(root), around) {
            (Some(frame), Some(around)) if frame.session.id() == Some(session) => {
                let parent = frame.parent.clone().unwrap_or_else(|| self.main.clone());
                self.attach(root, &parent, &around);
                self.remove_below(root)
            }
            // It has moved already, or never came to live there.
            _ => Vec::new(),
        }
    }

    /// A new document is there, without the frames of the old one: answers those.
    pub(super) fn commit(&mut self, id: &FrameId, session: &Session, loader: LoaderId) -> Vec<FrameId> {
        let Some(frame) = self.all.get_mut(id) else { return Vec::new() };
        if frame.session.id() != session.id() {
            frame.lose_realms();
            frame.session = session.clone();
        }
        frame.crashed = false;
        frame.pending = frame.pending.take().filter(|pending| pending.loader != loader);
        frame.loader = Some(loader);
        frame.loaded = false;
        self.remove_below(id)
    }

    /// The frame's document, if it was not told that it is loaded.
    pub(super) fn unfinished(&self, id: &FrameId) -> Option<LoaderId> {
        self.all.get(id).filter(|frame| !frame.loaded)?.loader.clone()
    }

    /// A frame's document is loaded, or gets no further; true the first time.
    pub(super) fn load(&mut self, id: &FrameId) -> bool {
        self.all.get_mut(id).is_some_and(|frame| !std::mem::replace(&mut frame.loaded, true))
    }

    /// The request of a frame's navigation was sent.
    pub(super) fn requested(&mut self, id: &FrameId, loader: &str) {
        let pending = self.all.get_mut(id).and_then(|frame| frame.pending.as_mut());
        if let Some(pending) = pending.filter(|pending| pending.loader.as_str() == loader) {
            pending.requested = true;
        }
    }

    /// The navigation `loader` came to nothing; answers its frame, the first time.
    pub(super) fn fail(&mut self, loader: &str, reason: &str) -> Option<FrameId> {
        let id = self.waiting_for(loader)?;
        let pending = self.all.get_mut(&id).and_then(|frame| frame.pending.take())?;
        if self.verdicts.len() == VERDICTS {
            self.verdicts.pop_front();
        }
        self.verdicts.push_back((pending.loader, reason.to_owned()));
        Some(id)
    }

    /// Why the navigation `loader` came to nothing, if it did.
    pub(super) fn verdict(&self, loader: &LoaderId) -> Option<&str> {
        self.verdicts.iter().find(|(failed, _)| failed == loader).map(|(_, reason)| reason.as_str())
    }

    /// A world appeared.
    pub(super) fn add_realm(&mut self, id: &FrameId, world: World, realm: Realm) {
        let same = |frame: &&mut Frame| frame.session.id() == realm.session.id();
        let Some(frame) = self.all.get_mut(id).filter(same) else { return };
        if let Some(before) = frame.slot(world).replace(realm) {
            before.gone.cancel();
        }
    }

    /// A world is gone.
    pub(super) fn remove_realm(&mut self, session: &Session, number: ExecutionContextId) {
        self.each_realm(session, |realm| realm.number == number);
    }

    /// Every world of a session is gone.
    pub(super) fn remove_realms(&mut self, session: &Session) {
        self.each_realm(session, |_| true);
    }

    fn each_realm(&mut self, session: &Session, gone: impl Fn(&Realm) -> bool) {
        for frame in self.all.values_mut() {
            for world in [World::Main, World::Utility] {
                let slot = frame.slot(world);
                let hit =
                    slot.as_ref().is_some_and(|realm| realm.session.id() == session.id() && gone(realm));
                if let Some(realm) = slot.take_if(|_| hit) {
                    realm.gone.cancel();
                }
            }
        }
    }

    /// The process behind a session died, and every frame in it.
    pub(super) fn crash(&mut self, session: &Session) {
        for frame in self.all.values_mut().filter(|frame| frame.session.id() == session.id()) {
            frame.lose_realms();
            frame.crashed = true;
            frame.pending = None;
        }
    }
}
