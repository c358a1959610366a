//! The browser's network events as the engine's: redirects, headers that come by a way of their own, sockets, and
//! requests that nobody ends because their document is gone.

use std::collections::HashMap;

use engine::backend::{Failure, FrameId, PageEvent, Request, RequestId, ResourceKind};
use wire::cdp::types::ids::SessionId;
use wire::cdp::types::network;
use wire::cdp::{Event, EventKind};

use super::exchanges::{head, kind, list, socket_request, socket_response};
use super::extras::Extras;

/// Translates one page's events, from all of its sessions.
#[derive(Debug, Default)]
pub(super) struct Network {
    open: HashMap<RequestId, Open>,
    /// Also of requests that are not told yet, and of those that have ended before the headers that the browser promised.
    extras: HashMap<RequestId, Extras>,
}

/// A request that has not ended.
#[derive(Debug)]
struct Open {
    frame: Option<FrameId>,
    loader: String,
    session: Option<SessionId>,
    from_cache: bool,
    is_navigation: bool,
    /// The status and whether it is to be saved, if the response is there.
    answered: Option<(u16, bool)>,
}

/// A navigation whose request came to nothing, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NavigationLost {
    pub(super) loader: String,
    pub(super) reason: String,
}

/// As many requests beside the open ones have headers that are remembered.
const MOST_STRAY: usize = 500;

impl Network {
    /// What `event` means: events for the engine, and a navigation that ends by it.
    pub(super) fn translate(&mut self, event: &Event) -> (Vec<PageEvent>, Option<NavigationLost>) {
        let session = event.session();
        let told = match event.method() {
            network::RequestWillBeSent::METHOD => read(event).map(|sent| self.sent(sent, session)),
            network::RequestWillBeSentExtraInfo::METHOD => read(event).map(|extra| self.sent_with(extra)),
            network::ResponseReceivedExtraInfo::METHOD => read(event).map(|extra| self.answered_with(extra)),
            network::RequestServedFromCache::METHOD => {
                read(event).map(|cached: network::RequestServedFromCache| {
                    if let Some(open) = self.open.get_mut(&id(&cached.request_id)) {
                        open.from_cache = true;
                    }
                    Vec::new()
                })
            }
            network::ResponseReceived::METHOD => read(event).map(|received| self.received(received)),
            network::LoadingFinished::METHOD => read(event).map(|finished| self.finished(&finished)),
            network::LoadingFailed::METHOD => {
                return read(event).map_or_else(Default::default, |failed| self.failed(failed));
            }
            _ => self.socket(event),
        };
        (told.unwrap_or_default(), None)
    }

