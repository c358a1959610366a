//! The browser's network events as the engine's.

use std::collections::HashMap;

use engine::backend::{Failure, FrameId, PageEvent, Request, RequestId, ResourceKind, Response};
use wire::inspector::Event;
use wire::inspector::types;

use super::documents::navigation;
use super::exchanges::{head, kind, list, now, saved_as};
use super::reasons;

/// Translates one page's events.
#[derive(Debug, Default)]
pub(super) struct Network {
    page: String,
    /// The view that shows the page.
    view: u64,
    open: HashMap<RequestId, Open>,
    refusals: u64,
}

/// A request that has not ended.
#[derive(Debug)]
struct Open {
    frame: Option<FrameId>,
    loader: String,
    is_document: bool,
    url: String,
    /// The status and the name that it is to be saved under, if the response is there.
    answered: Option<(u16, Option<String>)>,
}

/// What an event means besides what is told.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Matter {
    /// A document is asked for.
    Navigation { frame: FrameId, loader: String, url: String },
    /// A document will not come.
    Lost { loader: String, reason: String },
    /// It is saved instead of shown.
    Download { loader: String, url: String, name: Option<String> },
}

/// What the browser says of a document that it saves instead of showing.
const INTERRUPTED: &str = "Frame load interrupted";

impl Network {
    pub(super) fn new(page: &str, view: u64) -> Self {
        Self { page: page.to_owned(), view, ..Self::default() }
    }

    /// A request's name. The browser's own are those of the process, and the next one begins anew.
    pub(super) fn id(&self, raw: &str) -> RequestId {
        format!("{}.{}#{raw}", self.page, self.view).into()
    }

    /// What `event` means.
    pub(super) fn translate(
        &mut self,
        event: &Event,
        frame_of: impl Fn(&str) -> FrameId,
    ) -> (Vec<PageEvent>, Option<Matter>) {
        let told = match event.method() {
            "Network.requestWillBeSent" => {
                return event.read().map_or_else(Default::default, |sent| self.sent(sent, frame_of));
            }
            "Network.responseReceived" => event.read().map(|received| self.received(received)),
            "Network.loadingFinished" => event.read().map(|finished| self.finished(finished)),
            "Network.loadingFailed" => {
                return event.read().as_ref().map_or_else(Default::default, |failed| self.failed(failed));
            }
            "Network.requestServedFromMemoryCache" => {
                event.read().map(|served| self.remembered(served, frame_of))
            }
            _ => self.socket(event),
        };
        (told.unwrap_or_default(), None)
    }

