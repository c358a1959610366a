//! Fields: which control is meant, what it takes, and what the page hears of it.

use engine::injected::watch_token;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::hand::{WRITE, page, show};

const KINDS: &[&str] = &["text", "multiline", "rich", "whole"];

fn set(browser: &mut Chromium, value: &str) -> Value {
    let then = json!({ "what": "set", "value": value });
    browser.prepare("#b", json!({ "needs": WRITE, "kinds": KINDS, "then": then }))
}

fn choose(browser: &mut Chromium, options: &Value) -> Value {
    let then = json!({ "what": "choose", "options": options });
    browser.prepare("#b", json!({ "needs": ["visible", "enabled"], "kinds": ["list"], "then": then }))
}

#[test]
fn every_kind_of_field_is_known() {
    let mut browser = page("");
    let cases = [
        ("<input id=b>", "text"),
        ("<input id=b type=number>", "text"),
        ("<input id=b type=email>", "text"),
        ("<textarea id=b></textarea>", "multiline"),
        ("<div id=b contenteditable>x</div>", "rich"),
        ("<div contenteditable><p id=b>x</p></div>", "rich"),
        ("<input id=b type=date>", "whole"),
        ("<input id=b type=range>", "whole"),
        ("<input id=b type=checkbox>", "checkbox"),
        ("<label id=b><input type=radio> Yes</label>", "radio"),
        ("<div id=b role=switch aria-checked=false>x</div>", "switch"),
        ("<select id=b></select>", "list"),
        ("<label id=b for=s>Country</label><select id=s></select>", "list"),
        ("<div id=b><span>Name</span><input></div>", "text"),
        ("<x-field id=b><template shadowrootmode=open><input></template></x-field>", "text"),
        ("<div id=b role=combobox tabindex=0>x</div>", "choice"),
        ("<input id=b type=file>", "file"),
        ("<button id=b>x</button>", "button"),
    ];
    for (html, expected) in cases {
        show(&mut browser, html);
        let answer = browser.ask("field", &json!({ "at": { "selector": [["css", ["#b"]]] } }));
        assert_eq!(answer["kind"], expected, "{html}\n{answer}");
    }
}

#[test]
fn fields_that_are_set_as_a_whole_take_what_is_well_formed() {
    let mut browser = page("");
    let cases = [
        ("date", "2026-03-31", Ok("2026-03-31")),
        ("date", "31.3.2026", Err("a date as 2026-03-31")),
        ("date", "", Ok("")),
        ("time", "14:30", Ok("14:30")),
        ("time", "25:00", Err("a time as 14:30")),
        ("month", "2026-03", Ok("2026-03")),
        ("month", "March", Err("a month as 2026-03")),
        ("week", "2026-W13", Ok("2026-W13")),
        ("week", "13", Err("a week as 2026-W13")),
        ("datetime-local", "2026-03-31T14:30", Ok("2026-03-31T14:30")),
        ("datetime-local", "2026-03-31 14:30", Ok("2026-03-31T14:30")),
        ("datetime-local", "tomorrow", Err("a date and time as 2026-03-31T14:30")),
        ("color", "#3366FF", Ok("#3366ff")),
        ("color", "blue", Err("a colour as #3366ff")),
        ("range", "40", Ok("40")),
        ("range", "400", Err("a number from 0 to 100 in steps of 1")),
        ("range", "many", Err("a number from 0 to 100 in steps of 1")),
    ];
    for (kind, value, expected) in cases {
        show(
            &mut browser,
            &format!(
                "<input id=b type={kind}><script>window.heard = []; for (const type of ['input', 'change']) b.addEventListener(type, () => heard.push(type + ' ' + b.value))</script>"
            ),
        );
        let answer = set(&mut browser, value);
        match expected {
            Ok(held) => {
                assert!(answer["ready"].is_object(), "{kind} {value}: {answer}");
                assert_eq!(browser.evaluate("b.value"), held, "{kind} {value}");
                assert_eq!(
                    browser.evaluate("heard"),
                    json!([format!("input {held}"), format!("change {held}")])
                );
            }
            Err(takes) => {
                let unfit = answer["unfit"].as_str().unwrap_or_else(|| panic!("{kind} {value}: {answer}"));
                assert!(unfit.contains(takes), "{kind} {value}: {unfit}");
                assert_eq!(browser.evaluate("heard"), json!([]));
            }
        }
    }
}