    fn sent(&mut self, sent: network::RequestWillBeSent, session: Option<&SessionId>) -> Vec<PageEvent> {
        let id = id(&sent.request_id);
        let mut told = Vec::new();
        let redirected = sent.redirect_response.is_some();
        let extras = self.extras_of(&id);
        let sent_with = if let Some(response) = sent.redirect_response {
            let headers = extras.response(sent.redirect_has_extra_info.unwrap_or(false));
            told.push(PageEvent::Responded(head(&id, response, headers, false)));
            extras.request()
        } else {
            extras.begin()
        };
        let frame: Option<FrameId> = sent.frame_id.map(|frame| frame.as_str().into());
        let kind = kind(sent.r#type.as_deref());
        let loader = sent.loader_id.as_str().to_owned();
        let is_navigation = kind == ResourceKind::Document && loader == id.as_str();
        told.push(PageEvent::Requested(Request {
            id: id.clone(),
            frame: frame.clone(),
            navigation: is_navigation.then(|| loader.as_str().into()),
            url: sent.request.url + sent.request.url_fragment.as_deref().unwrap_or_default(),
            method: sent.request.method,
            kind,
            headers: list(sent_with.unwrap_or(sent.request.headers)),
            has_body: sent.request.has_post_data.unwrap_or(false),
            redirected,
            at: sent.wall_time,
        }));
        let session = session.cloned();
        let open = Open { frame, loader, session, from_cache: false, is_navigation, answered: None };
        self.open.insert(id, open);
        told
    }

    /// The headers of a request that was told before are told as well; others wait for theirs.
    fn sent_with(&mut self, extra: network::RequestWillBeSentExtraInfo) -> Vec<PageEvent> {
        let id = id(&extra.request_id);
        let ago = self.extras_of(&id).went_out(&extra.headers);
        self.forget_extras(&id);
        ago.map(|ago| PageEvent::SentWith { id, ago, headers: list(extra.headers) }).into_iter().collect()
    }

    /// The headers of a response that was told before are told as well; others wait for theirs.
    fn answered_with(&mut self, extra: network::ResponseReceivedExtraInfo) -> Vec<PageEvent> {
        let id = id(&extra.request_id);
        let ago = self.extras_of(&id).came_back(&extra.headers);
        self.forget_extras(&id);
        ago.map(|ago| PageEvent::AnsweredWith { id, ago, headers: list(extra.headers) }).into_iter().collect()
    }

    fn extras_of(&mut self, id: &RequestId) -> &mut Extras {
        if self.extras.len() > self.open.len() + MOST_STRAY {
            self.extras.retain(|id, _| self.open.contains_key(id));
        }
        self.extras.entry(id.clone()).or_default()
    }

    /// Forgets the headers of a request that has ended, unless more of them are still to come.
    fn forget_extras(&mut self, id: &RequestId) {
        if !self.open.contains_key(id) && self.extras.get(id).is_some_and(Extras::over) {
            self.extras.remove(id);
        }
    }

    /// Forgets a request that has ended.
    fn end(&mut self, id: &RequestId) -> Option<Open> {
        let open = self.open.remove(id)?;
        self.forget_extras(id);
        Some(open)
    }

    fn received(&mut self, received: network::ResponseReceived) -> Vec<PageEvent> {
        let id = id(&received.request_id);
        let extra = self.extras.get_mut(&id).and_then(|extras| extras.response(received.has_extra_info));
        let from_cache = self.open.get(&id).is_some_and(|open| open.from_cache);
        let response = head(&id, received.response, extra, from_cache);
        if let Some(open) = self.open.get_mut(&id) {
            let saved = |(name, value): &(String, String)| {
                name.eq_ignore_ascii_case("content-disposition")
                    && value.trim_start().to_ascii_lowercase().starts_with("attachment")
            };
            open.answered = Some((response.status, response.headers.iter().any(saved)));
        }
        vec![PageEvent::Responded(response)]
    }

    fn finished(&mut self, finished: &network::LoadingFinished) -> Vec<PageEvent> {
        let id = id(&finished.request_id);
        // The page that shows an error instead of a document is "loaded" too, after its request has failed.
        if self.end(&id).is_none() {
            return Vec::new();
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bytes")]
        let bytes = (finished.encoded_data_length >= 0.0).then_some(finished.encoded_data_length as u64);
        vec![PageEvent::Finished { id, bytes }]
    }

    fn failed(&mut self, failed: network::LoadingFailed) -> (Vec<PageEvent>, Option<NavigationLost>) {
        let id = id(&failed.request_id);
        let Some(open) = self.end(&id) else { return Default::default() };
        let reason = match &failed.blocked_reason {
            Some(blocked) => format!("{}: blocked ({blocked})", failed.error_text),
            None => failed.error_text,
        };
        let lost = open
            .is_navigation
            .then(|| NavigationLost { reason: why_no_document(open.answered, &reason), loader: open.loader });
        let cancelled = failed.canceled.unwrap_or(false);
        (vec![PageEvent::Failed(Failure { id, reason, cancelled })], lost)
    }

    fn socket(&mut self, event: &Event) -> Option<Vec<PageEvent>> {
        match event.method() {
            network::WebSocketCreated::METHOD => {
                let created: network::WebSocketCreated = read(event)?;
                let id = id(&created.request_id);
                let (frame, loader, session) = (None, String::new(), event.session().cloned());
                let open =
                    Open { frame, loader, session, from_cache: false, is_navigation: false, answered: None };
                self.open.insert(id.clone(), open);
                Some(vec![PageEvent::Requested(socket_request(id, created.url))])
            }
            network::WebSocketHandshakeResponseReceived::METHOD => {
                let shaken: network::WebSocketHandshakeResponseReceived = read(event)?;
                Some(vec![PageEvent::Responded(socket_response(id(&shaken.request_id), shaken.response))])
            }
            network::WebSocketFrameError::METHOD => {
                let failed: network::WebSocketFrameError = read(event)?;
                let id = id(&failed.request_id);
                self.open.remove(&id)?;
                let failure = Failure { id, reason: failed.error_message, cancelled: false };
                Some(vec![PageEvent::Failed(failure)])
            }
            network::WebSocketClosed::METHOD => {
                let closed: network::WebSocketClosed = read(event)?;
                let id = id(&closed.request_id);
                self.open.remove(&id)?;
                Some(vec![PageEvent::Finished { id, bytes: None }])
            }
            _ => None,
        }
    }

    /// A frame has another document: what the one before still waited for will not be told.
    pub(super) fn document_changed(&mut self, frame: &FrameId, loader: &str) -> Vec<PageEvent> {
        self.abandon(|open| {
            open.frame.as_ref() == Some(frame) && !open.is_navigation && open.loader != loader
        })
    }

    /// A frame is gone, with what it waited for.
    pub(super) fn frame_gone(&mut self, frame: &FrameId) -> Vec<PageEvent> {
        self.abandon(|open| open.frame.as_ref() == Some(frame))
    }

    /// A worker or a process is gone.
    pub(super) fn session_gone(&mut self, session: &SessionId) -> Vec<PageEvent> {
        self.abandon(|open| open.session.as_ref() == Some(session))
    }

    fn abandon(&mut self, gone: impl Fn(&Open) -> bool) -> Vec<PageEvent> {
        let gone: Vec<RequestId> =
            self.open.iter().filter(|(_, open)| gone(open)).map(|(id, _)| id.clone()).collect();
        let failed = |id: RequestId| {
            self.open.remove(&id);
            self.extras.remove(&id);
            PageEvent::Failed(Failure { id, reason: "the document is gone".to_owned(), cancelled: true })
        };
        gone.into_iter().map(failed).collect()
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

fn read<E: EventKind>(event: &Event) -> Option<E> {
    super::pump::read(event)
}

fn id(id: &wire::cdp::types::ids::NetworkRequestId) -> RequestId {
    id.as_str().into()
}
