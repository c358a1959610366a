//! What targets say, and to whom it goes: answers to their calls, events to whoever listens to the target.

use bytes::Bytes;
use serde::Deserialize;

use super::channel::Event;
use super::connection::Shared;
use super::message::Incoming;

impl Shared {
    /// A target said something.
    pub(super) fn say(&self, target: u64, text: &Bytes) {
        match Incoming::parse(text) {
            Ok(Incoming::Answer { number, answer }) => {
                // That a wrapped call was passed on is no answer to it; that it was not, is.
                let wrapped = self.routes().get(&target).is_some_and(|route| route.inner.is_some());
                if !wrapped || answer.0.is_err() {
                    self.pending.answer_unless(number, answer, |group, answer| {
                        group.overlooked.is_some_and(|overlooked| answer.is_refusal_with(overlooked))
                    });
                }
            }
            Ok(Incoming::Event { method, params }) => {
                let event = Event { method, params, inner: None };
                match event.method.as_str() {
                    "Target.dispatchMessageFromTarget" => self.say_within(target, &event),
                    _ => self.outer_event(target, event),
                }
            }
            // One message that nobody understands is no reason to lose every page.
            Err(error) => tracing::warn!(component = "inspector", event = "unreadable_message", %error),
        }
    }

    /// A process of a page said something.
    fn say_within(&self, target: u64, event: &Event) {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Dispatched {
            target_id: String,
            message: String,
        }
        let Some(Dispatched { target_id, message }) = event.read() else { return };
        match Incoming::parse(&message.into()) {
            Ok(Incoming::Answer { number, answer }) => {
                self.pending.answer(number, answer);
            }
            Ok(Incoming::Event { method, params }) => {
                self.deliver(target, Event { method, params, inner: Some(target_id.into()) });
            }
            Err(error) => tracing::warn!(component = "inspector", event = "unreadable_message", %error),
        }
    }

    /// The processes of a page come and go; which of them shows it is kept here, before anybody hears of it.
    fn outer_event(&self, target: u64, event: Event) {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Created {
            target_info: Info,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Info {
            target_id: String,
            r#type: String,
            #[serde(default)]
            is_provisional: bool,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Committed {
            new_target_id: String,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Destroyed {
            target_id: String,
        }
        let current = self.routes().get(&target).and_then(|route| route.inner.clone());
        let Some(current) = current else { return self.deliver(target, event) };
        match event.method.as_str() {
            "Target.targetCreated" => {
                if let Some(Created { target_info }) = event.read()
                    && target_info.r#type == "page"
                    && !target_info.is_provisional
                {
                    current.set(Some(target_info.target_id.into()));
                }
            }
            "Target.didCommitProvisionalTarget" => {
                if let Some(Committed { new_target_id }) = event.read() {
                    current.set(Some(new_target_id.into()));
                }
            }
            "Target.targetDestroyed" => {
                if let Some(Destroyed { target_id }) = event.read() {
                    if current.get().as_deref() == Some(&*target_id) {
                        current.set(None);
                    }
                    self.pending.end_groups(|group| {
                        group.target == target && group.inner.as_deref() == Some(&*target_id)
                    });
                }
            }
            _ => {}
        }
        self.deliver(target, event);
    }

    fn deliver(&self, target: u64, event: Event) {
        if let Some(route) = self.routes().get(&target) {
            // A consumer that went away misses nothing.
            let _ = route.events.send(event);
        }
    }
}
