//! The real thing: chromium-headless-shell on a pipe, in a tree of its own, and once on a socket.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common/mod.rs"]
mod common;

use common::{Chromium, Listening, in_time};
use supervise::{Exit, Ladder};
use testkit::process;
use wire::cdp::types::{browser, input, page, runtime};
use wire::cdp::{CallError, Connection, Events};
use wire::transport::endpoint::{Endpoint, HeaderMap};
use wire::transport::websocket;

async fn wait_for_load(events: &mut Events) {
    while !events.next().await.unwrap().is::<page::LoadEventFired>() {}
}

fn evaluate(expression: &str) -> runtime::Evaluate {
    runtime::Evaluate { return_by_value: Some(true), ..runtime::Evaluate::new(expression) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_opened_read_pictured_and_closed_and_nothing_is_left() {
    in_time(async {
        let mut chromium = Chromium::start().await;
        let version = chromium.connection.call(&browser::GetVersion::new()).await.unwrap();
        assert!(version.product.contains("Chrome"), "{version:?}");

        let (session, mut events) = chromium.page().await;
        session.call(&page::Enable::new()).await.unwrap();
        let navigated =
            session.call(&page::Navigate::new("data:text/html,<title>hello</title><h1>Hi")).await.unwrap();
        assert_eq!(navigated.error_text, None);
        wait_for_load(&mut events).await;

        let title = session.call(&evaluate("document.title + '\\ud83d\\ude00\\ud800'")).await.unwrap();
        assert_eq!(title.result.value, Some("hello😀\u{fffd}".into()));
        let thrown = session.call(&evaluate("null.x")).await.unwrap();
        assert!(
            thrown.exception_details.unwrap().exception.unwrap().description.unwrap().contains("TypeError")
        );
        let shot = session.call(&page::CaptureScreenshot::new()).await.unwrap();
        assert_eq!(&shot.data.0[..8], b"\x89PNG\r\n\x1a\n");
        assert!(matches!(
            session.call(&page::NavigateToHistoryEntry::new(999)).await,
            Err(CallError::Protocol { method: "Page.navigateToHistoryEntry", .. })
        ));

        chromium.connection.call(&browser::Close::new()).await.unwrap();
        assert_eq!(chromium.tree.exited().await, Exit::Code(0));
        chromium.connection.closed().await;
        chromium.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_of_input_is_done_in_its_order() {
    in_time(async {
        let chromium = Chromium::start().await;
        let (session, mut events) = chromium.page().await;
        session.call(&page::Enable::new()).await.unwrap();
        session.call(&page::Navigate::new("data:text/html,<input>")).await.unwrap();
        wait_for_load(&mut events).await;
        session.call(&evaluate("document.querySelector('input').focus()")).await.unwrap();

        let text = "the quick brown fox jumps over the lazy dog";
        let mut batch = session.batch();
        let key = |key: char| input::DispatchKeyEvent {
            text: Some(key.into()),
            ..input::DispatchKeyEvent::new(input::KeyEventType::Char)
        };
        let typed: Vec<_> = text.chars().map(|letter| batch.add(&key(letter))).collect();
        batch.send();
        for call in typed {
            call.await.unwrap();
        }
        let value = session.call(&evaluate("document.querySelector('input').value")).await.unwrap();
        assert_eq!(value.result.value, Some(text.into()));
        chromium.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_browser_fails_its_calls_at_once() {
    in_time(async {
        let chromium = Chromium::start().await;
        let (session, _events) = chromium.page().await;
        let never = runtime::Evaluate { await_promise: Some(true), ..evaluate("new Promise(() => {})") };
        let call = session.send(&never);
        session.call(&evaluate("1")).await.unwrap();
        process::kill(chromium.tree.pid());
        assert!(matches!(call.await, Err(CallError::Closed { .. })));
        chromium.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_page_fails_its_calls_and_ends_its_events() {
    in_time(async {
        let chromium = Chromium::start().await;
        let (session, mut events) = chromium.page().await;
        let never = runtime::Evaluate { await_promise: Some(true), ..evaluate("new Promise(() => {})") };
        let call = session.send(&never);
        session.call(&page::Close::new()).await.unwrap();
        let error = call.await.unwrap_err();
        assert!(matches!(error, CallError::SessionGone | CallError::Protocol { .. }), "{error}");
        while events.next().await.is_ok() {}
        assert!(matches!(session.call(&evaluate("1")).await, Err(CallError::SessionGone)));
        chromium.connection.call(&browser::GetVersion::new()).await.expect("the browser goes on");
        chromium.stop().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_connection_ends_the_browser() {
    in_time(async {
        let Chromium { connection, events, mut tree, output, profile } = Chromium::start().await;
        connection.call(&browser::GetVersion::new()).await.unwrap();
        drop((connection, events));
        tree.exited().await;
        assert!(profile.path().exists());
        tree.stop(Ladder::default()).await;
        assert!(!profile.path().exists());
        drop(output);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_that_listens_is_found_and_driven_over_its_socket() {
    in_time(async {
        let listening = Listening::start().await;
        let endpoint = Endpoint::parse(&listening.address, HeaderMap::new()).unwrap();
        let (inbound, outbound) = websocket::connect(&endpoint).await.unwrap();
        let (connection, _events) = Connection::open(inbound, outbound);
        let (session, _events) = common::page(&connection).await;
        assert_eq!(session.call(&evaluate("6 * 7")).await.unwrap().result.value, Some(42.into()));
        listening.stop().await;
        connection.closed().await;
    })
    .await;
}
