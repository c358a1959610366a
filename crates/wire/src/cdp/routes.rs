//! Which session an event belongs to, and which sessions there are.
//!
//! A session begins with the `Target.attachedToTarget` that announces it, which comes before anything in the session
//! itself, so its queue is there before its first event. It ends with `Target.detachedFromTarget`, and with it the
//! sessions that were announced in it: nobody announces their ends.

use std::collections::HashMap;

use super::inbox::{Inbox, inbox};
use super::types::target::{AttachedToTarget, DetachedFromTarget};
use super::{Event, Events, EventsEnded, OVERRUN, SessionId};
use crate::Closed;
use crate::command::EventKind;

/// The queues of every session.
#[derive(Debug)]
pub(super) struct Routes {
    browser: Inbox,
    sessions: HashMap<SessionId, Route>,
    closed: Option<Closed>,
}

#[derive(Debug)]
struct Route {
    /// The session in which this one was announced; `None` is the browser's.
    parent: Option<SessionId>,
    inbox: Inbox,
    /// The consumer's end until somebody takes it.
    events: Option<Events>,
    /// Sessions that are announced in this one share its queue.
    tree: bool,
    /// It shares its parent's queue, which goes on when this session ends.
    joined: bool,
}

impl Routes {
    pub(super) fn new() -> (Self, Events) {
        let (browser, events) = inbox(OVERRUN);
        (Self { browser, sessions: HashMap::new(), closed: None }, events)
    }

    /// Delivers an event. Answers which sessions have ended by it.
    pub(super) fn deliver(&mut self, session: Option<&SessionId>, event: Event) -> Vec<SessionId> {
        let mut ended = Vec::new();
        if event.is::<AttachedToTarget>() {
            if let Some(attached) = read::<AttachedToTarget>(&event) {
                self.begin(attached.session_id, session.cloned());
            }
        } else if event.is::<DetachedFromTarget>()
            && let Some(detached) = read::<DetachedFromTarget>(&event)
        {
            ended = self.end(&detached.session_id);
        }
        let event = event.of_session(session.cloned());
        match session {
            None => self.browser.deliver(event),
            Some(id) => {
                if let Some(route) = self.sessions.get(id) {
                    route.inbox.deliver(event);
                }
            }
        }
        ended
    }

    fn begin(&mut self, id: SessionId, parent: Option<SessionId>) {
        let tree = parent.as_ref().and_then(|parent| self.sessions.get(parent)).filter(|parent| parent.tree);
        let route = match tree {
            Some(root) => {
                Route { inbox: root.inbox.another(), parent, events: None, tree: true, joined: true }
            }
            None => {
                let (inbox, events) = inbox(OVERRUN);
                Route { parent, inbox, events: Some(events), tree: false, joined: false }
            }
        };
        self.sessions.insert(id, route);
    }

    /// Ends a session and those that were announced in it.
    fn end(&mut self, id: &SessionId) -> Vec<SessionId> {
        let mut ended = vec![id.clone()];
        let mut next = 0;
        while let Some(parent) = ended.get(next).cloned() {
            let children = self.sessions.iter().filter(|(_, route)| route.parent.as_ref() == Some(&parent));
            ended.extend(children.map(|(child, _)| child.clone()).collect::<Vec<_>>());
            next += 1;
        }
        for id in &ended {
            if let Some(route) = self.sessions.remove(id).filter(|route| !route.joined) {
                route.inbox.end(EventsEnded::SessionGone);
            }
        }
        ended
    }

    /// Hands out a session's events, once. `None` if the session is unknown, has ended, or was asked for before.
    pub(super) fn events(&mut self, id: &SessionId) -> Option<Events> {
        self.sessions.get_mut(id)?.events.take()
    }

    /// The same, and sessions that are announced in it from now on join them.
    pub(super) fn tree_events(&mut self, id: &SessionId) -> Option<Events> {
        let route = self.sessions.get_mut(id)?;
        route.tree = true;
        route.events.take()
    }

    /// Ends every queue.
    pub(super) fn close(&mut self, why: &Closed) {
        if self.closed.replace(why.clone()).is_some() {
            return;
        }
        self.browser.end(EventsEnded::Closed(why.clone()));
        for (_, route) in self.sessions.drain() {
            route.inbox.end(EventsEnded::Closed(why.clone()));
        }
    }
}

fn read<E: EventKind>(event: &Event) -> Option<E> {
    match event.read() {
        Ok(read) => read,
        Err(error) => {
            tracing::warn!(component = "wire", event = "malformed_event", %error);
            None
        }
    }
}
