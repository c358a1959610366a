//! The browser's network events as the engine's: redirects, headers that come by a way of their own, sockets, and
//! requests that nobody ends because their document is gone.

use std::collections::HashMap;

use engine::backend::{Failure, FrameId, PageEvent, Request, RequestId, ResourceKind};
use wire::cdp::types::ids::SessionId;
use wire::cdp::types::network;
use wire::cdp::{Event, EventKind};

use super::exchanges::{head, kind, list, socket_request, socket_response};

/// Translates one page's events, from all of its sessions.
#[derive(Debug, Default)]
pub(super) struct Network {
    open: HashMap<RequestId, Open>,
    /// Headers that came before what they belong to.
    early: HashMap<RequestId, Early>,
    /// Requests that ended before the headers that the browser promised.
    late: HashMap<RequestId, Owed>,
}

/// A request that has not ended.
#[derive(Debug)]
struct Open {
    frame: Option<FrameId>,
    loader: String,
    session: Option<SessionId>,
    from_cache: bool,
    is_navigation: bool,
    /// What it was really sent with has been told.
    sent_with: bool,
    owed: Owed,
    /// The status and whether it is to be saved, if the response is there.
    answered: Option<(u16, bool)>,
}

/// Headers that are still to come, by the browser's word.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Owed {
    request: bool,
    response: bool,
}

#[derive(Debug, Default)]
struct Early {
    request: Option<network::Headers>,
    response: Option<network::Headers>,
}

/// A navigation whose request came to nothing, and why.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NavigationLost {
    pub(super) loader: String,
    pub(super) reason: String,
}

/// Headers wait for their request or response only as long as there are not too many of them.
const MOST_EARLY: usize = 500;

impl Network {
    /// What `event` means: events for the engine, and a navigation that ends by it.
    pub(super) fn translate(&mut self, event: &Event) -> (Vec<PageEvent>, Option<NavigationLost>) {
        let session = event.session();
        let told = match event.method() {
            network::RequestWillBeSent::METHOD => read(event).map(|sent| self.sent(sent, session)),
            network::RequestWillBeSentExtraInfo::METHOD => {
                read(event).map(|extra: network::RequestWillBeSentExtraInfo| self.sent_with(extra))
            }
            network::ResponseReceivedExtraInfo::METHOD => {
                read(event).map(|extra: network::ResponseReceivedExtraInfo| self.answered_with(extra))
            }
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
        if let Some(response) = sent.redirect_response {
            let headers = self.early.get_mut(&id).and_then(|early| early.response.take());
            told.push(PageEvent::Responded(head(&id, response, headers, false)));
        }
        let frame: Option<FrameId> = sent.frame_id.map(|frame| frame.as_str().into());
        let kind = kind(sent.r#type.as_deref());
        let loader = sent.loader_id.as_str().to_owned();
        let is_navigation = kind == ResourceKind::Document && loader == id.as_str();
        let early = self.early.get_mut(&id).and_then(|early| early.request.take());
        let sent_with = early.is_some();
        told.push(PageEvent::Requested(Request {
            id: id.clone(),
            frame: frame.clone(),
            navigation: is_navigation.then(|| loader.as_str().into()),
            url: sent.request.url + sent.request.url_fragment.as_deref().unwrap_or_default(),
            method: sent.request.method,
            kind,
            headers: list(early.unwrap_or(sent.request.headers)),
            has_body: sent.request.has_post_data.unwrap_or(false),
            redirected,
            at: sent.wall_time,
        }));
        let session = session.cloned();
        let (from_cache, owed, answered) = (false, Owed::default(), None);
        let open = Open { frame, loader, session, from_cache, is_navigation, sent_with, owed, answered };
        self.open.insert(id, open);
        told
    }

    /// The headers of a request that was told before are told as well; others wait for theirs.
    fn sent_with(&mut self, extra: network::RequestWillBeSentExtraInfo) -> Vec<PageEvent> {
        let id = id(&extra.request_id);
        if self.settle(&id, |owed| &mut owed.request) {
            return vec![PageEvent::SentWith { id, headers: list(extra.headers) }];
        }
        // The second one of this name belongs to what a redirect leads to, which is not told yet.
        let told = self.open.get_mut(&id).is_none_or(|open| std::mem::replace(&mut open.sent_with, true));
        if told {
            return self.note(&extra.request_id, |early| early.request = Some(extra.headers));
        }
        vec![PageEvent::SentWith { id, headers: list(extra.headers) }]
    }

    /// The headers of a response that was told before are told as well; others wait for theirs.
    fn answered_with(&mut self, extra: network::ResponseReceivedExtraInfo) -> Vec<PageEvent> {
        let id = id(&extra.request_id);
        if self.settle(&id, |owed| &mut owed.response) {
            return vec![PageEvent::AnsweredWith { id, headers: list(extra.headers) }];
        }
        self.note(&extra.request_id, |early| early.response = Some(extra.headers))
    }

    /// Whether these headers were still owed, which they are no more.
    fn settle(&mut self, id: &RequestId, which: impl Fn(&mut Owed) -> &mut bool) -> bool {
        let settled = |owed: &mut Owed| std::mem::take(which(owed));
        if let Some(open) = self.open.get_mut(id) {
            return settled(&mut open.owed);
        }
        let Some(owed) = self.late.get_mut(id) else { return false };
        let settled = settled(owed);
        if *owed == Owed::default() {
            self.late.remove(id);
        }
        settled
    }

    /// Forgets a request that has ended, except for the headers that are still to come.
    fn end(&mut self, id: &RequestId) -> Option<Open> {
        self.early.remove(id);
        let open = self.open.remove(id)?;
        if open.owed != Owed::default() {
            if self.late.len() >= MOST_EARLY {
                self.late.clear();
            }
            self.late.insert(id.clone(), open.owed);
        }
        Some(open)
    }

    fn received(&mut self, received: network::ResponseReceived) -> Vec<PageEvent> {
        let id = id(&received.request_id);
        let extra = self.early.get_mut(&id).and_then(|early| early.response.take());
        let extra = extra.filter(|_| received.has_extra_info);
        let from_cache = self.open.get(&id).is_some_and(|open| open.from_cache);
        let owed = received.has_extra_info && extra.is_none();
        let response = head(&id, received.response, extra, from_cache);
        if let Some(open) = self.open.get_mut(&id) {
            let saved = |(name, value): &(String, String)| {
                name.eq_ignore_ascii_case("content-disposition")
                    && value.trim_start().to_ascii_lowercase().starts_with("attachment")
            };
            open.owed = Owed { request: received.has_extra_info && !open.sent_with, response: owed };
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
                let open = Open {
                    frame,
                    loader,
                    session,
                    from_cache: false,
                    is_navigation: false,
                    sent_with: false,
                    owed: Owed::default(),
                    answered: None,
                };
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
            self.early.remove(&id);
            PageEvent::Failed(Failure { id, reason: "the document is gone".to_owned(), cancelled: true })
        };
        gone.into_iter().map(failed).collect()
    }

    fn note(
        &mut self,
        request: &wire::cdp::types::ids::NetworkRequestId,
        note: impl FnOnce(&mut Early),
    ) -> Vec<PageEvent> {
        let id = id(request);
        // What belongs to a request that has ended comes too late.
        if self.early.len() < MOST_EARLY || self.early.contains_key(&id) {
            note(self.early.entry(id).or_default());
        } else {
            self.early.retain(|id, _| self.open.contains_key(id));
        }
        Vec::new()
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