#[test]
fn a_framework_that_tracks_values_hears_of_the_change() {
    // As React does: a property over the native one, and a handler that looks whether the value is another than it knows.
    let mut browser = page(
        "<input id=b type=date><script>\
        const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let known = ''; window.changes = 0;\
        Object.defineProperty(b, 'value', { get() { return own.get.call(this) }, set(value) { known = value; own.set.call(this, value) } });\
        document.addEventListener('input', event => { if (b.value !== known) { known = b.value; changes++ } })</script>",
    );
    set(&mut browser, "2026-03-31");
    assert_eq!(browser.evaluate("changes"), 1);
}

#[test]
fn what_a_field_sets_in_motion_is_known_though_its_events_are_ours() {
    let mut browser =
        page("<input id=b type=date oninput=\"setTimeout(() => document.title = 'late', 300)\">");
    set(&mut browser, "2026-03-31");
    let verdict = browser.ask("verdict", &json!({ "watch": watch_token() }));
    assert!(verdict["timer"].as_f64().unwrap() > 100.0, "{verdict}");
}

#[test]
fn focus_selects_what_is_to_be_replaced() {
    let mut browser = page("");
    let cases = [
        ("<input id=b value=old>", "replace", "new", "b.value", "new"),
        ("<input id=b value=old>", "append", "new", "b.value", "oldnew"),
        ("<input id=b type=email value=a@b.c>", "append", "om", "b.value", "a@b.com"),
        ("<input id=b type=number value=1>", "replace", "23", "b.value", "23"),
        ("<textarea id=b>one</textarea>", "append", "\ntwo", "b.value", "one\ntwo"),
        ("<div id=b contenteditable><b>old</b> text</div>", "replace", "new", "b.textContent", "new"),
        ("<div id=b contenteditable>old</div>", "append", "new", "b.textContent", "oldnew"),
        ("<input id=b maxlength=3>", "replace", "abcdef", "b.value", "abc"),
        (
            "<div id=h><template shadowrootmode=open><input id=b value=old></template></div>",
            "replace",
            "new",
            "h.shadowRoot.querySelector('input').value",
            "new",
        ),
    ];
    for (html, how, text, value, expected) in cases {
        show(&mut browser, html);
        let then = json!({ "what": "focus", "how": how, "text": text });
        let answer = browser.prepare("#b", json!({ "needs": WRITE, "kinds": KINDS, "then": then }));
        assert!(answer["ready"].is_object(), "{html}\n{answer}");
        browser.call("Input.insertText", &json!({ "text": text }));
        assert_eq!(browser.evaluate(value), expected, "{html} {how}");
    }
}

#[test]
fn what_does_not_fit_says_what_does() {
    let mut browser = page("");
    let cases = [
        ("<button id=b>x</button>", "is a button; click it"),
        ("<p id=b>x</p>", "is no field"),
        ("<select id=b></select>", "is a list; choose one of its options"),
        ("<input id=b type=checkbox>", "can only be checked or unchecked"),
        ("<input id=b type=file>", "takes files; use file_upload"),
    ];
    for (html, expected) in cases {
        show(&mut browser, html);
        let answer = set(&mut browser, "x");
        assert!(answer["unfit"].as_str().unwrap_or_default().contains(expected), "{html}\n{answer}");
    }
    show(&mut browser, "<input id=b type=number>");
    let then = json!({ "what": "focus", "how": "replace", "text": "many" });
    let answer = browser.prepare("#b", json!({ "needs": WRITE, "kinds": KINDS, "then": then }));
    assert_eq!(answer["unfit"], "takes a number as 12.5, not \"many\"");
}

