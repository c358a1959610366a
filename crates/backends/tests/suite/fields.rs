//! Writing, filling, choosing, pressing.

use std::time::Duration;

use base::CallScope;
use engine::action::{Choose, FieldValue, Typing};
use engine::{Failed, Obstacle};
use serde_json::json;

use crate::case::{Given, at, brief, cases};

const HEARD: &str = "<script>window.heard = []; for (const type of ['keydown', 'beforeinput', 'input', 'change', 'submit']) \
    addEventListener(type, event => { if (type === 'submit') event.preventDefault(); heard.push(type) }, true)</script>";

async fn typed(t: &Given, html: &str, text: &str, how: &Typing) -> serde_json::Value {
    t.show(&format!("{html}{HEARD}")).await;
    t.page
        .type_text(&at("#b"), text, how, &t.scope())
        .await
        .unwrap_or_else(|failed| panic!("{html}: {failed:?}"));
    t.value("b.isContentEditable ? b.innerText : (b.value ?? b.querySelector('input').value)").await
}

async fn filled(
    t: &Given,
    html: &str,
    value: FieldValue,
    scope: CallScope,
) -> Result<serde_json::Value, Failed> {
    t.show(html).await;
    t.page.fill_field(&at("#b"), &value, &scope).await?;
    Ok(t.value("b.type === 'checkbox' || b.type === 'radio' ? b.checked : b.value ?? b.textContent").await)
}

fn text(text: &str) -> FieldValue {
    FieldValue::Text(text.to_owned())
}

