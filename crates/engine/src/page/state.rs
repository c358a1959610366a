//! What is known of a page at one moment.

use super::{Console, Frames, Interruption, Network};
use crate::backend::{Dialog, FrameId, Handle, PageEvent};
use crate::settle::Hand;

/// Whether the page is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// It is.
    Open,
    /// Its process died; a navigation brings it back.
    Crashed,
    /// It is closed for good.
    Closed,
}

/// A file chooser that a page asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chooser {
    /// The input that asked, where the browser tells.
    pub input: Option<Handle>,
    /// Whether it takes several files.
    pub multiple: bool,
}

/// The pages that a page opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Popups {
    /// It asked for so many.
    pub asked: u64,
    /// So many of them are there.
    pub come: u64,
    /// The one that it asked for last is to go nowhere.
    pub blank: bool,
}

/// The downloads of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Transfers {
    /// So many began.
    pub begun: u64,
    /// So many of them ended.
    pub ended: u64,
}

/// Everything that is known of a page.
#[derive(Debug)]
pub struct State {
    /// Its frames.
    pub frames: Frames,
    /// Its requests.
    pub network: Network,
    /// Its console.
    pub console: Console,
    /// The dialogs that are open, the newest last.
    pub dialogs: Vec<Dialog>,
    /// The file chooser that waits for files.
    pub chooser: Option<Chooser>,
    /// Whether it is there.
    pub life: Life,
    /// How many navigations to new documents began, in any frame.
    pub navigations: u64,
    /// How often the topmost frame's address or document changed.
    pub moves: u64,
    /// How many pages it asked for, and how many of them are there.
    pub popups: Popups,
    /// How many downloads of its began, and how many of them ended.
    pub transfers: Transfers,
    /// How many navigations came to nothing, in any frame.
    pub failures: u64,
    /// What the last action left for settling.
    pub(crate) hand: Hand,
}

impl State {
    /// A blank page.
    pub fn new(main_frame: FrameId) -> Self {
        Self {
            frames: Frames::new(main_frame),
            network: Network::default(),
            console: Console::default(),
            dialogs: Vec::new(),
            chooser: None,
            life: Life::Open,
            navigations: 0,
            moves: 0,
            popups: Popups::default(),
            transfers: Transfers::default(),
            failures: 0,
            hand: Hand::default(),
        }
    }

    /// Takes note of what happened.
    pub fn apply(&mut self, event: PageEvent) {
        if let PageEvent::Committed { frame, .. } | PageEvent::AddressChanged { frame, .. } = &event
            && frame == self.frames.main()
        {
            self.moves += 1;
        }
        self.frames.apply(&event);
        self.network.apply(&event);
        match event {
            PageEvent::Console(entry) => self.console.push(entry),
            PageEvent::DialogOpened(dialog) => self.dialogs.push(dialog),
            PageEvent::DialogClosed { id } => self.dialogs.retain(|dialog| dialog.id != id),
            PageEvent::FileChooser { input, multiple } => self.chooser = Some(Chooser { input, multiple }),
            PageEvent::NavigationStarted { .. } => self.navigations += 1,
            PageEvent::PopupAsked { url } => {
                self.popups.asked += 1;
                self.popups.blank = matches!(url.as_str(), "" | "about:blank");
            }
            PageEvent::NavigationFailed { .. } => self.failures += 1,
            PageEvent::Committed { .. } => self.chooser = None,
            PageEvent::Crashed => {
                self.life = Life::Crashed;
                self.dialogs.clear();
            }
            PageEvent::Closed => {
                self.life = Life::Closed;
                self.dialogs.clear();
            }
            _ => {}
        }
    }

    /// A crashed page is given another chance: it is about to be navigated.
    pub fn revive(&mut self) {
        if self.life == Life::Crashed {
            self.life = Life::Open;
        }
    }

    /// What keeps the page from answering, if anything does.
    pub fn interruption(&self) -> Option<Interruption> {
        match self.life {
            Life::Closed => Some(Interruption::Closed),
            Life::Crashed => Some(Interruption::Crashed),
            Life::Open => self.dialogs.last().cloned().map(Interruption::Dialog),
        }
    }
}