const LIST: &str = "<select id=b ATTRIBUTES><option value=d>Germany</option><option value=f>  France \n</option>\
    <optgroup label=x disabled><option value=g>Greece</option></optgroup><option value=i disabled>Italy</option><option>Spain</option></select>\
    <script>window.heard = []; for (const type of ['input', 'change']) b.addEventListener(type, () => heard.push(type))</script>";

#[test]
fn options_are_chosen_by_value_label_and_number() {
    let mut browser = page("");
    let one = LIST.replace("ATTRIBUTES", "");
    let many = LIST.replace("ATTRIBUTES", "multiple");
    let cases = [
        (&one, json!([{ "value": "f" }]), Ok(json!(["f"]))),
        (&one, json!([{ "label": "France" }]), Ok(json!(["f"]))),
        (&one, json!([{ "either": "Germany" }]), Ok(json!(["d"]))),
        (&one, json!([{ "either": "Spain" }]), Ok(json!(["Spain"]))),
        (&one, json!([{ "index": 1 }]), Ok(json!(["f"]))),
        (&many, json!([{ "value": "d" }, { "label": "Spain" }]), Ok(json!(["d", "Spain"]))),
        (&many, json!([]), Ok(json!([]))),
        (&one, json!([{ "value": "d" }, { "value": "f" }]), Err("takes one option at a time")),
        (
            &one,
            json!([{ "label": "Spanien" }]),
            Err(
                "has no option \"Spanien\"; it has \"Germany\" (d), \"France\" (f), \"Greece\" (g), \"Italy\" (i), \"Spain\"",
            ),
        ),
        (&one, json!([{ "index": 9 }]), Err("has no option number 9")),
        (&one, json!([{ "value": "i" }]), Err("which is disabled")),
        (&one, json!([{ "value": "g" }]), Err("which is disabled")),
    ];
    for (html, options, expected) in cases {
        show(&mut browser, html);
        let answer = choose(&mut browser, &options);
        match expected {
            Ok(values) => {
                assert_eq!(answer["ready"]["field"]["values"], values, "{options}\n{answer}");
                assert_eq!(browser.evaluate("heard"), json!(["input", "change"]));
            }
            Err(why) => {
                assert!(answer["unfit"].as_str().unwrap_or_default().contains(why), "{options}\n{answer}");
            }
        }
    }
}

#[test]
fn options_that_come_late_are_waited_for() {
    let mut browser =
        page("<select id=b></select><script>setTimeout(() => b.add(new Option('Late', 'l')), 200)</script>");
    let answer = choose(&mut browser, &json!([{ "value": "l" }]));
    assert_eq!(answer["ready"]["field"]["values"], json!(["l"]), "{answer}");
}

#[test]
fn a_list_that_is_none_says_to_click() {
    let mut browser = page("<div id=b role=listbox><div role=option>x</div></div>");
    let answer = choose(&mut browser, &json!([{ "label": "x" }]));
    assert!(answer["unfit"].as_str().unwrap().contains("click it, then click the option"), "{answer}");
}

#[test]
fn file_inputs_are_found_behind_what_hides_them() {
    let mut browser = page("");
    let cases = [
        ("<input id=b type=file multiple>", true),
        ("<label id=b>Upload <input type=file hidden></label>", false),
        ("<div id=b><button>Upload</button><input type=file style='display:none'></div>", false),
    ];
    for (html, multiple) in cases {
        show(&mut browser, html);
        let answer = browser.ask("fileInput", &json!({ "at": { "selector": [["css", ["#b"]]] } }));
        assert_eq!(answer["ready"]["multiple"], multiple, "{html}\n{answer}");
    }
    show(&mut browser, "<button id=b>Upload</button>");
    let answer = browser.ask("fileInput", &json!({ "at": { "selector": [["css", ["#b"]]] } }));
    assert!(answer["unfit"].as_str().unwrap().contains("is no file input"), "{answer}");
}
