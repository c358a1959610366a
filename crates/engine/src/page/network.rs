//! The requests of a page, as the agent may ask about them.

use std::collections::{HashMap, HashSet};

use crate::backend::{NavigationId, PageEvent, Request, RequestId, Response};

/// As many requests as are remembered; a page that polls for ever must not fill memory.
const REMEMBERED: usize = 2_000;

/// One request and what came of it.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Its number on this page, from 0, as the agent calls it.
    pub index: usize,
    /// What was sent.
    pub request: Request,
    /// What came back, if anything did.
    pub response: Option<Response>,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It has not.
    Pending,
    /// It was redirected; the next one goes on.
    Redirected,
    /// The response is complete.
    Done {
        /// Bytes over the network, where the browser tells.
        bytes: Option<u64>,
    },
    /// It came to nothing.
    Failed {
        /// Why.
        reason: String,
        /// The page gave it up itself.
        cancelled: bool,
    },
}

/// Everything that the page asked for since its last navigation, and what is still under way.
#[derive(Debug, Default)]
pub struct Network {
    exchanges: Vec<Exchange>,
    forgotten: usize,
    latest: HashMap<RequestId, usize>,
    in_flight: HashSet<RequestId>,
}

impl Network {
    /// The remembered requests, oldest first.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// The request that the agent calls `index`.
    pub fn by_index(&self, index: usize) -> Option<&Exchange> {
        self.exchanges.get(index.checked_sub(self.forgotten)?)
    }

    /// The number that the next request will have: what comes later than now begins there.
    pub fn next_index(&self) -> usize {
        self.forgotten + self.exchanges.len()
    }

    /// The requests since the one that had the number `index`.
    pub fn since(&self, index: usize) -> &[Exchange] {
        &self.exchanges[index.saturating_sub(self.forgotten).min(self.exchanges.len())..]
    }

    /// What is under way and keeps a page busy. Streams that never end do not.
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// Whether one of the requests since `index` is still under way.
    pub fn busy_since(&self, index: usize) -> bool {
        self.since(index).iter().any(|exchange| self.in_flight.contains(&exchange.request.id))
    }

    /// The document that a navigation brought.
    pub fn document_of(&self, navigation: &NavigationId) -> Option<&Exchange> {
        self.exchanges.iter().rfind(|exchange| exchange.request.navigation.as_ref() == Some(navigation))
    }

    /// Takes note of what happened.
    pub fn apply(&mut self, event: &PageEvent) {
        match event {
            PageEvent::Requested(request) => self.requested(request),
            PageEvent::Responded(response) => {
                if let Some(exchange) = self.latest(&response.id) {
                    exchange.response = Some(response.clone());
                }
            }
            PageEvent::SentWith { id, ago, headers } => {
                if let Some(exchange) = self.earlier(id, *ago) {
                    exchange.request.headers.clone_from(headers);
                }
            }
            PageEvent::AnsweredWith { id, ago, headers } => {
                let exchange = self.earlier(id, *ago);
                if let Some(response) = exchange.and_then(|exchange| exchange.response.as_mut()) {
                    response.headers.clone_from(headers);
                }
            }
            PageEvent::Finished { id, bytes } => self.ended(id, Outcome::Done { bytes: *bytes }),
            PageEvent::Failed(failure) => {
                let reason = failure.reason.clone();
                self.ended(&failure.id, Outcome::Failed { reason, cancelled: failure.cancelled });
            }
            _ => {}
        }
    }

    fn requested(&mut self, request: &Request) {
        if let Some(earlier) = self.latest(&request.id) {
            earlier.outcome = Outcome::Redirected;
        }
        if self.exchanges.len() == REMEMBERED {
            let gone = self.exchanges.remove(0);
            self.forgotten += 1;
            if self.latest.get(&gone.request.id).is_some_and(|index| *index < self.forgotten) {
                self.latest.remove(&gone.request.id);
                self.in_flight.remove(&gone.request.id);
            }
        }
        let index = self.next_index();
        self.latest.insert(request.id.clone(), index);
        if keeps_busy(request) {
            self.in_flight.insert(request.id.clone());
        }
        let exchange =
            Exchange { index, request: request.clone(), response: None, outcome: Outcome::Pending };
        self.exchanges.push(exchange);
    }

