//! Clicks and hovers, on pages that do not hold still.

use std::time::Duration;

use engine::action::Click;
use engine::backend::{Modifiers, Point};
use engine::{Failed, Obstacle, RefGone};
use serde_json::json;

use crate::case::{Given, at, brief, cases};

/// Hears every click.
const HEARD: &str = "<script>window.heard = []; for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick']) \
    addEventListener(type, event => { event.preventDefault(); heard.push([type, event.target.id, event.detail, event.isTrusted].join(' ')) })</script>";

/// Clicks `#b` and gives what was heard.
async fn heard(t: &Given, html: &str, how: &Click) -> serde_json::Value {
    t.show(&format!("{html}{HEARD}")).await;
    let (clicked, _) = t.click_how("#b", how, &t.scope()).await;
    clicked.unwrap_or_else(|failed| panic!("{html}: {failed:?}"));
    t.value("heard").await
}

cases! {
    "modifiers are keys that are held" => |t| {
        t.show("<button id=b>Go</button><script>window.heard = []; for (const type of ['keydown', 'mousedown', 'click', 'keyup']) addEventListener(type, event => heard.push([type, event.key, event.shiftKey, event.altKey].join(' ')))</script>").await;
        let modifiers = Modifiers { shift: true, alt: true, ..Modifiers::default() };
        t.click_how("#b", &Click { modifiers, ..Click::default() }, &t.scope()).await.0.unwrap();
        let expected = json!([
            "keydown Alt false true",
            "keydown Shift true true",
            "mousedown  true true",
            "click  true true",
            "keyup Shift false true",
            "keyup Alt false false"
        ]);
        assert_eq!(t.value("heard").await, expected);
    }
    "a position and a delay are kept" => |t| {
        t.show("<div id=b style='width:200px;height:100px'></div><script>b.onmousedown = event => { window.at = [event.offsetX, event.offsetY]; window.down = performance.now() }; b.onmouseup = () => window.held = performance.now() - down</script>").await;
        let position = Some(Point { x: 150.0, y: 20.0 });
        let how = Click { position, delay: Duration::from_millis(150), ..Click::default() };
        t.click_how("#b", &how, &t.scope()).await.0.unwrap();
        assert_eq!(t.value("at").await, json!([150, 20]));
        assert!(t.value("held").await.as_f64().unwrap() >= 140.0);
    }
    "pages that do not hold still are clicked where they should be" => |t| {
        let cases = [
            "<button id=b hidden>Go</button><script>setTimeout(() => b.hidden = false, 300)</script>",
            "<button id=b disabled>Go</button><script>setTimeout(() => b.disabled = false, 300)</script>",
            "<button id=b>Go</button><div id=m style='position:fixed;inset:0;background:#0008'></div><script>setTimeout(() => m.remove(), 300)</script>",
            "<div id=r></div><script>setTimeout(() => r.innerHTML = '<button id=b>Go</button>', 300)</script>",
            "<button id=b style='position:absolute;left:0;transition:left 300ms'>Go</button><script>setTimeout(() => b.style.left = '500px', 0)</script>",
            "<button id=b style='position:absolute;left:0'>Go</button><script>let x = 0; const t = setInterval(() => { b.style.left = (x += 20) + 'px'; if (x > 400) clearInterval(t) }, 16)</script>",
            // Replaced by an equal one when the mouse comes over it.
            "<div id=r><button id=b onmouseenter='replace()'>Go</button></div><script>let done; function replace() { if (!done) { done = true; r.innerHTML = '<button id=b>Go</button>' } }</script>",
            // Pushed down when the mouse comes over it.
            "<div id=p style='height:0'></div><button id=b onmouseenter='p.style.height=\"200px\"'>Go</button>",
            // Something flies over it at the very last moment, and goes away.
            "<button id=b onmouseenter='cover()'>Go</button><script>let done; function cover() { if (done) return; done = true; const o = document.createElement('div'); o.style = 'position:fixed;inset:0'; document.body.append(o); setTimeout(() => o.remove(), 200) }</script>",
            "<header style='position:sticky;top:0;height:300px;background:red'></header><div style='height:2000px'></div><button id=b>Go</button><div style='height:2000px'></div>",
            "<div style='height:100px;overflow:auto'><div style='height:1000px'></div><button id=b>Go</button></div>",
            "<x-b><template shadowrootmode=open><slot></slot></template><button id=b>Go</button></x-b>",
            "<label id=l><input id=b type=checkbox style='opacity:0;position:absolute'><span>Yes</span></label>",
        ];
        for html in cases {
            let clicks = heard(t, html, &Click::default()).await;
            assert!(clicks.to_string().contains("click b 1 true"), "{html}\n{clicks}");
            let on_others = clicks
                .as_array()
                .unwrap()
                .iter()
                .filter(|click| !click.as_str().unwrap().contains(" b "))
                .count();
            assert!(on_others == 0 || html.contains("<label"), "{html}\n{clicks}");
        }
    }
    "what can not be clicked says why and what was tried" => |t| {
        t.show("<button id=b>Go</button><div class=modal style='position:fixed;inset:0'>Wait</div>").await;
        let (clicked, _) = t.click_how("#b", &Click::default(), &brief()).await;
        let Err(Failed::NotActionable { element, obstacle, diary }) = clicked else { panic!("{clicked:?}") };
        assert_eq!(element, "<button id=\"b\">Go</button>");
        assert_eq!(obstacle, Obstacle::Covered { by: "<div class=\"modal\">Wait</div>".to_owned() });
        assert_eq!(diary.len(), 1, "{diary:?}");
        let (_, tried) = diary[0].split_once(" s: ").unwrap();
        assert!(tried.starts_with("visible, enabled, stable, covered by <div class=\"modal\">Wait</div> ×"), "{diary:?}");
        let cases = [
            ("<button id=b disabled>Go</button>", Obstacle::Disabled),
            ("<button id=b hidden>Go</button>", Obstacle::Invisible),
            ("<button id=b style='position:fixed;top:-99px'>Go</button>", Obstacle::OutsideViewport),
            ("<button id=b style='animation:a 20s linear infinite'>Go</button><style>@keyframes a { to { translate: 9000px } }</style>", Obstacle::NotStable),
        ];
        for (html, expected) in cases {
            t.show(html).await;
            let (clicked, _) = t.click_how("#b", &Click::default(), &brief()).await;
            assert!(matches!(&clicked, Err(Failed::NotActionable { obstacle, .. }) if *obstacle == expected), "{html}: {clicked:?}");
        }
        t.show("<button>One</button><button>Two</button>").await;
        let (missing, _) = t.click_how("#nowhere", &Click::default(), &brief()).await;
        assert!(matches!(missing, Err(Failed::NotFound { .. })), "{missing:?}");
        let (many, _) = t.click("button").await;
        assert!(matches!(&many, Err(Failed::NotUnique { count: 2, matches, .. }) if matches.len() == 2), "{many:?}");
        let (stale, _) = t.click("e999").await;
        assert!(matches!(stale, Err(Failed::StaleRef { why: RefGone::Unknown, .. })), "{stale:?}");
    }
    "force clicks whatever is in the way" => |t| {
        t.show(&format!("<button id=b>Go</button><div id=o style='position:fixed;inset:0'></div>{HEARD}")).await;
        let how = Click { force: true, ..Click::default() };
        t.click_how("#b", &how, &t.scope()).await.0.unwrap();
        assert_eq!(t.value("heard").await, json!(["click o 1 true"]));
    }
    "an element that is always replaced under the mouse gets no half click" => |t| {
        t.show("<div id=r></div><script>window.downs = 0; document.addEventListener('pointerdown', () => downs++); function put() { r.innerHTML = '<button id=b style=\"margin-left:' + Math.random() * 9 + 'px\">Go</button>'; b.onmouseenter = () => setTimeout(put, 0); b.onmousemove = put }; put()</script>").await;
        let (clicked, _) = t.click_how("#b", &Click::default(), &brief()).await;
        assert!(matches!(clicked, Err(Failed::NotActionable { .. })), "{clicked:?}");
        assert_eq!(t.value("downs").await, 0);
    }
    "hovering shows what hovering shows" => |t| {
        t.show("<style>#m { display: none } #b:hover + #m { display: block }</style><div id=b>Menu</div><div id=m><button id=i onclick='document.title=\"chosen\"'>Item</button></div>").await;
        let hovered = t.page.hover(&at("#b"), None, Modifiers::default(), false, &t.scope()).await.unwrap();
        assert_eq!(hovered.element, "<div id=\"b\">Menu</div>");
        assert_eq!(t.value("getComputedStyle(m).display").await, "block");
        t.show("<button id=b disabled title=why onmouseover='document.title=\"over\"'>Go</button>").await;
        t.page.hover(&at("#b"), None, Modifiers::default(), false, &t.scope()).await.unwrap();
    }
    "the locator of what was clicked finds it again" => |t| {
        t.show("<button id=b>Save</button>").await;
        let (clicked, _) = t.click("#b").await;
        let locator = clicked.unwrap().locator;
        assert_eq!(
            locator.code(engine::locator::Language::TypeScript),
            "getByRole('button', { name: 'Save' })"
        );
        t.click(&locator.to_string()).await.0.unwrap();
    }
}
