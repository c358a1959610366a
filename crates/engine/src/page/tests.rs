//! Navigation and waiting, with a browser that the test plays.

use std::time::Duration;

use base::{Activity, CallScope, Deadline};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::backend::{FrameId, NavigationId, PageEvent, Request, ResourceKind, Response, Started};
use crate::fake::FakePage;
use crate::fake::events::{dialog, request};

fn scope() -> CallScope {
    CallScope::new(Deadline::after(Duration::from_secs(60)), CancellationToken::new(), Activity::default())
}

fn main() -> FrameId {
    "main".into()
}

fn committed(navigation: &str) -> PageEvent {
    let url = format!("http://{navigation}/");
    PageEvent::Committed { frame: main(), navigation: Some(navigation.into()), url }
}

fn started(navigation: &str) -> PageEvent {
    PageEvent::NavigationStarted { frame: main(), navigation: navigation.into(), url: None }
}

fn loaded() -> PageEvent {
    PageEvent::Loaded { frame: main() }
}

fn requested(id: &str, navigation: Option<&str>) -> PageEvent {
    let url = format!("http://host/{id}");
    let navigation = navigation.map(NavigationId::from);
    PageEvent::Requested(Request { navigation, ..request(id, &url, ResourceKind::Document) })
}

fn responded(id: &str, status: u16) -> PageEvent {
    PageEvent::Responded(Response {
        id: id.into(),
        url: String::new(),
        status,
        status_text: "said so".to_owned(),
        headers: Vec::new(),
        mime: String::new(),
        from_cache: false,
        remote: None,
        timing: None,
    })
}

/// A page on its way to `one`, and what happens meanwhile.
async fn going(
    until: WaitUntil,
    happens: impl FnOnce(&FakePage),
) -> (Page, Result<Arrival, NavigationRefused>) {
    let (browser, opened) = FakePage::open();
    let page = Page::new(opened);
    browser.will_navigate(Started::Navigation("one".into()));
    browser.happen(started("one"));
    happens(&browser);
    let arrival = page.navigate("http://one/", until, &scope()).await;
    (page, arrival)
}

#[tokio::test(start_paused = true)]
async fn an_arrival_has_its_address_status_and_state() {
    let (_, arrival) = going(WaitUntil::Load, |browser| {
        browser.happen(requested("r", Some("one")));
        browser.happen(responded("r", 404));
        browser.happen(committed("one"));
        browser.happen(loaded());
    })
    .await;
    let arrival = arrival.unwrap();
    assert_eq!((arrival.url.as_str(), arrival.status), ("http://one/", Some(404)));
    assert_eq!(arrival.state, LoadState::Loaded);
}

#[tokio::test(start_paused = true)]
async fn a_refused_connection_is_told_in_the_browsers_words() {
    let (browser, opened) = FakePage::open();
    browser.will_navigate(Started::Failed("net::ERR_CONNECTION_REFUSED".to_owned()));
    let refused = Page::new(opened).navigate("http://x/", WaitUntil::Load, &scope()).await.unwrap_err();
    assert_eq!(refused.to_string(), "http://x/ could not be reached: net::ERR_CONNECTION_REFUSED");
}

#[tokio::test(start_paused = true)]
async fn a_redirect_by_script_is_followed() {
    let (_, arrival) = going(WaitUntil::Load, |browser| {
        browser.happen(committed("one"));
        browser.happen(started("two"));
        browser.happen(committed("two"));
        browser.happen(loaded());
    })
    .await;
    assert_eq!(arrival.unwrap().url, "http://two/");
}

#[tokio::test(start_paused = true)]
async fn a_navigation_that_another_one_replaced_is_no_failure() {
    let failed = PageEvent::NavigationFailed {
        frame: main(),
        navigation: "one".into(),
        reason: "net::ERR_ABORTED".to_owned(),
    };
    let (_, arrival) = going(WaitUntil::Load, |browser| {
        browser.happen(started("two"));
        browser.happen(failed);
        browser.happen(committed("two"));
        browser.happen(loaded());
    })
    .await;
    assert_eq!(arrival.unwrap().url, "http://two/");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_never_finishes_says_how_far_it_got() {
    let (_, refused) = going(WaitUntil::Load, |browser| {
        browser.happen(committed("one"));
        browser.happen(PageEvent::DomContentLoaded { frame: main() });
    })
    .await;
    let url = "http://one/".to_owned();
    assert_eq!(refused, Err(NavigationRefused::Unfinished { url, reached: LoadState::DomContentLoaded }));
}

#[tokio::test(start_paused = true)]
async fn a_dialog_while_loading_ends_the_wait_at_once() {
    let (_, refused) = going(WaitUntil::Load, |browser| {
        browser.happen(committed("one"));
        browser.happen(PageEvent::DialogOpened(dialog()));
    })
    .await;
    assert_eq!(refused, Err(NavigationRefused::Interrupted(Interruption::Dialog(dialog()))));
}

#[tokio::test(start_paused = true)]
async fn idle_is_half_a_second_without_requests() {
    let began = tokio::time::Instant::now();
    let (page, arrival) = going(WaitUntil::NetworkIdle, |browser| {
        browser.happen(committed("one"));
        browser.happen(loaded());
        browser.happen(requested("late", None));
        browser.happen(PageEvent::Finished { id: "late".into(), bytes: None });
    })
    .await;
    arrival.unwrap();
    assert_eq!(began.elapsed(), Duration::from_millis(500));
    assert_eq!(page.state().network.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_browser_that_never_answers_is_waited_for_no_longer_than_the_call() {
    let (_browser, opened) = FakePage::open();
    let refused = Page::new(opened).navigate("http://x/", WaitUntil::Load, &scope()).await;
    assert_eq!(refused, Err(NavigationRefused::Interrupted(Interruption::TimedOut)));
}

#[tokio::test(start_paused = true)]
async fn a_crash_ends_the_wait_and_the_next_document_brings_the_page_back() {
    let (browser, opened) = FakePage::open();
    let page = Page::new(opened);
    browser.happen(PageEvent::Crashed);
    let waiting = page.wait_for(&scope(), |_| None::<()>).await;
    assert_eq!(waiting, Err(Interruption::Crashed));
    browser.will_navigate(Started::Navigation("one".into()));
    browser.happen(committed("one"));
    browser.happen(loaded());
    page.navigate("http://one/", WaitUntil::Load, &scope()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_closed_page_ends_every_wait() {
    let (browser, opened) = FakePage::open();
    let page = Page::new(opened);
    browser.happen(PageEvent::Closed);
    let waiting = page.wait_for(&scope(), |_| None::<()>).await;
    assert_eq!(waiting, Err(Interruption::Closed));
}
