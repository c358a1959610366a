//! Settling, with a browser that the test plays and a clock that jumps.

use std::time::Duration;

use base::{Activity, Deadline};
use serde_json::json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::rest::{DOWNLOAD, LOAD, LONGEST, REQUESTS};
use super::*;
use crate::backend::{PageEvent, ResourceKind};
use crate::fake::FakePage;
use crate::fake::events::{dialog, finished, request};

fn scope() -> CallScope {
    CallScope::new(Deadline::after(Duration::from_secs(30)), CancellationToken::new(), Activity::default())
}

fn requested(id: &str, url: &str, kind: ResourceKind) -> PageEvent {
    PageEvent::Requested(request(id, url, kind))
}

fn started() -> PageEvent {
    PageEvent::NavigationStarted { frame: "main".into(), navigation: "two".into(), url: None }
}

fn committed() -> PageEvent {
    PageEvent::Committed {
        frame: "main".into(),
        navigation: Some("two".into()),
        url: "http://two/".to_owned(),
    }
}

/// A page where `before` happened, then the action, then `after`; `later` happens after that time. What settling saw, how long
/// it took, and what it asked.
async fn settled(
    before: Vec<PageEvent>,
    after: Vec<PageEvent>,
    later: Vec<(u64, PageEvent)>,
) -> (Settled, Duration, Vec<String>) {
    let (browser, opened) = FakePage::open();
    let page = Page::new(opened);
    before.into_iter().for_each(|event| browser.happen(event));
    page.caught_up(&scope()).await.unwrap();
    let mark = page.mark();
    after.into_iter().for_each(|event| browser.happen(event));
    for _ in 0..10 {
        browser.will_answer("quiet", json!({ "calm": true }));
    }
    let playing = browser.clone();
    let play = async move {
        for (wait, event) in later {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            playing.happen(event);
        }
        std::future::pending::<()>().await;
    };
    let began = Instant::now();
    let seen = tokio::select! {
        seen = async { page.settle(&mark, &scope()).await } => seen,
        () = play => unreachable!(),
    };
    (seen, began.elapsed(), browser.asked())
}