    fn ended(&mut self, id: &RequestId, outcome: Outcome) {
        self.in_flight.remove(id);
        if let Some(exchange) = self.latest(id) {
            exchange.outcome = outcome;
        }
    }

    fn earlier(&mut self, id: &RequestId, ago: usize) -> Option<&mut Exchange> {
        let latest = self.latest.get(id)?.checked_sub(self.forgotten)?;
        self.exchanges[..=latest].iter_mut().rev().filter(|exchange| exchange.request.id == *id).nth(ago)
    }

    fn latest(&mut self, id: &RequestId) -> Option<&mut Exchange> {
        let at = self.latest.get(id)?.checked_sub(self.forgotten)?;
        self.exchanges.get_mut(at)
    }
}

/// A page is not busy with what is meant to stay open, nor with what it never looks at.
fn keeps_busy(request: &Request) -> bool {
    use crate::backend::ResourceKind::{EventSource, Media, Ping, WebSocket};
    !matches!(request.kind, EventSource | WebSocket | Ping | Media) && !request.url.starts_with("data:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Failure, ResourceKind};
    use crate::fake::events::{finished, request};

    fn requested(id: &str, kind: ResourceKind) -> PageEvent {
        PageEvent::Requested(request(id, &format!("http://host/{id}"), kind))
    }

    fn network(events: &[PageEvent]) -> Network {
        let mut network = Network::default();
        events.iter().for_each(|event| network.apply(event));
        network
    }

    #[test]
    fn a_request_is_under_way_until_it_ends_however_it_ends() {
        let failed = Failure { id: "b".into(), reason: "x".to_owned(), cancelled: false };
        let mut network =
            network(&[requested("a", ResourceKind::Fetch), requested("b", ResourceKind::Script)]);
        assert_eq!(network.in_flight(), 2);
        network.apply(&finished("a"));
        network.apply(&PageEvent::Failed(failed));
        assert_eq!(network.in_flight(), 0);
    }

    #[test]
    fn streams_do_not_keep_a_page_busy() {
        let network =
            network(&[requested("s", ResourceKind::EventSource), requested("w", ResourceKind::WebSocket)]);
        assert_eq!(network.in_flight(), 0);
        assert_eq!(network.exchanges().len(), 2);
    }

    #[test]
    fn a_redirect_is_two_exchanges_of_one_name() {
        let network = network(&[
            requested("a", ResourceKind::Document),
            requested("a", ResourceKind::Document),
            finished("a"),
        ]);
        let outcomes: Vec<&Outcome> = network.exchanges().iter().map(|exchange| &exchange.outcome).collect();
        assert_eq!(outcomes, [&Outcome::Redirected, &Outcome::Done { bytes: None }]);
    }

    #[test]
    fn headers_of_an_earlier_redirect_are_its_own() {
        let headers = |value: &str| vec![("x".to_owned(), value.to_owned())];
        let sent_with = |ago, value| PageEvent::SentWith { id: "a".into(), ago, headers: headers(value) };
        let network = network(&[
            requested("a", ResourceKind::Document),
            requested("b", ResourceKind::Document),
            requested("a", ResourceKind::Document),
            sent_with(1, "first"),
            sent_with(0, "second"),
            sent_with(2, "nobody's"),
        ]);
        let told: Vec<_> =
            network.exchanges().iter().map(|exchange| exchange.request.headers.clone()).collect();
        assert_eq!(told, [headers("first"), Vec::new(), headers("second")]);
    }

    #[test]
    fn a_page_that_polls_for_ever_fills_no_memory_and_keeps_its_numbers() {
        let mut network = Network::default();
        for number in 0..REMEMBERED + 10 {
            network.apply(&requested(&number.to_string(), ResourceKind::Fetch));
        }
        assert_eq!(network.exchanges().len(), REMEMBERED);
        assert_eq!(network.by_index(9).map(|exchange| exchange.index), None);
        assert_eq!(network.by_index(10).map(|exchange| exchange.index), Some(10));
        assert_eq!(network.since(REMEMBERED + 8).len(), 2);
        assert_eq!(network.in_flight(), REMEMBERED);
        network.apply(&finished("0"));
    }
}
