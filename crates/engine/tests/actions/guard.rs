//! Events that would go elsewhere are stopped before the page has them.

use engine::injected::watch_token;
use serde_json::json;

use crate::hand::{CLICK, page};

const HEARD: &str = "<script>window.heard = []; for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click']) \
    document.addEventListener(type, event => heard.push(type + ' ' + event.target.id))</script>";

#[test]
fn a_click_that_arrives_is_let_through_and_the_verdict_is_calm() {
    let mut browser = page(&format!("<button id=b>Go</button>{HEARD}"));
    let answer = browser.prepare("#b", json!({ "needs": CLICK, "guard": "press" }));
    browser.click_at(&answer["ready"]["point"]);
    let verdict = browser.ask("verdict", &json!({ "watch": watch_token() }));
    assert_eq!((verdict["calm"].as_bool(), verdict.get("missed")), (Some(true), None), "{verdict}");
    assert_eq!(browser.evaluate("heard"), json!(["pointerdown b", "mousedown b", "mouseup b", "click b"]));
}

#[test]
fn a_click_on_what_came_in_between_is_stopped_and_told() {
    let mut browser = page(&format!("<button id=b>Go</button>{HEARD}"));
    let answer = browser.prepare("#b", json!({ "needs": CLICK, "guard": "press" }));
    browser.evaluate("document.body.insertAdjacentHTML('beforeend', '<a id=over href=\"#gone\" style=\"position:fixed;inset:0\"></a>'); 0");
    browser.click_at(&answer["ready"]["point"]);
    let verdict = browser.ask("verdict", &json!({ "watch": watch_token() }));
    assert_eq!(verdict["missed"], "<a id=\"over\" href=\"#gone\"></a>");
    assert_eq!(browser.evaluate("heard"), json!([]));
    assert_eq!(browser.evaluate("location.hash"), "");
    browser.click_at(&answer["ready"]["point"]);
    assert_eq!(browser.evaluate("location.hash"), "#gone", "the guard is gone");
}

#[test]
fn a_page_that_moves_when_the_button_goes_down_has_had_its_click() {
    let mut browser = page(&format!("<button id=b onmousedown='this.remove()'>Go</button>{HEARD}"));
    let answer = browser.prepare("#b", json!({ "needs": CLICK, "guard": "press" }));
    browser.click_at(&answer["ready"]["point"]);
    let verdict = browser.ask("verdict", &json!({ "watch": watch_token() }));
    assert_eq!(verdict.get("missed"), None, "{verdict}");
}

#[test]
fn events_of_the_pages_own_making_are_none_of_the_guards() {
    let mut browser = page(&format!("<button id=b>Go</button><i id=other></i>{HEARD}"));
    browser.prepare("#b", json!({ "needs": CLICK, "guard": "press" }));
    browser.evaluate("other.click(); 0");
    assert_eq!(browser.evaluate("heard"), json!(["click other"]));
}
