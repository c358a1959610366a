//! What hands do: real events, in their order, to the element that was meant.

use base::Deadline;
use engine::Failed;
use engine::action::{Click, Typing};
use engine::backend::{Modifiers, MouseButton};
use engine::context::Context;
use engine::page::WaitUntil;
use serde_json::{Value, json};

use crate::case::{Given, at, cases, ms, scope_of, usual, value};

const NONE: Modifiers = Modifiers { alt: false, control: false, meta: false, shift: false };

/// Hears what the mouse does, and tells it without what follows a move by itself.
const HEARD: &str = "<script>window.heard = []; \
    for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick']) \
    addEventListener(type, event => { event.preventDefault(); heard.push([type, event.target.id, event.detail, event.isTrusted].join(' ')) })</script>";

/// Clicks `#b` of a page, and gives what was heard.
async fn heard(t: &Given, html: &str, how: &Click) -> Vec<String> {
    t.show(&format!("{html}{HEARD}")).await;
    t.page.click(&at("#b"), how, &t.scope()).await.unwrap_or_else(|failed| panic!("{html}: {failed:?}"));
    told(&t.value("heard").await)
}

fn told(heard: &Value) -> Vec<String> {
    heard.as_array().unwrap().iter().map(|event| event.as_str().unwrap().to_owned()).collect()
}

/// Presses a key in `#i`, and has the page tell of it.
async fn heard_keys(t: &Given, key: &str) {
    t.value("window.heard = [], onkeydown = event => { heard.push(event.key + ' ' + event.shiftKey) }, i.focus(), 0").await;
    t.page.press_key(&key.parse().unwrap(), &t.scope()).await.unwrap();
}