#[tokio::test(start_paused = true)]
async fn a_page_at_rest_is_asked_once_and_not_waited_for() {
    let (seen, took, asked) = settled(vec![], vec![], vec![]).await;
    assert_eq!((seen.navigated, seen.unfinished, took), (false, false, Duration::ZERO));
    assert_eq!(asked.len(), 1, "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn what_the_action_already_knows_is_not_asked_again() {
    let (browser, opened) = FakePage::open();
    let page = Page::new(opened);
    let mark = page.mark();
    page.state().hand.report = Some(Report { calm: true, ..Report::default() });
    let seen = page.settle(&mark, &scope()).await;
    assert!(!seen.unfinished);
    assert!(browser.asked().is_empty(), "{:?}", browser.asked());
}

#[tokio::test(start_paused = true)]
async fn a_document_that_a_dialog_held_up_is_waited_for_when_that_is_answered() {
    let before = vec![started(), committed(), PageEvent::DialogOpened(dialog())];
    let answered = PageEvent::DialogClosed { id: dialog().id };
    let parsed = PageEvent::DomContentLoaded { frame: "main".into() };
    let loaded = PageEvent::Loaded { frame: "main".into() };
    let (seen, took, asked) = settled(before, vec![answered], vec![(300, parsed), (200, loaded)]).await;
    assert_eq!((seen.navigated, seen.unfinished, took), (false, false, Duration::from_millis(500)));
    assert_eq!(asked.len(), 1, "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn requests_of_the_action_are_waited_for_and_then_the_page_is_asked() {
    let began = requested("a", "http://host/save", ResourceKind::Fetch);
    let (seen, took, asked) = settled(vec![], vec![began], vec![(200, finished("a"))]).await;
    assert_eq!((seen.unfinished, took), (false, Duration::from_millis(200)));
    assert!(asked[0].contains("\"expect\":true"), "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_takes_long_is_waited_for_no_longer_than_a_second() {
    let began = requested("a", "http://host/slow", ResourceKind::Xhr);
    let (_, took, _) = settled(vec![], vec![began], vec![]).await;
    assert_eq!(took, REQUESTS);
}

#[tokio::test(start_paused = true)]
async fn polling_streams_pictures_and_earlier_requests_are_not_waited_for() {
    let poll =
        |id: &str, query: &str| requested(id, &format!("http://host/poll?{query}"), ResourceKind::Fetch);
    let before = vec![
        poll("1", "a"),
        finished("1"),
        poll("2", "b"),
        finished("2"),
        requested("early", "http://host/early", ResourceKind::Fetch),
    ];
    let after = vec![
        poll("3", "c"),
        requested("s", "http://host/events", ResourceKind::EventSource),
        requested("i", "http://host/picture", ResourceKind::Image),
    ];
    let (seen, took, _) = settled(before, after, vec![]).await;
    assert_eq!((seen.unfinished, took), (false, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_navigation_is_followed_until_it_is_loaded() {
    let later = vec![
        (100, committed()),
        (100, PageEvent::DomContentLoaded { frame: "main".into() }),
        (100, PageEvent::Loaded { frame: "main".into() }),
    ];
    let (seen, took, asked) = settled(vec![], vec![started()], later).await;
    assert_eq!((seen.navigated, took), (true, Duration::from_millis(300)));
    assert_eq!(asked.len(), 1, "the new document is asked: {asked:?}");
}

#[tokio::test(start_paused = true)]
async fn a_document_that_never_loads_fully_is_good_enough_after_a_while() {
    let later = vec![(100, committed()), (0, PageEvent::DomContentLoaded { frame: "main".into() })];
    let (seen, took, _) = settled(vec![], vec![started()], later).await;
    assert_eq!((seen.navigated, seen.unfinished), (true, false));
    assert_eq!(took, Duration::from_millis(100) + LOAD);
}

#[tokio::test(start_paused = true)]
async fn a_navigation_that_comes_to_nothing_may_be_a_download_for_a_while() {
    let failed = PageEvent::NavigationFailed {
        frame: "main".into(),
        navigation: "two".into(),
        reason: "download".to_owned(),
    };
    let (seen, took, _) = settled(vec![], vec![started()], vec![(50, failed)]).await;
    assert_eq!((seen.navigated, seen.unfinished, took), (false, false, DOWNLOAD));
}

#[tokio::test(start_paused = true)]
async fn a_dialog_a_chooser_and_the_pages_end_stop_it_at_once() {
    let busy = || requested("a", "http://host/slow", ResourceKind::Fetch);
    let (seen, took, asked) = settled(vec![], vec![busy(), PageEvent::DialogOpened(dialog())], vec![]).await;
    assert_eq!((seen.dialog, took, asked.len()), (Some(dialog()), Duration::ZERO, 0));
    let chooser = PageEvent::FileChooser { input: None, multiple: false };
    let (seen, took, _) = settled(vec![], vec![busy(), chooser], vec![]).await;
    assert_eq!((seen.chooser, took), (true, Duration::ZERO));
    let (seen, took, _) = settled(vec![], vec![busy()], vec![(30, PageEvent::Closed)]).await;
    assert_eq!((seen.life, seen.unfinished, took), (Life::Closed, false, Duration::from_millis(30)));
    let (seen, _, _) = settled(vec![], vec![busy()], vec![(30, PageEvent::Crashed)]).await;
    assert_eq!(seen.life, Life::Crashed);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_answers_nothing_costs_no_more_than_the_limit() {
    let (_browser, opened) = FakePage::open();
    let page = Page::new(opened);
    let mark = page.mark();
    let began = Instant::now();
    let seen = page.settle(&mark, &scope()).await;
    assert_eq!((seen.unfinished, began.elapsed()), (true, LONGEST));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_nearly_over_still_tells_its_result() {
    let (_browser, opened) = FakePage::open();
    let page = Page::new(opened);
    let mark = page.mark();
    let scope = CallScope::new(
        Deadline::after(Duration::from_millis(500)),
        CancellationToken::new(),
        Activity::default(),
    );
    let seen = page.settle(&mark, &scope).await;
    assert!(seen.unfinished && !scope.deadline().has_passed());
}
