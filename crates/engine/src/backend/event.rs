//! What happens in a page on its own.

use super::network::{Failure, Request, Response};
use super::{DialogId, FrameId, Handle, NavigationId, RequestId};

/// One thing that happened. Events of one page come in the order in which they happened.
#[derive(Debug, Clone, PartialEq)]
pub enum PageEvent {
    /// A frame appeared.
    FrameAttached {
        /// Which.
        frame: FrameId,
        /// In which.
        parent: FrameId,
    },
    /// A frame was removed, with everything in it.
    FrameDetached {
        /// Which.
        frame: FrameId,
    },
    /// A navigation to a new document began: by us, by a link, by a script.
    NavigationStarted {
        /// In which frame.
        frame: FrameId,
        /// Which.
        navigation: NavigationId,
        /// Where to, if the browser tells already.
        url: Option<String>,
    },
    /// A new document is there; the old one and every question to it are gone.
    Committed {
        /// In which frame.
        frame: FrameId,
        /// By which navigation; `None` for a frame's first, blank document.
        navigation: Option<NavigationId>,
        /// The document's address.
        url: String,
    },
    /// The address changed and the document stayed.
    AddressChanged {
        /// In which frame.
        frame: FrameId,
        /// The new address.
        url: String,
    },
    /// A navigation came to nothing; the old document stays.
    NavigationFailed {
        /// In which frame.
        frame: FrameId,
        /// Which.
        navigation: NavigationId,
        /// Why, in the browser's words.
        reason: String,
    },
    /// A document is parsed.
    DomContentLoaded {
        /// In which frame.
        frame: FrameId,
    },
    /// A document and everything in it is loaded.
    Loaded {
        /// In which frame.
        frame: FrameId,
    },
    /// A script wrote to the console, or failed.
    Console(ConsoleEntry),
    /// A request was sent.
    Requested(Request),
    /// What a request was really sent with is known: cookies are added late.
    SentWith {
        /// Which.
        id: RequestId,
        /// How many redirects ago: a redirect is a request of the same name.
        ago: usize,
        /// All of its headers.
        headers: Vec<(String, String)>,
    },
    /// The head of a response came.
    Responded(Response),
    /// What a response really came with is known: cookies are told late, even after its end.
    AnsweredWith {
        /// To which request.
        id: RequestId,
        /// How many redirects ago.
        ago: usize,
        /// All of its headers.
        headers: Vec<(String, String)>,
    },
    /// A response is complete.
    Finished {
        /// To which request.
        id: RequestId,
        /// How many bytes came over the network, where the browser tells.
        bytes: Option<u64>,
    },
    /// A request came to nothing.
    Failed(Failure),
    /// A dialog opened; the page waits for its answer.
    DialogOpened(Dialog),
    /// It was answered, by us or by a person.
    DialogClosed {
        /// Which.
        id: DialogId,
    },
    /// The page asked for another page, which the context tells of when it is there.
    PopupAsked {
        /// Where that page is to go; empty if nowhere, or if it is not known.
        url: String,
    },
    /// A file chooser was asked for; none is shown.
    FileChooser {
        /// The input, or nothing if it can't be told.
        input: Option<Handle>,
        /// Whether it takes several files.
        multiple: bool,
    },
    /// The page's process died. It can be navigated again.
    Crashed,
    /// The page is closed. Nothing follows.
    Closed,
}

/// A line of the console.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsoleEntry {
    /// How grave.
    pub level: ConsoleLevel,
    /// What it says.
    pub text: String,
    /// Where from.
    pub place: Option<Place>,
    /// An exception that nobody caught.
    pub uncaught: bool,
    /// Seconds since 1970.
    pub at: f64,
}

/// How grave a line of the console is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the console's own words")]
pub enum ConsoleLevel {
    Debug,
    Info,
    Warning,
    Error,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The source's address.
    pub url: String,
    /// From 0.
    pub line: u32,
    /// From 0.
    pub column: u32,
}

/// A dialog that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    /// Its name.
    pub id: DialogId,
    /// Which kind.
    pub kind: DialogKind,
    /// What it says.
    pub message: String,
    /// What a prompt proposes.
    pub default_text: String,
    /// The page that opened it.
    pub url: String,
}

/// Kinds of dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the web's own words")]
pub enum DialogKind {
    Alert,
    Confirm,
    Prompt,
    BeforeUnload,
}