cases! {
    "texts are written at once as if pasted" => |t| {
        let at_once = Typing::default();
        let append = Typing { append: true, ..Typing::default() };
        let cases = [
            ("<input id=b>", "hello", &at_once, "hello"),
            ("<input id=b value=old>", "new", &at_once, "new"),
            ("<input id=b value=old>", "new", &append, "oldnew"),
            ("<input id=b value=old>", "", &at_once, ""),
            ("<input id=b value=old>", "", &append, "old"),
            ("<input id=b>", "two\nlines", &at_once, "twolines"),
            ("<input id=b>", "ünï 😀 漢字", &at_once, "ünï 😀 漢字"),
            ("<input id=b type=password>", "secret", &at_once, "secret"),
            ("<input id=b type=number>", "12.5", &at_once, "12.5"),
            ("<input id=b type=date>", "2026-03-31", &at_once, "2026-03-31"),
            ("<textarea id=b>old</textarea>", "one\r\ntwo", &at_once, "one\ntwo"),
            ("<textarea id=b>one</textarea>", "\ntwo", &append, "one\ntwo"),
            ("<div id=b contenteditable>old</div>", "new", &at_once, "new"),
            ("<div id=b contenteditable>old</div>", " new", &append, "old new"),
            ("<div id=b contenteditable='plaintext-only'></div>", "one\ntwo", &at_once, "one\ntwo"),
            ("<label id=b>Name <input></label>", "Ann", &at_once, "Ann"),
            ("<input id=b maxlength=3>", "abcdef", &at_once, "abc"),
        ];
        for (html, text, how, expected) in cases {
            assert_eq!(typed(t, html, text, how).await, expected, "{html} {text:?}");
        }
        typed(t, "<input id=b value=old>", "new", &at_once).await;
        assert_eq!(t.value("heard").await, json!(["beforeinput", "input"]));
        typed(t, "<input id=b value=old>", "", &at_once).await;
        assert_eq!(t.value("heard").await, json!(["keydown", "beforeinput", "input"]));
        typed(t, "<form><input id=b></form>", "x", &Typing { submit: true, ..Typing::default() }).await;
        let heard = t.value("heard.filter(type => type !== 'beforeinput')").await;
        assert_eq!(heard, json!(["input", "keydown", "change", "submit"]));
    }
    "texts are written key by key when asked" => |t| {
        let slowly = Typing { delay: Some(Duration::from_millis(5)), ..Typing::default() };
        assert_eq!(typed(t, "<input id=b value=old>", "aB!é", &slowly).await, "aB!é");
        assert_eq!(t.value("heard.filter(type => type === 'keydown').length").await, 3, "é has no key");
        assert_eq!(typed(t, "<textarea id=b></textarea>", "a\nb", &slowly).await, "a\nb");
        typed(t, "<form><input id=b></form>", "a\n", &slowly).await;
        assert_eq!(t.value("heard.includes('submit')").await, true);
    }
    "a controlled field keeps what is written" => |t| {
        // As React does it: the value is put back to the state after every event, and the state follows the tracked value.
        let html = "<input id=b><script>const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let known = '', state = '';\
            Object.defineProperty(b, 'value', { get() { return own.get.call(this) }, set(value) { known = value; own.set.call(this, value) } });\
            document.addEventListener('input', () => { const now = own.get.call(b); if (now !== known) { known = now; state = now.toUpperCase() } b.value = state })</script>";
        assert_eq!(typed(t, html, "abc", &Typing::default()).await, "ABC");
        let slowly = Typing { delay: Some(Duration::ZERO), ..Typing::default() };
        assert_eq!(typed(t, html, "xyz", &slowly).await, "XYZ");
    }
    "every field of a form is filled in its own way" => |t| {
        let list = "<select id=b><option value=a>Apple</option><option value=p>Pear</option></select>";
        let cases = [
            ("<input id=b>", text("x"), json!("x")),
            ("<textarea id=b></textarea>", text("x\ny"), json!("x\ny")),
            ("<input id=b type=date>", text("2026-03-31"), json!("2026-03-31")),
            ("<input id=b type=time>", text("14:30"), json!("14:30")),
            ("<input id=b type=month>", text("2026-03"), json!("2026-03")),
            ("<input id=b type=week>", text("2026-W13"), json!("2026-W13")),
            ("<input id=b type=datetime-local>", text("2026-03-31T14:30"), json!("2026-03-31T14:30")),
            ("<input id=b type=color>", text("#3366ff"), json!("#3366ff")),
            ("<input id=b type=range>", text("70"), json!("70")),
            ("<input id=b type=number>", text("7"), json!("7")),
            ("<input id=b type=checkbox>", FieldValue::Checked(true), json!(true)),
            ("<input id=b type=checkbox checked>", FieldValue::Checked(true), json!(true)),
            ("<input id=b type=checkbox checked>", FieldValue::Checked(false), json!(false)),
            ("<input id=b type=checkbox>", text("true"), json!(true)),
            ("<input id=b type=radio>", FieldValue::Checked(true), json!(true)),
            ("<input id=b type=checkbox style='display:none'><label for=b>Yes</label>", FieldValue::Checked(true), json!(true)),
            ("<div id=b role=switch aria-checked=false onclick='this.setAttribute(\"aria-checked\", true); this.textContent = \"on\"'>off</div>", FieldValue::Checked(true), json!("on")),
            (
                "<div id=b role=checkbox onclick='setTimeout(() => { this.ariaChecked = true; this.textContent = \"on\" }, 200)'>off</div>",
                FieldValue::Checked(true),
                json!("on"),
            ),
            (list, text("Pear"), json!("p")),
            (list, FieldValue::Options(vec![Choose::Index(1)]), json!("p")),
            ("<div id=b contenteditable></div>", text("x"), json!("x")),
        ];
        for (html, value, expected) in cases {
            assert_eq!(filled(t, html, value, t.scope()).await.unwrap_or_else(|failed| panic!("{html}: {failed:?}")), expected, "{html}");
        }
    }
    "what does not fit a field is refused with what does" => |t| {
        let cases = [
            ("<input id=b type=date>", text("tomorrow"), "takes a date as 2026-03-31"),
            ("<input id=b type=file>", text("a.txt"), "takes files; use file_upload"),
            ("<input id=b type=radio checked>", FieldValue::Checked(false), "check another of its group"),
            ("<input id=b type=checkbox>", text("maybe"), "give true or false"),
            ("<input id=b>", FieldValue::Checked(true), "is no checkbox"),
            (
                "<input id=b type=checkbox onclick='return false'>",
                FieldValue::Checked(true),
                "is still unchecked",
            ),
            ("<select id=b><option>A</option></select>", text("B"), "has no option \"B\"; it has \"A\""),
            (
                "<div id=b role=listbox>x</div>",
                FieldValue::Options(vec![Choose::Index(0)]),
                "click it, then click the option",
            ),
            ("<button id=b>x</button>", text("x"), "is a button; click it"),
        ];
        for (html, value, expected) in cases {
            let refused = filled(t, html, value, brief()).await;
            let Err(Failed::Unfit { why, .. }) = &refused else { panic!("{html}: {refused:?}") };
            assert!(why.contains(expected), "{html}: {why}");
        }
        let refused = filled(t, "<input id=b readonly>", text("x"), brief()).await;
        assert!(
            matches!(refused, Err(Failed::NotActionable { obstacle: Obstacle::NotEditable, .. })),
            "{refused:?}"
        );
    }
    "options are chosen and told" => |t| {
        t.show("<select id=b multiple><option value=a>Apple<option value=p>Pear<option value=q>Quince</select>").await;
        let options = [Choose::Value("a".to_owned()), Choose::Label("Quince".to_owned())];
        let (_, chosen) = t.page.select_option(&at("#b"), &options, false, &t.scope()).await.unwrap();
        assert_eq!(chosen, ["a", "q"]);
    }
    "keys go where the focus is" => |t| {
        t.show("<input id=b value=abc><script>b.focus(); b.select()</script>").await;
        for chord in ["Delete", "x", "Shift+y", "Control+a", "z"] {
            t.page.press_key(&chord.parse().unwrap(), &t.scope()).await.unwrap();
        }
        assert_eq!(t.value("b.value").await, "z");
        t.page.press_keys("hello World", &t.scope()).await.unwrap();
        assert_eq!(t.value("b.value").await, "zhello World");
    }
}
