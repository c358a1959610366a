//! The watch knows what an action set in motion, and the page does not know the watch.

use engine::injected::watch_token;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::hand::{CLICK, page};

/// Clicks on the button, and asks what is still to come.
fn clicked(browser: &mut Chromium) -> Value {
    let answer = browser.prepare("#b", json!({ "needs": CLICK, "guard": "press", "wait": 3000 }));
    browser.click_at(&answer["ready"]["point"]);
    browser.ask("verdict", &json!({ "watch": watch_token() }))
}

fn button(handler: &str) -> Chromium {
    let mut browser = page("<button id=b>Go</button><p id=out></p>");
    browser.evaluate(&format!("b.onclick = () => {{ {handler} }}; 0"));
    browser
}

fn quiet(browser: &mut Chromium) -> Value {
    browser.ask("quiet", &json!({ "watch": watch_token(), "wait": 1500 }))
}

#[test]
fn a_handler_that_is_done_leaves_nothing_to_come() {
    for handler in ["", "out.textContent = 'x'", "Promise.resolve().then(() => out.textContent = 'x')"] {
        let verdict = clicked(&mut button(handler));
        assert_eq!(verdict["calm"], true, "{handler}: {verdict}");
    }
}

#[test]
fn timers_and_frames_of_the_handler_are_waited_for() {
    let cases = [
        "setTimeout(() => out.textContent = 'done', 200)",
        "requestAnimationFrame(() => out.textContent = 'done')",
        "requestAnimationFrame(() => requestAnimationFrame(() => out.textContent = 'done'))",
        "setTimeout(() => setTimeout(() => out.textContent = 'done', 100), 100)",
        "Promise.resolve().then(() => setTimeout(() => out.textContent = 'done', 100))",
        "const { port1, port2 } = new MessageChannel(); port1.onmessage = () => setTimeout(() => out.textContent = 'done', 100); port2.postMessage(0)",
        "setTimeout(() => Promise.resolve().then(() => out.textContent = 'done'), 50)",
    ];
    for handler in cases {
        let mut browser = button(handler);
        clicked(&mut browser);
        assert_eq!(quiet(&mut browser)["calm"], true, "{handler}");
        assert_eq!(browser.evaluate("out.textContent"), "done", "{handler}");
    }
}

#[test]
fn what_follows_from_the_last_of_several_events_is_waited_for() {
    // The press posts a task that takes long: the release comes before the tasks after it, because input goes first.
    let handler = "const { port1, port2 } = new MessageChannel(); \
        port1.onmessage = () => setTimeout(() => out.textContent = 'done', 100); port2.postMessage(0)";
    for event in ["pointermove", "pointerdown", "mousedown"] {
        let mut browser = button(handler);
        browser.evaluate(&format!("{BUSY} b.addEventListener('{event}', () => busy(1, 100)); 0"));
        clicked(&mut browser);
        assert_eq!(quiet(&mut browser)["calm"], true, "{event}");
        assert_eq!(browser.evaluate("out.textContent"), "done", "{event}");
    }
}

#[test]
fn frames_that_come_late_are_waited_for() {
    let last = "requestAnimationFrame(() => out.textContent = 'done')";
    for handler in [
        format!("busy(3, 700); {last}"),
        format!("requestAnimationFrame(() => {{ busy(3, 300); {last} }})"),
        format!("requestAnimationFrame(() => {{ busy(6, 300); {last} }})"),
    ] {
        let mut browser = button(&handler);
        browser.evaluate(&format!("{BUSY} 0"));
        clicked(&mut browser);
        assert_eq!(quiet(&mut browser)["calm"], true, "{handler}");
        assert_eq!(browser.evaluate("out.textContent"), "done", "{handler}");
    }
}

/// `busy(hops, time)`: posts a task that posts a task, `hops` times; the last one takes `time` ms.
const BUSY: &str = "window.busy = (hops, time) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
        if (--hops) return port2.postMessage(0);
        for (const end = performance.now() + time; performance.now() < end;);
    };
    port2.postMessage(0);
};";

