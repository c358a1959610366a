//! What stands between a user and an element.

use serde_json::{Value, json};

use crate::hand::{CLICK, WRITE, page, show};

const BUTTON: &str = "<button id=b onclick=\"document.title='clicked'\">Go</button>";

fn obstacle(answer: &Value) -> &str {
    if answer.get("ready").is_some() { "none" } else { answer["blocked"]["kind"].as_str().unwrap_or("?") }
}

#[test]
fn each_obstacle_to_a_click_is_named() {
    let mut browser = page("");
    let wrapped = |html: &str| html.replace("BUTTON", BUTTON);
    let cases = [
        ("BUTTON", "none"),
        ("<div style='display:none'>BUTTON</div>", "invisible"),
        ("<div style='visibility:hidden'>BUTTON</div>", "invisible"),
        ("<div style='opacity:0'>BUTTON</div>", "none"),
        ("<button id=b style='width:0;height:0;padding:0;border:0'></button>", "invisible"),
        ("<details><summary>More</summary>BUTTON</details>", "invisible"),
        ("<button id=b disabled>Go</button>", "disabled"),
        ("<fieldset disabled>BUTTON</fieldset>", "disabled"),
        ("<fieldset disabled><legend>BUTTON</legend></fieldset>", "none"),
        ("<div aria-disabled=true>BUTTON</div>", "disabled"),
        ("<button disabled><span id=b>Go</span></button>", "disabled"),
        ("<label id=b>Name <input disabled></label>", "disabled"),
        ("<button id=b style='pointer-events:none'>Go</button>", "covered"),
        ("BUTTON<div style='position:fixed;inset:0'></div>", "covered"),
        ("BUTTON<div style='position:fixed;inset:0;pointer-events:none'></div>", "none"),
        ("<div inert>BUTTON</div>", "covered"),
        ("<button id=b style='position:fixed;left:-200px'>Go</button>", "outside"),
        (
            "<button id=b style='animation:slide 60s linear infinite'>Go</button><style>@keyframes slide { to { translate: 900px } }</style>",
            "moving",
        ),
        (
            "<button id=b><i style='display:inline-block;animation:turn 1s linear infinite'>o</i></button><style>@keyframes turn { to { rotate: 1turn } }</style>",
            "none",
        ),
        (
            "<button id=b style='animation:glow 1s infinite'>Go</button><style>@keyframes glow { to { opacity: 0.5 } }</style>",
            "none",
        ),
        (
            "<button id=b style='animation:grow 4s linear'>Go</button><p style='order:-1;animation:grow 4s linear'>x</p><style>@keyframes grow { to { margin-top: 300px } }</style>",
            "moving",
        ),
    ];
    for (html, expected) in cases {
        show(&mut browser, &wrapped(html));
        let answer = browser.prepare("#b", json!({ "needs": CLICK }));
        assert_eq!(obstacle(&answer), expected, "{html}\n{answer}");
    }
}

#[test]
fn what_covers_an_element_is_told_and_the_diary_counts() {
    let mut browser =
        page("<button id=b>Go</button><div class=modal style='position:fixed;inset:0'>Loading</div>");
    let answer = browser.prepare("#b", json!({ "needs": CLICK }));
    assert_eq!(answer["blocked"]["by"], "<div class=\"modal\">Loading</div>");
    let diary = answer["diary"].as_array().unwrap();
    assert_eq!(diary.len(), 1, "{answer}");
    assert_eq!(diary[0]["text"], "visible, enabled, stable, covered by <div class=\"modal\">Loading</div>");
    assert!(diary[0]["times"].as_u64().unwrap() > 2, "{answer}");
}

#[test]
fn pointer_events_none_is_told_as_the_reason() {
    let mut browser = page("<button id=b style='pointer-events:none'>Go</button>");
    let by = browser.prepare("#b", json!({ "needs": CLICK }))["blocked"]["by"].as_str().unwrap().to_owned();
    assert!(by.ends_with("because it has pointer-events: none"), "{by}");
}

#[test]
fn an_obstacle_that_goes_away_is_waited_for() {
    let cases = [
        "<button id=b disabled>Go</button><script>setTimeout(() => b.disabled = false, 150)</script>",
        "<button id=b hidden>Go</button><script>setTimeout(() => b.hidden = false, 150)</script>",
        "<button id=b>Go</button><div id=m style='position:fixed;inset:0'></div><script>setTimeout(() => m.remove(), 150)</script>",
        "<div id=r></div><script>setTimeout(() => r.innerHTML = '<button id=b>Go</button>', 150)</script>",
        "<button id=b style='position:relative;transition:left 200ms linear;left:0'>Go</button><script>requestAnimationFrame(() => requestAnimationFrame(() => b.style.left = '300px'))</script>",
        "<button id=b style='position:relative'>Go</button><script>let x = 0; (function step() { b.style.left = ++x * 4 + 'px'; if (x < 12) requestAnimationFrame(step); })()</script>",
    ];
    let mut browser = page("");
    for html in cases {
        show(&mut browser, html);
        let answer = browser.prepare("#b", json!({ "needs": CLICK, "wait": 3000 }));
        assert_eq!(obstacle(&answer), "none", "{html}\n{answer}");
        let point = answer["ready"]["point"].clone();
        let there =
            browser.evaluate(&format!("document.elementFromPoint({}, {}).id", point["x"], point["y"]));
        assert_eq!(there, "b", "{html}");
    }
}

#[test]
fn force_asks_for_nothing_but_a_place() {
    let mut browser = page(
        "<div style='height:3000px'></div><button id=b disabled>Go</button><div style='position:fixed;inset:0'></div>",
    );
    let answer = browser.prepare("#b", json!({ "needs": CLICK, "force": true }));
    assert_eq!(obstacle(&answer), "none");
    assert!(answer["ready"]["point"]["y"].as_f64().unwrap() < 600.0, "scrolled into view: {answer}");
}

#[test]
fn what_can_not_be_written_into_is_named() {
    let mut browser = page("");
    let cases = [
        ("<input id=b>", "none"),
        ("<input id=b readonly>", "readonly"),
        ("<textarea id=b readonly></textarea>", "readonly"),
        ("<input id=b disabled>", "disabled"),
        ("<input id=b hidden>", "invisible"),
        ("<div id=b contenteditable aria-readonly=true>x</div>", "readonly"),
        ("<input id=b style='position:absolute;opacity:0'>", "none"),
        ("<input id=b><div style='position:fixed;inset:0'></div>", "none"),
    ];
    for (html, expected) in cases {
        show(&mut browser, html);
        let aim = json!({ "needs": WRITE, "kinds": ["text", "multiline", "rich", "whole"] });
        let answer = browser.prepare("#b", aim);
        assert_eq!(obstacle(&answer), expected, "{html}\n{answer}");
    }
}
