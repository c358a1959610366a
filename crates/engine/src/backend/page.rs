//! A page, its frames, and the two worlds of scripts in each.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{
    DialogId, FrameId, InputEvent, Modifiers, NavigationId, PageId, Picture, Point, RequestId, Shot,
    Viewport, Work,
};

/// A tab or popup.
pub trait Page: Debug + Send + Sync {
    /// Its name.
    fn id(&self) -> &PageId;

    /// Begins to navigate `frame` to `url`. Answers when the browser knows what came of it: a navigation whose events
    /// will follow, or a failure before any. Does not wait for the document.
    fn navigate(&self, frame: &FrameId, url: &str, referrer: Option<&str>) -> Work<'_, Started>;

    /// Begins to load the document anew.
    fn reload(&self, ignore_cache: bool) -> Work<'_, ()>;

    /// Goes `delta` entries through the history; false if there is none.
    fn travel(&self, delta: i32) -> Work<'_, bool>;

    /// Stops whatever is loading.
    fn stop(&self) -> Work<'_, ()>;

    /// Answers when everything that happened before the last answer is on the page's channel of events: an answer may come
    /// before them. A backend that reads both in one task need not do anything.
    fn caught_up(&self) -> Work<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Asks the injected script in `frame` something, and waits for its answer.
    ///
    /// The backend sees to it that the script is there. When the document changes under the question, the answer is
    /// [`DocumentGone`](super::BackendError::DocumentGone), never silence.
    fn ask(&self, frame: &FrameId, question: &Question) -> Work<'_, Box<RawValue>>;

    /// Like [`Page::ask`], for a question whose answer is an element.
    fn ask_for_node(&self, frame: &FrameId, question: &Question) -> Work<'_, Option<Handle>>;

    /// Asks the injected script in `element`'s document about it: the method's second argument is the element.
    fn ask_about(&self, element: &Handle, question: &Question) -> Work<'_, Box<RawValue>>;

    /// Calls `function`, the text of a JavaScript function, with `arguments` in the page's own world, and waits for
    /// what it promises. The answer is plain JSON; what JSON can't hold is the function's to describe. A text that is no
    /// function of JavaScript, like an exception, is [`Threw`](super::BackendError::Threw).
    fn evaluate(&self, frame: &FrameId, function: &str, arguments: Vec<Argument>) -> Work<'_, Box<RawValue>>;

    /// Ends whatever script runs in the page: an endless loop would hold every later question.
    fn interrupt(&self) -> Work<'_, ()>;

    /// Lets go of an element.
    fn release(&self, handle: Handle);

    /// The frame inside a frame element.
    fn content_frame(&self, element: &Handle) -> Work<'_, Option<FrameId>>;

    /// The element in the parent's document that holds `frame`.
    fn frame_element(&self, frame: &FrameId) -> Work<'_, Handle>;

    /// Sends input, all in one go. Answers when a question asked afterwards sees what it did; one that is sent together
    /// with input may overtake it.
    fn input(&self, events: Vec<InputEvent>) -> Work<'_, ()>;

    /// Drags from one point along others to the last and drops there, with the events of HTML5 drag and drop where the
    /// page starts one, and as a plain mouse gesture where it does not.
    fn drag(&self, path: Vec<Point>, modifiers: Modifiers) -> Work<'_, ()>;

    /// Drops files and data from outside of the browser at a point, as if they were dragged there.
    fn drop_from_outside(&self, at: Point, dropped: Dropped) -> Work<'_, ()>;

    /// Puts files into a file input.
    fn set_files(&self, input: &Handle, files: Vec<PathBuf>) -> Work<'_, ()>;

    /// Takes a picture.
    fn picture(&self, shot: Shot) -> Work<'_, Picture>;

    /// Changes the size of the page.
    fn set_viewport(&self, viewport: Viewport) -> Work<'_, ()>;

    /// Answers a dialog.
    fn answer_dialog(&self, dialog: &DialogId, accept: bool, text: Option<&str>) -> Work<'_, ()>;

    /// The body of a request that was sent.
    fn request_body(&self, request: &RequestId) -> Work<'_, Option<Vec<u8>>>;

    /// The body of a response that came.
    fn response_body(&self, request: &RequestId) -> Work<'_, Vec<u8>>;

    /// Shows the page in front of the others.
    fn bring_to_front(&self) -> Work<'_, ()>;

    /// The page as PDF.
    fn pdf(&self) -> Work<'_, Vec<u8>>;

    /// Closes the page; `ask_first` lets its `beforeunload` object.
    fn close(&self, ask_first: bool) -> Work<'_, ()>;
}

/// What came of a request to navigate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Started {
    /// A new document is on its way; its events carry this name.
    Navigation(NavigationId),
    /// Only the fragment changed; the document stays.
    SameDocument,
    /// It came to nothing before a document could: `net::ERR_CONNECTION_REFUSED`.
    Failed(String),
    /// It became a download.
    Download,
}

/// A question to the injected script: a method of it and its one argument.
#[derive(Debug, Clone)]
pub struct Question {
    /// The method.
    pub method: &'static str,
    /// Its argument.
    pub argument: Value,
}

impl Question {
    /// Asks `method` about `argument`.
    pub fn new(method: &'static str, argument: impl Serialize) -> Self {
        // Every argument is a plain structure of ours; one that can't be written is asked about as nothing.
        Self { method, argument: serde_json::to_value(argument).unwrap_or_default() }
    }
}

/// The worlds of scripts in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum World {
    /// The page's own.
    Main,
    /// Ours, where the injected script lives.
    Utility,
}

/// An element, held in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handle {
    /// In which frame.
    pub frame: FrameId,
    /// The browser's own word for it.
    pub object: Arc<str>,
}

/// What a function of the user's is called with.
#[derive(Debug, Clone)]
pub enum Argument {
    /// A plain value.
    Json(Value),
    /// An element.
    Node(Handle),
}

/// What is dropped on a page from outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Files.
    pub files: Vec<PathBuf>,
    /// Data by its media type: `text/plain`, `text/uri-list`.
    pub data: Vec<(String, String)>,
}