cases! {
    "a click is a move, a press and a release" => |t| {
        let heard = heard(t, "<button id=b>Go</button>", &Click::default()).await;
        let pressed = heard.iter().position(|event| event.starts_with("mousedown")).unwrap();
        assert!(heard[..pressed].iter().any(|event| event.starts_with("mousemove b")), "{heard:?}");
        let rest: Vec<_> = heard.iter().filter(|event| !event.starts_with("mousemove")).collect();
        assert_eq!(rest, ["mousedown b 1 true", "mouseup b 1 true", "click b 1 true"]);
    }
    "a double click is two clicks, and two clicks are none" => |t| {
        let double = Click { count: 2, ..Click::default() };
        let clicks = |heard: Vec<String>| -> Vec<_> { heard.into_iter().filter(|event| event.contains("click")).collect() };
        let twice = clicks(heard(t, "<button id=b>Go</button>", &double).await);
        assert_eq!(twice, ["click b 1 true", "click b 2 true", "dblclick b 2 true"]);
        heard(t, "<button id=b>Go</button>", &Click::default()).await;
        for _ in 0..2 {
            t.page.click(&at("#b"), &Click::default(), &t.scope()).await.unwrap();
        }
        assert_eq!(clicks(told(&t.value("heard").await)), ["click b 1 true"; 3]);
    }
    "the other buttons open menus, and are heard" => |t| {
        let right = Click { button: MouseButton::Right, ..Click::default() };
        let right = heard(t, "<button id=b>Go</button>", &right).await;
        assert!(right.iter().any(|event| event.starts_with("contextmenu b")), "{right:?}");
        let middle = Click { button: MouseButton::Middle, ..Click::default() };
        let middle = heard(t, "<button id=b>Go</button>", &middle).await;
        assert!(middle.contains(&"auxclick b 1 true".to_owned()), "{middle:?}");
        assert!(!middle.iter().any(|event| event.starts_with("click")), "{middle:?}");
    }
    "a button is held as long as was asked for" => |t| {
        t.show("<button id=b>Go</button><script>addEventListener('mousedown', event => window.down = event.timeStamp); addEventListener('mouseup', event => window.held = event.timeStamp - down)</script>").await;
        t.page.click(&at("#b"), &Click { delay: ms(150), ..Click::default() }, &t.scope()).await.unwrap();
        assert!(t.value("held").await.as_f64().unwrap() >= 100.0);
    }
    "an element that is replaced when the mouse comes is clicked all the same" => |t| {
        t.show("<div id=r></div><script>window.clicked = 0; let left = 2; function put() { r.innerHTML = '<button id=b onclick=\"clicked++\">Go</button>'; b.onmousemove = () => { if (left-- > 0) put(); } }; put()</script>").await;
        t.page.click(&at("#b"), &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(t.value("clicked").await, 1);
    }
    "an element that always goes away from the mouse gets no half click" => |t| {
        t.show("<div id=r></div><script>window.downs = 0; document.addEventListener('pointerdown', () => downs++); function put() { r.innerHTML = '<button id=b style=\"margin-left:' + Math.random() * 9 + 'px\">Go</button>'; b.onmouseenter = () => setTimeout(put, 0); b.onmousemove = put }; put()</script>").await;
        let clicked = t.page.click(&at("#b"), &Click::default(), &scope_of(ms(1500))).await;
        assert!(matches!(clicked, Err(Failed::NotActionable { .. } | Failed::Interrupted(_))), "{clicked:?}");
        assert_eq!(t.value("downs").await, 0);
    }
    "what covers an element when the mouse comes is not clicked instead" => |t| {
        t.show("<button id=b onclick='window.clicked = true'>Go</button><div id=o hidden style='position:fixed;inset:0' onmousedown='window.wrong = true'></div><script>b.onmousemove = () => { o.hidden = false; setTimeout(() => { o.remove() }, 300) }</script>").await;
        t.page.click(&at("#b"), &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(t.value("[window.clicked, !!window.wrong]").await, json!([true, false]));
    }
    "a click that the page was too busy for does not spoil the next" => |t| {
        t.show("<button id=b onmousedown='const end = Date.now() + (window.busy ? 1500 : 0); while (Date.now() < end);' onclick='window.clicked = (window.clicked || 0) + 1'>Go</button><script>window.busy = true</script>").await;
        // Whatever it comes to: the page stands still for longer than that.
        drop(t.page.click(&at("#b"), &Click::default(), &scope_of(ms(500))).await);
        t.until("window.busy = false, true").await;
        let before = t.value("window.clicked || 0").await.as_u64().unwrap();
        t.page.click(&at("#b"), &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(t.value("window.clicked").await, before + 1);
    }
    "other sessions that come and go move no mouse here" => |t| {
        t.show("<style>#m { display: none } #b:hover + #m { display: block }</style><div id=b>Menu</div><div id=m>Item</div>").await;
        t.page.hover(&at("#b"), None, NONE, false, &t.scope()).await.unwrap();
        t.value("window.heard = [], ['mousemove', 'mouseleave'].forEach(type => document.documentElement.addEventListener(type, event => heard.push([type, event.clientX, event.clientY].join(' ')))), 0").await;
        for _ in 0..3 {
            let other = Context::open(&*t.browser, usual(), None).await.unwrap();
            other.page(&t.scope()).await.unwrap();
            other.close(Deadline::after(ms(5000))).await;
        }
        t.evaluate("new Promise(done => setTimeout(done, 100))").await.unwrap();
        assert_eq!(t.value("[heard, getComputedStyle(m).display]").await, json!([[], "block"]));
    }
    "other sessions that come and go take no focus" => |t| {
        t.show("<input id=i><script>window.heard = []; for (const type of ['focus', 'blur', 'visibilitychange']) window.addEventListener(type, event => heard.push(event.type), true)</script>").await;
        t.page.click(&at("#i"), &Click::default(), &t.scope()).await.unwrap();
        t.value("heard.length = 0").await;
        for _ in 0..3 {
            let other = Context::open(&*t.browser, usual(), None).await.unwrap();
            let page = other.page(&t.scope()).await.unwrap();
            value(&page, "document.body.innerHTML = '<input autofocus id=o>', o.focus(), 0").await;
            page.click(&at("#o"), &Click::default(), &t.scope()).await.unwrap();
            t.page.press_key(&"KeyA".parse().unwrap(), &t.scope()).await.unwrap();
            page.press_key(&"KeyB".parse().unwrap(), &t.scope()).await.unwrap();
            assert_eq!(value(&page, "[document.hasFocus(), o.value]").await, json!([true, "b"]));
            other.close(Deadline::after(ms(5000))).await;
        }
        t.evaluate("new Promise(done => setTimeout(done, 100))").await.unwrap();
        assert_eq!(t.value("[document.hasFocus(), i.value, heard]").await, json!([true, "aaa", []]));
    }
    "what other sessions select takes no selection away" => |t| {
        let field = "<input id=i value=old><script>i.select()</script>";
        t.show(field).await;
        for _ in 0..3 {
            let other = Context::open(&*t.browser, usual(), None).await.unwrap();
            let page = other.page(&t.scope()).await.unwrap();
            page.navigate(&t.site.url("/"), WaitUntil::Load, &t.scope()).await.unwrap();
            page.click(&at("#i"), &Click { count: 2, ..Click::default() }, &t.scope()).await.unwrap();
            assert_eq!(value(&page, "[i.selectionStart, i.selectionEnd]").await, json!([0, 3]));
            other.close(Deadline::after(ms(5000))).await;
        }
        t.evaluate("new Promise(done => setTimeout(done, 100))").await.unwrap();
        assert_eq!(t.value("[i.selectionStart, i.selectionEnd]").await, json!([0, 3]));
    }
    "a thing is dragged by the mouse, through moves" => |t| {
        t.show("<div id=a style='position:absolute;left:0;top:0;width:50px;height:50px;background:red'></div><div id=z style='position:absolute;left:300px;top:300px;width:100px;height:100px'></div>\
            <script>let held; window.moves = 0; a.onpointerdown = () => held = true; onpointermove = event => { if (held) { moves++; a.style.left = event.clientX - 25 + 'px'; a.style.top = event.clientY - 25 + 'px' } }; onpointerup = () => held = false</script>").await;
        t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
        assert_eq!(t.value("[a.style.left, a.style.top]").await, json!(["325px", "325px"]));
        assert!(t.value("moves").await.as_u64().unwrap() >= 2);
    }
    "a dialog that a press opens is told, and the page goes on" => |t| {
        t.show("<button id=b onmousedown='document.title = confirm(\"Sure?\")'>Go</button>").await;
        let clicked = t.page.click(&at("#b"), &Click::default(), &t.scope()).await;
        assert!(matches!(clicked, Ok(_) | Err(Failed::Interrupted(_))), "{clicked:?}");
        t.seen(|state| state.dialogs.last().cloned()).await;
        t.page.answer_dialog(true, None, &t.scope()).await.unwrap();
        t.until("document.title === 'true'").await;
    }
    "keys are pressed, heard and released, and write" => |t| {
        t.show("<input id=i><script>window.heard = []; for (const type of ['keydown', 'input', 'keyup']) i.addEventListener(type, event => heard.push(type + ' ' + (event.key ?? event.data)))</script>").await;
        let slowly = Typing { delay: Some(ms(1)), ..Typing::default() };
        t.page.type_text(&at("#i"), "aB", &slowly, &t.scope()).await.unwrap();
        assert_eq!(t.value("i.value").await, "aB");
        let heard = told(&t.value("heard").await);
        assert_eq!(heard.iter().filter(|event| event.starts_with("input")).collect::<Vec<_>>(), ["input a", "input B"]);
        assert!(heard.contains(&"keydown a".to_owned()) && heard.contains(&"keyup B".to_owned()), "{heard:?}");
    }
    "what can't be seen is scrolled to, and what is disabled is waited for" => |t| {
        t.show("<div style='height:3000px'></div><button id=b disabled onclick='window.clicked = scrollY > 0'>Go</button><script>setTimeout(() => b.disabled = false, 300)</script>").await;
        t.page.click(&at("#b"), &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(t.value("window.clicked").await, true);
    }
    "a key that a click held is let go of when the click opens a dialog" => |t| {
        t.show("<button id=b onclick='confirm(\"Sure?\")'>Go</button><input id=i>").await;
        let modifiers = Modifiers { shift: true, ..NONE };
        drop(t.page.click(&at("#b"), &Click { modifiers, ..Click::default() }, &t.scope()).await);
        t.seen(|state| state.dialogs.last().cloned()).await;
        t.page.answer_dialog(true, None, &t.scope()).await.unwrap();
        heard_keys(t, "KeyA").await;
        assert_eq!(t.value("[i.value, heard]").await, json!(["a", ["a false"]]));
    }
    "a key that a click held is let go of when the page was too busy for it" => |t| {
        t.show("<button id=b onmousedown='const end = Date.now() + 1500; while (Date.now() < end);'>Go</button><input id=i>").await;
        let modifiers = Modifiers { shift: true, ..NONE };
        drop(t.page.click(&at("#b"), &Click { modifiers, ..Click::default() }, &scope_of(ms(500))).await);
        heard_keys(t, "KeyA").await;
        assert_eq!(t.value("[i.value, heard]").await, json!(["a", ["a false"]]));
    }
    "a button that is held when the time is over is let go of" => |t| {
        t.show(&format!("<button id=b>Go</button><p id=c>Elsewhere</p>{HEARD}")).await;
        let held = Click { delay: ms(5000), ..Click::default() };
        t.page.click(&at("#b"), &held, &scope_of(ms(1000))).await.unwrap_err();
        // Nor is it held any more when the mouse moves again; it may have run out of time before it was pressed.
        t.page.hover(&at("#c"), None, NONE, false, &t.scope()).await.unwrap();
        let count = |kind: &str| format!("heard.filter(event => event.startsWith('{kind}')).length");
        let presses = t.value(&format!("[{}, {}]", count("mousedown"), count("mouseup"))).await;
        assert!(presses == json!([1, 1]) || presses == json!([0, 0]), "{presses}");
        t.value("heard.length = 0").await;
        t.page.click(&at("#b"), &Click::default(), &t.scope()).await.unwrap();
        let heard = told(&t.value("heard").await);
        let rest: Vec<_> = heard.iter().filter(|event| !event.starts_with("mousemove")).collect();
        assert_eq!(rest, ["mousedown b 1 true", "mouseup b 1 true", "click b 1 true"]);
    }
    "a button that is held when a dialog opens is let go of" => |t| {
        t.show(&format!("<button id=a onmousedown='confirm(\"Sure?\")'>Go</button><button id=b>Stay</button>{HEARD}")).await;
        let held = Click { delay: ms(200), modifiers: Modifiers { shift: true, ..NONE }, ..Click::default() };
        drop(t.page.click(&at("#a"), &held, &t.scope()).await);
        t.seen(|state| state.dialogs.last().cloned()).await;
        t.page.answer_dialog(true, None, &t.scope()).await.unwrap();
        t.value("heard.length = 0, addEventListener('mousemove', event => window.held ??= event.buttons), 0").await;
        t.page.click(&at("#b"), &Click::default(), &t.scope()).await.unwrap();
        let heard = told(&t.value("heard").await);
        let rest: Vec<_> = heard.iter().filter(|event| event.contains(" b ") && !event.starts_with("mousemove")).collect();
        assert_eq!(rest, ["mousedown b 1 true", "mouseup b 1 true", "click b 1 true"], "{heard:?}");
        assert_eq!(t.value("held").await, 0, "{heard:?}");
        t.show("<input id=i>").await;
        heard_keys(t, "KeyA").await;
        assert_eq!(t.value("heard").await, json!(["a false"]));
    }
    "a drag that the page was too busy for is let go of" => |t| {
        t.show("<div id=a style='position:absolute;left:0;top:0;width:50px;height:50px;background:red'></div><div id=z style='position:absolute;left:300px;top:300px;width:100px;height:100px'></div><p id=c style='position:absolute;left:500px;top:0'>Elsewhere</p>\
            <script>window.ups = 0; window.downs = 0; a.onpointerdown = () => { downs++; const end = Date.now() + 1500; while (Date.now() < end); }; onpointerup = () => ups++; onpointermove = event => window.held = event.buttons</script>").await;
        drop(t.page.drag(&at("#a"), &at("#z"), NONE, &scope_of(ms(700))).await);
        t.page.hover(&at("#c"), None, NONE, false, &t.scope()).await.unwrap();
        // It may have run out of time before it began.
        assert_eq!(t.value("[ups - downs, held]").await, json!([0, 0]));
    }
    "a key that the page was too busy for does not spoil the next" => |t| {
        t.show("<input id=i autofocus onkeydown='const end = Date.now() + (window.busy ? 1500 : 0); while (Date.now() < end);'><script>window.busy = true; i.focus()</script>").await;
        drop(t.page.press_key(&"KeyA".parse().unwrap(), &scope_of(ms(500))).await);
        // Not waited for: the page has still to do with the first one, if that came to it at all.
        t.page.press_key(&"KeyB".parse().unwrap(), &t.scope()).await.unwrap();
        let written = t.value("window.busy = false, i.value").await;
        assert!(written == "ab" || written == "b", "{written}");
        t.page.press_key(&"KeyC".parse().unwrap(), &t.scope()).await.unwrap();
        assert_eq!(t.value("i.value").await, format!("{}c", written.as_str().unwrap()));
    }
}
