//! Connections to a browser that is a few lines of test.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::DuplexStream;

use super::types::{page, runtime, target};
use super::*;
use crate::Closed;
use crate::transport::pipe::{PipeInbound, PipeOutbound};
use crate::transport::{Inbound, Outbound};

/// The other side of a connection.
struct Fake {
    heard: PipeInbound<tokio::io::ReadHalf<DuplexStream>>,
    says: PipeOutbound<tokio::io::WriteHalf<DuplexStream>>,
}

impl Fake {
    fn connect() -> (Self, Connection, Events) {
        let (ours, theirs) = tokio::io::duplex(64 << 10);
        let (read, write) = tokio::io::split(ours);
        let (connection, events) = Connection::open(PipeInbound::new(read), PipeOutbound::new(write));
        let (read, write) = tokio::io::split(theirs);
        (Self { heard: PipeInbound::new(read), says: PipeOutbound::new(write) }, connection, events)
    }

    async fn hear(&mut self) -> Value {
        serde_json::from_slice(&self.heard.receive().await.unwrap()).unwrap()
    }

    async fn say(&mut self, message: Value) {
        self.says.send(vec![message.to_string().into()]).await.unwrap();
    }

    /// Hears one call and answers it.
    async fn answer(&mut self, result: Value) -> Value {
        let call = self.hear().await;
        self.say(json!({ "id": call["id"], "result": result })).await;
        call
    }

    async fn attach(&mut self, id: &str, parent: Option<&str>) {
        let info = json!({ "targetId": id, "type": "page", "title": "", "url": "", "attached": true });
        let params = json!({ "sessionId": id, "targetInfo": info, "waitingForDebugger": false });
        self.event(parent, "Target.attachedToTarget", params).await;
    }

