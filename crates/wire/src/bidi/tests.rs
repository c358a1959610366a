//! The connection against a browser that a test plays.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::types::browsing_context::{Activate, ContextDestroyed};
use super::{CallError, Connection, Event, Listener};
use crate::Closed;
use crate::transport::{Inbound, Outbound};

struct In(mpsc::UnboundedReceiver<Value>);
struct Out(mpsc::UnboundedSender<Value>);

impl Inbound for In {
    async fn receive(&mut self) -> Result<Bytes, Closed> {
        self.0.recv().await.map(|message| message.to_string().into()).ok_or(Closed::ByPeer)
    }
}

impl Outbound for Out {
    async fn send(&mut self, messages: Vec<Bytes>) -> Result<(), Closed> {
        let sent = messages.iter().try_for_each(|text| self.0.send(serde_json::from_slice(text).unwrap()));
        sent.map_err(|_| Closed::ByPeer)
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Listener for Heard {
    fn hear(&mut self, event: Event) {
        let text = match event.read::<ContextDestroyed>() {
            Ok(Some(destroyed)) => destroyed.context.to_string(),
            Ok(None) => event.method().to_owned(),
            Err(error) => error.to_string(),
        };
        self.0.lock().unwrap().push(text);
    }

    fn closed(&mut self, why: &Closed) {
        self.0.lock().unwrap().push(why.to_string());
    }
}

struct Played {
    connection: Connection,
    heard: Heard,
    say: mpsc::UnboundedSender<Value>,
    sent: mpsc::UnboundedReceiver<Value>,
}

fn play() -> Played {
    let (say, inbound) = mpsc::unbounded_channel();
    let (outbound, sent) = mpsc::unbounded_channel();
    let heard = Heard::default();
    let connection = Connection::open(In(inbound), Out(outbound), heard.clone());
    Played { connection, heard, say, sent }
}

#[tokio::test]
async fn what_was_told_before_an_answer_is_heard_before_it() {
    let mut played = play();
    let call = played.connection.send(&Activate::new("c"));
    let sent = played.sent.recv().await.unwrap();
    assert_eq!(sent, json!({ "id": 1, "method": "browsingContext.activate", "params": { "context": "c" } }));
    let event = |method: &str, params| json!({ "type": "event", "method": method, "params": params });
    played.say.send(event("browsingContext.contextDestroyed", json!({ "context": "d", "new": 1 }))).unwrap();
    played.say.send(event("unheard.of", json!({}))).unwrap();
    played.say.send(event("browsingContext.contextDestroyed", json!({}))).unwrap();
    played.say.send(json!({ "type": "success", "id": 1, "result": {} })).unwrap();
    call.await.unwrap();
    let heard = played.heard.0.lock().unwrap().clone();
    assert_eq!(heard[..2], ["d", "unheard.of"]);
    assert!(heard[2].contains("missing field"), "{heard:?}");
}

#[tokio::test]
async fn a_refusal_has_the_browsers_words() {
    let played = play();
    let call = played.connection.send(&Activate::new("c"));
    let refusal =
        json!({ "type": "error", "id": 1, "error": "no such frame", "message": "gone", "stacktrace": "" });
    played.say.send(json!("nonsense")).unwrap();
    played.say.send(refusal).unwrap();
    let Err(CallError::Protocol { error, message, .. }) = call.await else { panic!() };
    assert_eq!((error.as_str(), message.as_str()), ("no such frame", "gone"));
}

#[tokio::test]
async fn the_end_is_told_once_and_ends_every_call() {
    let played = play();
    let call = played.connection.send(&Activate::new("c"));
    drop(played.say);
    assert!(matches!(call.await, Err(CallError::Closed { why: Closed::ByPeer })));
    assert!(matches!(played.connection.closed().await, Closed::ByPeer));
    assert_eq!(played.heard.0.lock().unwrap().len(), 1);
    assert!(played.connection.call(&Activate::new("c")).await.is_err());
}
