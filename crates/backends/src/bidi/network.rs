//! The browser's network events as the engine's, and requests that nobody ends because their document is gone.

use std::collections::{HashMap, VecDeque};

use engine::backend::{Failure, FrameId, PageEvent, RequestId};
use tokio::time::{Instant, timeout_at};
use wire::bidi::types::ids::NavigationId;
use wire::bidi::types::network::{
    BeforeRequestSent, FetchError, RequestData, ResponseCompleted, ResponseStarted,
};

use super::asked::Asked;
use super::console;
use super::exchanges::{list, request, response};
use super::page::Page;
use super::reasons;
use crate::sync::lock;

/// The requests of one page that have not ended.
#[derive(Debug, Default)]
pub(super) struct Network {
    open: HashMap<RequestId, Open>,
    /// What the newest requests were for.
    addresses: VecDeque<(String, RequestId)>,
    pub(super) asked: Asked,
}

/// As many addresses as are remembered.
const ADDRESSES: usize = 1000;

#[derive(Debug)]
struct Open {
    frame: FrameId,
    /// It is for a document.
    navigation: Option<NavigationId>,
    /// The status, and whether it is to be saved, if the response is there.
    answered: Option<(u16, bool)>,
}

fn id(request: &RequestData) -> RequestId {
    request.request.as_str().into()
}

impl Network {
    /// Whether a response is still on its way.
    pub(super) fn is_open(&self, request: &RequestId) -> bool {
        self.open.contains_key(request)
    }

    /// Other requests for the same: Firefox tells of a picture once more when it takes it from memory, and keeps the bytes
    /// with the first.
    pub(super) fn alike(&self, request: &RequestId) -> Vec<RequestId> {
        let Some((url, _)) = self.addresses.iter().rfind(|(_, known)| known == request) else {
            return Vec::new();
        };
        let alike = self.addresses.iter().rev().filter(|(other, id)| other == url && id != request);
        alike.map(|(_, id)| id.clone()).collect()
    }

    fn note(&mut self, url: &str, request: RequestId) {
        if self.addresses.len() == ADDRESSES {
            self.addresses.pop_front();
        }
        self.addresses.push_back((url.to_owned(), request));
    }

    /// A frame is gone, with what it waited for.
    pub(super) fn frame_gone(&mut self, frame: &FrameId) -> Vec<PageEvent> {
        self.asked.frame_gone(frame);
        let gone: Vec<RequestId> =
            self.open.iter().filter(|(_, open)| open.frame == *frame).map(|(id, _)| id.clone()).collect();
        let failed = |id: RequestId| {
            self.open.remove(&id);
            PageEvent::Failed(Failure { id, reason: "the document is gone".to_owned(), cancelled: true })
        };
        gone.into_iter().map(failed).collect()
    }
}

impl Page {
    pub(super) fn requested(&self, frame: FrameId, mut sent: BeforeRequestSent) {
        sent.navigation = sent.navigation.map(|navigation| self.frames().names.first(&navigation));
        let open = Open { frame: frame.clone(), navigation: sent.navigation.clone(), answered: None };
        let awaited = {
            let mut network = lock(&self.network);
            network.note(&sent.request.url, id(&sent.request));
            network.open.insert(id(&sent.request), open);
            network.asked.browser_says(&frame, &sent.request.url)
        };
        if let Some(navigation) = &sent.navigation {
            self.resumed(&frame, navigation, &sent.request.url);
        }
        self.tell(PageEvent::Requested(request(frame, sent)));
        if awaited {
            self.change(|_| ());
        }
    }

    /// Waits until the browser has told of the requests that the page has asked for.
    pub(super) async fn all_told(&self) {
        let (began, mut changed) = (Instant::now(), self.changed.subscribe());
        while let Some(limit) = self.awaited_since(began) {
            // One that is not told of by then never will be.
            let _ = timeout_at(limit, changed.changed()).await;
        }
    }

    fn awaited_since(&self, began: Instant) -> Option<Instant> {
        lock(&self.network).asked.awaited(began).filter(|_| !self.has_ended())
    }

    pub(super) fn responded(&self, started: ResponseStarted) {
        let id = id(&started.request);
        let head = response(id.clone(), &started.request, started.response);
        if let Some(open) = lock(&self.network).open.get_mut(&id) {
            let saved = |(name, value): &(String, String)| {
                name.eq_ignore_ascii_case("content-disposition")
                    && value.trim_start().to_ascii_lowercase().starts_with("attachment")
            };
            open.answered = Some((head.status, head.headers.iter().any(saved)));
        }
        if head.status >= 400 {
            let why = match head.status_text.as_str() {
                "" => format!("the server responded with a status of {}", head.status),
                text => format!("the server responded with a status of {} ({text})", head.status),
            };
            self.tell(PageEvent::Console(console::missing(&head.url, &why, started.timestamp / 1000.0)));
        }
        self.tell(PageEvent::SentWith { id, ago: 0, headers: list(&started.request.headers) });
        self.tell(PageEvent::Responded(head));
    }

    pub(super) fn finished(&self, completed: &ResponseCompleted) {
        let id = id(&completed.request);
        if lock(&self.network).open.remove(&id).is_some() {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bytes")]
            let bytes =
                completed.response.bytes_received.filter(|bytes| *bytes >= 0.0).map(|bytes| bytes as u64);
            self.tell(PageEvent::Finished { id, bytes });
            self.change(|_| ());
        }
    }

    pub(super) fn request_failed(&self, failed: FetchError) {
        let id = id(&failed.request);
        let Some(open) = lock(&self.network).open.remove(&id) else { return };
        let reason = reasons::told(&failed.error_text);
        let cancelled = reason == reasons::ABORTED;
        if let Some(navigation) = failed.navigation.or(open.navigation) {
            let why = why_no_document(open.answered, &reason);
            self.frames().judge(&navigation, &why);
            self.navigation_given_up(&navigation, &why);
        } else if !cancelled {
            let entry = console::missing(&failed.request.url, &reason, failed.timestamp / 1000.0);
            self.tell(PageEvent::Console(entry));
        }
        self.tell(PageEvent::Failed(Failure { id, reason, cancelled }));
        self.change(|_| ());
    }
}

/// Why a navigation has no document, in words that help.
fn why_no_document(answered: Option<(u16, bool)>, reason: &str) -> String {
    match answered {
        Some((204, _)) => "the server answered 204 No Content: there is no document".to_owned(),
        Some((205, _)) => "the server answered 205 Reset Content: there is no document".to_owned(),
        Some((_, true)) => "the server sent a file to be saved: there is no document".to_owned(),
        _ => reason.to_owned(),
    }
}