    async fn event(&mut self, session: Option<&str>, method: &str, params: Value) {
        let mut message = json!({ "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.say(message).await;
    }
}

fn load(timestamp: u64) -> Value {
    json!({ "timestamp": timestamp, "aNewField": [1, 2, 3] })
}

#[tokio::test]
async fn a_call_carries_its_session_and_only_the_parameters_that_are_set() {
    let (mut fake, connection, _events) = Fake::connect();
    let session = connection.session("S1".into());
    let command = page::Navigate { referrer: Some("r".into()), ..page::Navigate::new("about:blank") };
    let call = session.send(&command);
    let heard = fake.answer(json!({ "frameId": "F", "unknown": 1 })).await;
    let params = json!({ "url": "about:blank", "referrer": "r" });
    assert_eq!(heard, json!({ "id": 1, "method": "Page.navigate", "sessionId": "S1", "params": params }));
    assert_eq!(call.await.unwrap().frame_id, "F".into());
}

#[tokio::test]
async fn a_refusal_keeps_the_browsers_words() {
    let (mut fake, connection, _events) = Fake::connect();
    let call = connection.browser().send(&page::Enable::new());
    let number = fake.hear().await["id"].clone();
    fake.say(json!({ "id": number, "error": { "code": -32000, "message": "Not now", "data": "later" } }))
        .await;
    let error = call.await.unwrap_err();
    assert_eq!(error.to_string(), "Page.enable: Not now (code -32000): later");
}

#[tokio::test]
async fn an_answer_of_another_shape_is_malformed_and_the_connection_goes_on() {
    let (mut fake, connection, _events) = Fake::connect();
    let call = connection.browser().send(&page::Navigate::new("x"));
    fake.answer(json!({ "frameId": 7 })).await;
    assert!(matches!(call.await, Err(CallError::Malformed { method: "Page.navigate", .. })));
    fake.say(json!(["nonsense"])).await;
    fake.says.send(vec!["\u{1}{".into()]).await.unwrap();
    let call = connection.browser().send(&page::Enable::new());
    fake.answer(json!({})).await;
    call.await.unwrap();
}

#[tokio::test]
async fn the_end_of_the_browser_fails_every_call_at_once() {
    let (mut fake, connection, mut events) = Fake::connect();
    let calls: Vec<_> = (0..100).map(|_| connection.browser().send(&runtime::Enable::new())).collect();
    fake.hear().await;
    fake.event(None, "Page.loadEventFired", load(1)).await;
    drop(fake);
    for call in calls {
        assert!(matches!(call.await, Err(CallError::Closed { why: Closed::ByPeer })));
    }
    assert!(matches!(connection.closed().await, Closed::ByPeer));
    assert!(matches!(connection.call(&runtime::Enable::new()).await, Err(CallError::Closed { .. })));
    events.next().await.expect("what came before the end can still be read");
    assert!(matches!(events.next().await, Err(EventsEnded::Closed(Closed::ByPeer))));
}

#[tokio::test]
async fn a_message_cut_off_by_the_end_is_no_message() {
    let (fake, connection, mut events) = Fake::connect();
    let mut pipe = fake.heard.into_inner().unsplit(fake.says.into_inner());
    tokio::io::AsyncWriteExt::write_all(&mut pipe, b"{\"method\":\"Page.loadEventFired\"").await.unwrap();
    drop(pipe);
    assert!(matches!(events.next().await, Err(EventsEnded::Closed(_))));
    connection.closed().await;
}

#[tokio::test]
async fn a_connection_that_nobody_holds_is_closed() {
    let (mut fake, connection, mut events) = Fake::connect();
    let call = connection.browser().send(&runtime::Enable::new());
    fake.hear().await;
    drop(connection);
    assert!(matches!(call.await, Err(CallError::Closed { why: Closed::ByUs })));
    assert!(matches!(events.next().await, Err(EventsEnded::Closed(Closed::ByUs))));
    assert!(fake.heard.receive().await.is_err(), "the browser must see the end of its input");
}

#[tokio::test]
async fn a_session_has_its_own_events_from_the_first_on_in_order() {
    let (mut fake, connection, mut browser) = Fake::connect();
    fake.attach("S1", None).await;
    for number in 0..50 {
        fake.event(Some("S1"), "Page.loadEventFired", load(number)).await;
        fake.event(Some("nobody's"), "Page.loadEventFired", load(0)).await;
    }
    assert!(browser.next().await.unwrap().is::<target::AttachedToTarget>());
    let mut events = connection.events(&"S1".into()).unwrap();
    assert!(connection.events(&"S1".into()).is_none(), "they can be had once");
    for number in 0..50 {
        let event = events.next().await.unwrap();
        assert!(event.read::<page::DomContentEventFired>().unwrap().is_none());
        assert_eq!(event.read::<page::LoadEventFired>().unwrap().unwrap().timestamp, f64::from(number));
    }
    assert!(browser.next_now().is_none());
}

#[tokio::test]
async fn a_detached_session_fails_its_calls_and_those_of_the_sessions_in_it() {
    let (mut fake, connection, mut browser) = Fake::connect();
    fake.attach("page", None).await;
    fake.attach("frame", Some("page")).await;
    fake.attach("other", None).await;
    for _ in 0..2 {
        browser.next().await.unwrap();
    }
    let mut frame = connection.events(&"frame".into()).unwrap();
    let call = |id: &str| connection.session(id.into()).send(&runtime::Enable::new());
    let (page_call, frame_call, other_call) = (call("page"), call("frame"), call("other"));
    for _ in 0..2 {
        fake.hear().await;
    }
    fake.event(None, "Target.detachedFromTarget", json!({ "sessionId": "page" })).await;
    assert!(matches!(page_call.await, Err(CallError::SessionGone)));
    assert!(matches!(frame_call.await, Err(CallError::SessionGone)));
    assert!(matches!(frame.next().await, Err(EventsEnded::SessionGone)));
    fake.answer(json!({})).await;
    other_call.await.unwrap();
}

#[tokio::test]
async fn a_call_to_a_session_that_never_was_says_so() {
    let (mut fake, connection, _events) = Fake::connect();
    let call = connection.session("gone".into()).send(&runtime::Enable::new());
    let number = fake.hear().await["id"].clone();
    let error = json!({ "code": -32001, "message": "Session with given id not found." });
    fake.say(json!({ "id": number, "error": error })).await;
    assert!(matches!(call.await, Err(CallError::SessionGone)));
}

#[tokio::test]
async fn answers_and_events_can_be_put_in_order() {
    let (mut fake, connection, mut events) = Fake::connect();
    let call = connection.browser().send(&page::Enable::new());
    fake.event(None, "Page.loadEventFired", load(1)).await;
    fake.answer(json!({})).await;
    fake.event(None, "Page.loadEventFired", load(2)).await;
    let answered = call.answered().await.unwrap();
    let (before, after) = (events.next().await.unwrap(), events.next().await.unwrap());
    assert!(before.arrived() < answered.arrived && answered.arrived < after.arrived());
}

#[tokio::test]
async fn a_dropped_call_leaves_nothing_behind() {
    let (mut fake, connection, _events) = Fake::connect();
    let session = connection.browser();
    let command = page::Enable::new();
    assert!(tokio::time::timeout(Duration::from_millis(10), session.call(&command)).await.is_err());
    assert!(connection.shared.pending.is_empty());
    fake.answer(json!({})).await;
    let call = session.send(&page::Enable::new());
    fake.answer(json!({})).await;
    call.await.unwrap();
}

#[tokio::test]
async fn a_slow_consumer_of_events_holds_no_answer_up() {
    let (mut fake, connection, _unread) = Fake::connect();
    let call = connection.browser().send(&page::Enable::new());
    let number = fake.hear().await["id"].clone();
    for _ in 0..20_000 {
        fake.event(None, "Page.loadEventFired", load(1)).await;
    }
    fake.say(json!({ "id": number, "result": {} })).await;
    call.await.unwrap();
}

#[tokio::test]
async fn a_batch_goes_out_together() {
    struct Counted(tokio::sync::mpsc::UnboundedSender<usize>);
    impl Outbound for Counted {
        async fn send(&mut self, messages: Vec<bytes::Bytes>) -> Result<(), Closed> {
            let _ = self.0.send(messages.len());
            Ok(())
        }
    }
    let (writes, mut counted) = tokio::sync::mpsc::unbounded_channel();
    let (silent, _open) = tokio::io::duplex(8);
    let (connection, _events) = Connection::open(PipeInbound::new(silent), Counted(writes));
    let session = connection.browser();
    let mut batch = session.batch();
    let _calls: Vec<_> = (0..5).map(|_| batch.add(&page::Enable::new())).collect();
    tokio::task::yield_now().await;
    batch.send();
    assert_eq!(counted.recv().await, Some(5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_calls_at_once_each_get_their_own_answer() {
    const CALLS: usize = 10_000;
    let (mut fake, connection, _events) = Fake::connect();
    let browser = tokio::spawn(async move {
        let mut calls = Vec::new();
        for _ in 0..CALLS {
            calls.push(fake.hear().await);
        }
        // Backwards, several in one write.
        for some in calls.rchunks(100) {
            let answers = some.iter().rev().map(|call| {
                let value = &call["params"]["expression"];
                json!({ "id": call["id"], "result": { "result": { "type": "string", "value": value } } })
            });
            fake.says.send(answers.map(|answer| answer.to_string().into()).collect()).await.unwrap();
        }
        fake
    });
    let calls: Vec<_> = (0..CALLS)
        .map(|number| {
            let session = connection.session(format!("S{}", number % 7).into());
            tokio::spawn(async move { session.call(&runtime::Evaluate::new(number.to_string())).await })
        })
        .collect();
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap().unwrap().result.value, Some(number.to_string().into()));
    }
    browser.await.unwrap();
    assert!(connection.shared.pending.is_empty());
}

#[tokio::test]
async fn a_screenshot_of_64_megabytes_comes_whole() {
    let (mut fake, connection, _events) = Fake::connect();
    let browser = tokio::spawn(async move {
        let number = fake.hear().await["id"].clone();
        let data = "AAAA".repeat(16 << 20);
        fake.says
            .send(vec![format!(r#"{{"id":{number},"result":{{"data":"{data}"}}}}"#).into()])
            .await
            .unwrap();
        fake
    });
    let shot = connection.call(&page::CaptureScreenshot::new()).await.unwrap();
    assert_eq!(shot.data.0.len(), 48 << 20);
    browser.await.unwrap();
}

#[tokio::test]
async fn a_tree_of_sessions_is_one_stream_in_order_that_outlives_its_branches() {
    let (mut fake, connection, mut browser) = Fake::connect();
    fake.attach("page", None).await;
    browser.next().await.unwrap();
    let mut events = connection.tree_events(&"page".into()).unwrap();
    fake.attach("frame", Some("page")).await;
    for (number, session) in ["frame", "page", "frame", "page"].into_iter().enumerate() {
        fake.event(Some(session), "Page.loadEventFired", json!({ "timestamp": number })).await;
    }
    fake.event(Some("page"), "Target.detachedFromTarget", json!({ "sessionId": "frame" })).await;
    fake.event(Some("page"), "Page.loadEventFired", load(4)).await;
    let mut seen = Vec::new();
    while seen.len() < 7 {
        let event = events.next().await.unwrap();
        seen.push((event.session().unwrap().to_string(), event.method().to_owned()));
    }
    let sessions: Vec<&str> = seen.iter().map(|(session, _)| session.as_str()).collect();
    assert_eq!(sessions, ["page", "frame", "page", "frame", "page", "page", "page"]);
    assert!(connection.events(&"frame".into()).is_none());
    fake.event(None, "Target.detachedFromTarget", json!({ "sessionId": "page" })).await;
    assert!(matches!(events.next().await, Err(EventsEnded::SessionGone)));
}