    fn sent(
        &mut self,
        sent: types::RequestWillBeSent,
        frame_of: impl Fn(&str) -> FrameId,
    ) -> (Vec<PageEvent>, Option<Matter>) {
        let id = self.id(&sent.request_id);
        let mut told = Vec::new();
        let redirected = sent.redirect_response.is_some();
        if let Some(response) = sent.redirect_response {
            told.push(PageEvent::Responded(head(&id, response)));
        }
        let frame = frame_of(&sent.frame_id);
        let kind = kind(sent.r#type.as_deref(), &sent.request.headers);
        let is_document = kind == ResourceKind::Document;
        let url = sent.request.url;
        if is_document && url == "about:blank" {
            // Nobody is asked for it: it stands for a document that could not be had.
            return (told, Some(Matter::Navigation { frame, loader: sent.loader_id, url }));
        }
        told.push(PageEvent::Requested(Request {
            id: id.clone(),
            frame: Some(frame.clone()),
            navigation: is_document.then(|| navigation(self.view, &sent.loader_id)),
            url: url.clone(),
            method: sent.request.method,
            kind,
            headers: list(sent.request.headers),
            has_body: sent.request.post_data.is_some(),
            redirected,
            at: sent.walltime,
        }));
        let matter = is_document.then(|| Matter::Navigation {
            frame: frame.clone(),
            loader: sent.loader_id.clone(),
            url: url.clone(),
        });
        let open = Open { frame: Some(frame), loader: sent.loader_id, is_document, url, answered: None };
        self.open.insert(id, open);
        (told, matter)
    }

    fn received(&mut self, received: types::ResponseReceived) -> Vec<PageEvent> {
        let id = self.id(&received.request_id);
        let Some(open) = self.open.get_mut(&id) else { return Vec::new() };
        let sent = received.response.request_headers.clone();
        let response = head(&id, received.response);
        let again = open.answered.replace((response.status, saved_as(&response))).is_some();
        // A document that is saved is answered twice.
        if again {
            return Vec::new();
        }
        let sent = sent.filter(|headers| !headers.is_empty());
        let sent = sent.map(|headers| PageEvent::SentWith { id, ago: 0, headers: list(headers) });
        sent.into_iter().chain([PageEvent::Responded(response)]).collect()
    }

    fn finished(&mut self, finished: types::LoadingFinished) -> Vec<PageEvent> {
        let id = self.id(&finished.request_id);
        if self.open.remove(&id).is_none() {
            return Vec::new();
        }
        let metrics = finished.metrics;
        let headers = metrics.as_ref().and_then(|metrics| metrics.request_headers.clone());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bytes")]
        let bytes = metrics.and_then(|metrics| {
            let body = metrics.response_body_bytes_received?;
            Some((body + metrics.response_header_bytes_received.unwrap_or_default()).max(0.0) as u64)
        });
        let sent = headers.filter(|headers| !headers.is_empty());
        let sent = sent.map(|headers| PageEvent::SentWith { id: id.clone(), ago: 0, headers: list(headers) });
        sent.into_iter().chain([PageEvent::Finished { id, bytes }]).collect()
    }

    fn failed(&mut self, failed: &types::LoadingFailed) -> (Vec<PageEvent>, Option<Matter>) {
        let id = self.id(&failed.request_id);
        let Some(open) = self.open.remove(&id) else { return Default::default() };
        let reason = reasons::of(&open.url, &failed.error_text);
        let failure = Failure { id, reason: reason.clone(), cancelled: failed.canceled };
        let matter = open.is_document.then(|| match open.answered {
            Some((204, _)) => Matter::Lost {
                loader: open.loader,
                reason: "the server answered 204 No Content: there is no document".to_owned(),
            },
            Some((205, _)) => Matter::Lost {
                loader: open.loader,
                reason: "the server answered 205 Reset Content: there is no document".to_owned(),
            },
            Some((_, name)) if failed.error_text == INTERRUPTED => {
                Matter::Download { loader: open.loader, url: open.url, name }
            }
            _ => Matter::Lost { loader: open.loader, reason },
        });
        (vec![PageEvent::Failed(failure)], matter)
    }

    /// A request that the browser refused to make, of which only the console tells.
    pub(super) fn refused(&mut self, url: &str, frame: &FrameId) -> Vec<PageEvent> {
        self.refusals += 1;
        let id = self.id(&format!("refused-{}", self.refusals));
        let request = Request {
            id: id.clone(),
            frame: Some(frame.clone()),
            navigation: None,
            url: url.to_owned(),
            method: "GET".to_owned(),
            kind: ResourceKind::Other,
            headers: Vec::new(),
            has_body: false,
            redirected: false,
            at: now(),
        };
        let failure = Failure { id, reason: "net::ERR_UNSAFE_PORT".to_owned(), cancelled: false };
        vec![PageEvent::Requested(request), PageEvent::Failed(failure)]
    }

    fn remembered(
        &mut self,
        served: types::ServedFromMemory,
        frame_of: impl Fn(&str) -> FrameId,
    ) -> Vec<PageEvent> {
        let id = self.id(&served.request_id);
        let request = Request {
            id: id.clone(),
            frame: Some(frame_of(&served.frame_id)),
            navigation: None,
            url: served.resource.url,
            method: "GET".to_owned(),
            kind: kind(Some(&served.resource.r#type), &types::Headers::new()),
            headers: Vec::new(),
            has_body: false,
            redirected: false,
            at: now(),
        };
        let response = served
            .resource
            .response
            .map(|response| PageEvent::Responded(Response { from_cache: true, ..head(&id, response) }));
        let mut told = vec![PageEvent::Requested(request)];
        told.extend(response);
        told.push(PageEvent::Finished { id, bytes: Some(0) });
        told
    }

    fn socket(&mut self, event: &Event) -> Option<Vec<PageEvent>> {
        match event.method() {
            "Network.webSocketCreated" => {
                let created: types::SocketCreated = event.read()?;
                let id = self.id(&created.request_id);
                let open = Open {
                    frame: None,
                    loader: String::new(),
                    is_document: false,
                    url: created.url.clone(),
                    answered: None,
                };
                self.open.insert(id.clone(), open);
                Some(vec![PageEvent::Requested(Request {
                    id,
                    frame: None,
                    navigation: None,
                    url: created.url,
                    method: "GET".to_owned(),
                    kind: ResourceKind::WebSocket,
                    headers: Vec::new(),
                    has_body: false,
                    redirected: false,
                    at: now(),
                })])
            }
            "Network.webSocketHandshakeResponseReceived" => {
                let shaken: types::SocketShaken = event.read()?;
                Some(vec![PageEvent::Responded(Response {
                    id: self.id(&shaken.request_id),
                    url: String::new(),
                    status: u16::try_from(shaken.response.status).unwrap_or_default(),
                    status_text: shaken.response.status_text,
                    headers: list(shaken.response.headers),
                    mime: String::new(),
                    from_cache: false,
                    remote: None,
                    timing: None,
                })])
            }
            "Network.webSocketFrameError" => {
                let failed: types::SocketFailed = event.read()?;
                let id = self.id(&failed.request_id);
                self.open.remove(&id)?;
                Some(vec![PageEvent::Failed(Failure { id, reason: failed.error_message, cancelled: false })])
            }
            "Network.webSocketClosed" => {
                let closed: types::SocketClosed = event.read()?;
                let id = self.id(&closed.request_id);
                self.open.remove(&id)?;
                Some(vec![PageEvent::Finished { id, bytes: None }])
            }
            _ => None,
        }
    }

    /// A frame has another document: what the one before still waited for will not be told.
    pub(super) fn document_changed(&mut self, frame: &FrameId, loader: &str) -> Vec<PageEvent> {
        self.abandon(|open| open.frame.as_ref() == Some(frame) && !open.is_document && open.loader != loader)
    }

    /// A frame is gone, with what it waited for.
    pub(super) fn frame_gone(&mut self, frame: &FrameId) -> Vec<PageEvent> {
        self.abandon(|open| open.frame.as_ref() == Some(frame))
    }

    /// The page's process is gone.
    pub(super) fn all_gone(&mut self) -> Vec<PageEvent> {
        self.abandon(|_| true)
    }

    fn abandon(&mut self, gone: impl Fn(&Open) -> bool) -> Vec<PageEvent> {
        let gone: Vec<RequestId> =
            self.open.iter().filter(|(_, open)| gone(open)).map(|(id, _)| id.clone()).collect();
        let failed = |id: RequestId| {
            self.open.remove(&id);
            PageEvent::Failed(Failure { id, reason: "the document is gone".to_owned(), cancelled: true })
        };
        gone.into_iter().map(failed).collect()
    }
}
