//! Requests and responses as a page causes them.

use super::{FrameId, NavigationId, RequestId};

/// A request that was sent. A redirect is a new request with the same name.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Its name.
    pub id: RequestId,
    /// The frame that asked, where the browser tells.
    pub frame: Option<FrameId>,
    /// The navigation that it is for, if it is for a document.
    pub navigation: Option<NavigationId>,
    /// What it asks for.
    pub url: String,
    /// How.
    pub method: String,
    /// What for.
    pub kind: ResourceKind,
    /// Its headers, as far as the browser tells.
    pub headers: Vec<(String, String)>,
    /// Whether it carries a body.
    pub has_body: bool,
    /// Whether it follows a redirect of the same name.
    pub redirected: bool,
    /// Seconds since 1970.
    pub at: f64,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the fetch standard")]
pub enum ResourceKind {
    Document,
    Stylesheet,
    Image,
    Media,
    Font,
    Script,
    Xhr,
    Fetch,
    EventSource,
    WebSocket,
    Manifest,
    Ping,
    Preflight,
    Other,
}

/// The head of a response.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Which request it answers.
    pub id: RequestId,
    /// Where it came from in the end.
    pub url: String,
    /// 200, 404 …
    pub status: u16,
    /// What the server called it.
    pub status_text: String,
    /// Its headers.
    pub headers: Vec<(String, String)>,
    /// What it is, without parameters.
    pub mime: String,
    /// It came from the cache or a service worker.
    pub from_cache: bool,
    /// The address that answered, where the browser tells.
    pub remote: Option<String>,
    /// When what happened, where the browser tells.
    pub timing: Option<Timing>,
}

/// Milliseconds from the request's start; -1 where it did not happen.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the words of the resource timing standard")]
pub struct Timing {
    pub dns_start: f64,
    pub dns_end: f64,
    pub connect_start: f64,
    pub connect_end: f64,
    pub send_start: f64,
    pub receive_headers_end: f64,
}

/// A request that came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which.
    pub id: RequestId,
    /// Why, in the browser's words.
    pub reason: String,
    /// Whether the page or the user gave it up, which is no fault.
    pub cancelled: bool,
}
