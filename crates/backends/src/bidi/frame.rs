//! One frame of a page: its address, its document and the worlds of scripts in it.

use engine::backend::{FrameId, World};
use tokio_util::sync::CancellationToken;
use wire::bidi::types::ids::{BrowsingContextId, NavigationId, RealmId};
use wire::bidi::types::script::Target;

/// The name of the sandbox in which the injected script lives.
pub(super) const SANDBOX: &str = "e2e";

/// How a world of a frame's document is addressed. Not by its own name: Firefox looks for that in every page of every
/// session, so one that is in a loop would hold up all others, and one that is being closed would fail their calls.
pub(super) fn target(frame: &FrameId, world: World) -> Target {
    Target {
        context: Some(BrowsingContextId::from(frame.as_str())),
        sandbox: (world == World::Utility).then(|| SANDBOX.to_owned()),
        ..Target::new()
    }
}

/// One frame.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) parent: Option<FrameId>,
    pub(super) url: String,
    /// The navigation that brought its document, and the one before.
    pub(super) navigation: Option<NavigationId>,
    pub(super) former: Option<NavigationId>,
    /// The navigation that is on its way, and where to.
    pub(super) pending: Option<NavigationId>,
    pub(super) heading: String,
    /// Its world is there, but not yet told as arrived.
    pub(super) ahead: bool,
    /// A main world was told of since the last arrival: it is probably that of a document whose navigation nobody has told
    /// of yet. Or the last arrival's own is still owed.
    pub(super) fresh: bool,
    pub(super) owed: bool,
    /// It was emptied and nobody asked for that: if its worlds go, too, its process died.
    pub(super) emptied: bool,
    /// The navigation that began last.
    pub(super) last: Option<NavigationId>,
    /// The one whose fault no page tells of.
    pub(super) pageless: Option<NavigationId>,
    /// How often its address or document changed.
    pub(super) moves: u64,
    /// What was told of the document that is on its way, before it was told that it is there.
    pub(super) early: Reached,
    pub(super) loaded: bool,
    pub(super) main: Option<Realm>,
    pub(super) utility: Option<Realm>,
    /// A world of ours was told of without the document's own: that was the blank document's before, as a window's first document has
    /// it, and nobody will tell of it.
    pub(super) inherits: bool,
    /// Each fires when the world comes that was not known.
    unknown_main: CancellationToken,
    unknown_utility: CancellationToken,
}

/// How far a document is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reached {
    #[default]
    Nothing,
    Parsed,
    Loaded,
}

/// A world of scripts, of one document as a rule: a frame's first document takes over the world of the blank one.
#[derive(Debug, Clone)]
pub(super) struct Realm {
    /// The browser's name for it, where that is known.
    pub(super) id: Option<RealmId>,
    /// Fires when it is gone.
    pub(super) gone: CancellationToken,
    /// It has the injected script.
    pub(super) scripted: bool,
}

impl Realm {
    pub(super) fn of(id: RealmId) -> Self {
        Self { id: Some(id), gone: CancellationToken::new(), scripted: false }
    }

    /// Whether it is known by this name.
    pub(super) fn is(&self, id: &RealmId) -> bool {
        self.id.as_ref() == Some(id)
    }
}

impl Frame {
    /// Whether it was emptied, and its worlds are gone.
    pub(super) fn has_vanished(&self) -> bool {
        self.emptied && self.main.is_none() && self.utility.is_none()
    }

    pub(super) fn new(parent: Option<FrameId>, url: String) -> Self {
        let mut frame = Self::default();
        frame.parent = parent;
        frame.url = url;
        frame
    }

    pub(super) fn slot(&mut self, world: World) -> &mut Option<Realm> {
        match world {
            World::Main => &mut self.main,
            World::Utility => &mut self.utility,
        }
    }

    /// Fires when this world comes, which is not known.
    pub(super) fn unknown(&mut self, world: World) -> &mut CancellationToken {
        match world {
            World::Main => &mut self.unknown_main,
            World::Utility => &mut self.unknown_utility,
        }
    }

    pub(super) fn lose_realms(&mut self) {
        for realm in [self.main.take(), self.utility.take()].into_iter().flatten() {
            realm.gone.cancel();
        }
        self.inherits = false;
        for world in [World::Main, World::Utility] {
            std::mem::take(self.unknown(world)).cancel();
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.lose_realms();
    }
}