#[test]
fn what_the_page_does_anyway_is_not_waited_for() {
    let cases = [
        "(function poll() { setTimeout(poll, 40) })()",
        "setInterval(() => out.textContent = Math.random(), 20)",
        "(function draw() { requestAnimationFrame(draw) })()",
        "(function draw() { out.style.left = Math.random() + 'px'; requestAnimationFrame(draw) })()",
    ];
    for script in cases {
        let mut browser = button("document.title = 'clicked'");
        browser.evaluate(&format!("setTimeout(() => {{ {script} }}, 0); 0"));
        let verdict = clicked(&mut browser);
        assert_eq!(verdict["timer"], 0, "{script}: {verdict}");
        assert_eq!(verdict["frame"], false, "{script}: {verdict}");
    }
}

#[test]
fn timers_that_are_long_or_taken_back_are_not_waited_for() {
    for handler in [
        "setTimeout(() => {}, 2000)",
        "clearTimeout(setTimeout(() => {}, 400))",
        "const id = setTimeout(() => {}, 400); Promise.resolve().then(() => clearTimeout(id))",
    ] {
        let verdict = clicked(&mut button(handler));
        assert_eq!(verdict["calm"], true, "{handler}: {verdict}");
    }
    let mut browser = button("clearTimeout(window.long)");
    browser.evaluate("b.onpointerdown = () => window.long = setTimeout(() => {}, 500); 0");
    assert_eq!(clicked(&mut browser)["calm"], true, "a long press that was none");
}

#[test]
fn a_loop_that_the_action_starts_is_followed_for_a_while_only() {
    let mut browser = button("(function loop() { setTimeout(loop, 30) })()");
    clicked(&mut browser);
    assert_eq!(quiet(&mut browser)["calm"], true);
    let mut browser = button("(function draw() { out.textContent += 'x'; requestAnimationFrame(draw) })()");
    clicked(&mut browser);
    assert_eq!(quiet(&mut browser)["calm"], true);
}

#[test]
fn the_pages_functions_stay_the_browsers() {
    let mut browser = page("");
    let before = browser.evaluate("Object.getOwnPropertyNames(window).sort().join()");
    for name in ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame"] {
        assert_eq!(browser.evaluate(&format!("{name}.name")), name);
        let text = browser.evaluate(&format!("{name}.toString()"));
        assert!(text.as_str().unwrap().contains("[native code]"), "{text}");
        let shape =
            browser.evaluate(&format!("JSON.stringify(Object.getOwnPropertyDescriptor(window, '{name}'))"));
        assert_eq!(shape, r#"{"writable":true,"enumerable":true,"configurable":true}"#);
    }
    assert_eq!(browser.evaluate("setTimeout.length"), 1);
    assert_eq!(
        browser.evaluate(
            "(() => { try { setTimeout.call({}, () => {}) } catch (error) { return error.name } })()"
        ),
        "TypeError"
    );
    assert_eq!(
        browser.evaluate("new Promise(done => setTimeout((...given) => done(given.join()), 1, 'a', 'b'))"),
        "a,b"
    );
    assert_eq!(browser.evaluate("typeof setTimeout('0', 1)"), "number");
    assert!(!before.as_str().unwrap().contains(watch_token()));
}

#[test]
fn a_page_that_replaced_its_timers_is_no_obstacle() {
    let mut browser = button("setTimeout(() => {}, 100)");
    browser.evaluate("window.setTimeout = () => 'fake'; 0");
    let verdict = clicked(&mut browser);
    assert_eq!(verdict["calm"], true, "{verdict}");
}

#[test]
fn without_the_watch_a_change_is_followed_by_a_look_at_the_next_frame() {
    let mut browser = button("out.textContent = 'a'; requestAnimationFrame(() => out.textContent = 'b')");
    let answer = browser.prepare("#b", json!({ "needs": CLICK, "watch": null }));
    browser.click_at(&answer["ready"]["point"]);
    let verdict = browser.ask("verdict", &json!({}));
    assert_eq!(verdict["calm"], false, "{verdict}");
    browser.ask("quiet", &json!({ "wait": 1000 }));
    assert_eq!(browser.evaluate("out.textContent"), "b");
}
