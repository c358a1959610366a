//! Actions, with a browser that the test plays.

use std::time::Duration;

use base::{Activity, CallScope, Deadline};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::backend::InputEvent;
use crate::failed::{Failed, Obstacle};
use crate::fake::FakePage;
use crate::page::Page;
use crate::target::Target;

fn scope() -> CallScope {
    CallScope::new(Deadline::after(Duration::from_secs(5)), CancellationToken::new(), Activity::default())
}

fn ready() -> Value {
    json!({ "ready": { "preview": "<button>", "selector": "role=button", "point": { "x": 3, "y": 4 } }, "diary": [] })
}

fn button() -> Target {
    Target::parse("button").unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_click_is_one_question_one_gesture_and_one_question() {
    let (browser, opened) = FakePage::open();
    browser.will_answer("prepare", ready());
    browser.will_answer("verdict", json!({ "calm": true }));
    let acted = Page::new(opened).click(&button(), &Click::default(), &scope()).await.unwrap();
    assert_eq!((acted.element.as_str(), acted.locator.to_string().as_str()), ("<button>", "role=button"));
    let asked: Vec<String> =
        browser.asked().iter().filter_map(|line| line.split(' ').next().map(str::to_owned)).collect();
    assert_eq!(asked, ["prepare", "verdict"]);
    let hand = browser.hand();
    assert!(
        matches!(hand.as_slice(), [InputEvent::Move { .. }, InputEvent::Down { .. }, InputEvent::Up { .. }]),
        "{hand:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_click_that_went_elsewhere_is_tried_again_with_suspicion() {
    let (browser, opened) = FakePage::open();
    browser.will_answer("prepare", ready());
    browser.will_answer("verdict", json!({ "missed": "<div>" }));
    browser.will_answer("prepare", ready());
    browser.will_answer("verdict", json!({ "calm": true }));
    Page::new(opened).click(&button(), &Click::default(), &scope()).await.unwrap();
    let asked = browser.asked();
    assert!(
        asked[0].contains("\"suspicious\":false") && asked[2].contains("\"suspicious\":true"),
        "{asked:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_obstacle_is_told_even_if_the_last_question_is_never_answered() {
    let (browser, opened) = FakePage::open();
    let entry = json!({ "at": 100.0, "text": "visible, disabled", "times": 3 });
    browser.will_answer(
        "prepare",
        json!({ "blocked": { "kind": "disabled" }, "preview": "<button>", "diary": [entry] }),
    );
    let refused = Page::new(opened).click(&button(), &Click::default(), &scope()).await;
    let expected = Failed::NotActionable {
        element: "<button>".to_owned(),
        obstacle: Obstacle::Disabled,
        diary: vec!["0.1 s: visible, disabled ×3".to_owned()],
    };
    assert_eq!(refused, Err(expected));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_there_is_told_as_not_found() {
    let (browser, opened) = FakePage::open();
    browser.will_answer("prepare", json!({ "none": true, "diary": [] }));
    let refused = Page::new(opened).click(&button(), &Click::default(), &scope()).await;
    assert_eq!(refused, Err(Failed::NotFound { target: "button".to_owned() }));
}

#[tokio::test(start_paused = true)]
async fn keys_are_not_pressed_into_a_page_that_does_not_answer() {
    let (browser, opened) = FakePage::open();
    let pressed = Page::new(opened).press_key(&"Enter".parse().unwrap(), &scope()).await;
    assert!(pressed.is_err());
    assert!(browser.hand().is_empty());
}
