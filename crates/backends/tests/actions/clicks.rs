//! Clicks and hovers, on pages that do not hold still.

use std::time::Duration;

use engine::action::Click;
use engine::backend::{Modifiers, MouseButton, Point};
use engine::{Failed, Obstacle, RefGone};
use serde_json::json;

use crate::stage::{Stage, brief, on_stage, scope, target};

/// Hears every click.
const HEARD: &str = "<script>window.heard = []; for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick']) \
    addEventListener(type, event => { event.preventDefault(); heard.push([type, event.target.id, event.detail, event.isTrusted].join(' ')) })</script>";

/// Clicks `#b` and gives what was heard.
async fn heard(stage: &Stage, html: &str, how: &Click) -> serde_json::Value {
    stage.show(&format!("{html}{HEARD}")).await;
    let (clicked, _) = stage.click_how("#b", how, &scope()).await;
    clicked.unwrap_or_else(|failed| panic!("{html}: {failed:?}"));
    stage.value("heard").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clicks_are_real_and_as_many_as_asked_for() {
    on_stage(async |stage| {
        let button = "<button id=b>Go</button>";
        let plain = Click::default();
        assert_eq!(heard(&stage, button, &plain).await, json!(["click b 1 true"]));
        let double = Click { count: 2, ..plain.clone() };
        assert_eq!(
            heard(&stage, button, &double).await,
            json!(["click b 1 true", "click b 2 true", "dblclick b 2 true"])
        );
        let right = Click { button: MouseButton::Right, ..plain.clone() };
        let right = heard(&stage, button, &right).await;
        assert!(
            right
                .as_array()
                .unwrap()
                .iter()
                .any(|event| event.as_str().unwrap().starts_with("contextmenu b")),
            "{right}"
        );
        let middle = Click { button: MouseButton::Middle, ..plain };
        assert_eq!(heard(&stage, button, &middle).await, json!(["auxclick b 1 true"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn modifiers_are_keys_that_are_held() {
    on_stage(async |stage| {
        stage
            .show("<button id=b>Go</button><script>window.heard = []; for (const type of ['keydown', 'click', 'keyup']) addEventListener(type, event => heard.push([type, event.key, event.shiftKey, event.altKey].join(' ')))</script>")
            .await;
        let modifiers = Modifiers { shift: true, alt: true, ..Modifiers::default() };
        stage.click_how("#b", &Click { modifiers, ..Click::default() }, &scope()).await.0.unwrap();
        let expected = json!([
            "keydown Alt false true",
            "keydown Shift true true",
            "click  true true",
            "keyup Shift false true",
            "keyup Alt false false"
        ]);
        assert_eq!(stage.value("heard").await, expected);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_position_and_a_delay_are_kept() {
    on_stage(async |stage| {
        stage
            .show("<div id=b style='width:200px;height:100px'></div><script>b.onmousedown = event => { window.at = [event.offsetX, event.offsetY]; window.down = performance.now() }; b.onmouseup = () => window.held = performance.now() - down</script>")
            .await;
        let position = Some(Point { x: 150.0, y: 20.0 });
        let how = Click { position, delay: Duration::from_millis(150), ..Click::default() };
        stage.click_how("#b", &how, &scope()).await.0.unwrap();
        assert_eq!(stage.value("at").await, json!([150, 20]));
        assert!(stage.value("held").await.as_f64().unwrap() >= 140.0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_do_not_hold_still_are_clicked_where_they_should_be() {
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
    on_stage(async |stage| {
        for html in cases {
            let clicks = heard(&stage, html, &Click::default()).await;
            assert!(clicks.to_string().contains("click b 1 true"), "{html}\n{clicks}");
            let on_others = clicks
                .as_array()
                .unwrap()
                .iter()
                .filter(|click| !click.as_str().unwrap().contains(" b "))
                .count();
            assert!(on_others == 0 || html.contains("<label"), "{html}\n{clicks}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_not_be_clicked_says_why_and_what_was_tried() {
    on_stage(async |stage| {
        stage.show("<button id=b>Go</button><div class=modal style='position:fixed;inset:0'>Wait</div>").await;
        let (clicked, _) = stage.click_how("#b", &Click::default(), &brief()).await;
        let Err(Failed::NotActionable { element, obstacle, diary }) = clicked else { panic!("{clicked:?}") };
        assert_eq!(element, "<button id=\"b\">Go</button>");
        assert_eq!(obstacle, Obstacle::Covered { by: "<div class=\"modal\">Wait</div>".to_owned() });
        assert_eq!(diary.len(), 1, "{diary:?}");
        assert!(diary[0].starts_with("0.0 s: visible, enabled, stable, covered by <div class=\"modal\">Wait</div> ×"), "{diary:?}");
        let cases = [
            ("<button id=b disabled>Go</button>", Obstacle::Disabled),
            ("<button id=b hidden>Go</button>", Obstacle::Invisible),
            ("<button id=b style='position:fixed;top:-99px'>Go</button>", Obstacle::OutsideViewport),
            ("<button id=b style='animation:a 20s linear infinite'>Go</button><style>@keyframes a { to { translate: 9000px } }</style>", Obstacle::NotStable),
        ];
        for (html, expected) in cases {
            stage.show(html).await;
            let (clicked, _) = stage.click_how("#b", &Click::default(), &brief()).await;
            assert!(matches!(&clicked, Err(Failed::NotActionable { obstacle, .. }) if *obstacle == expected), "{html}: {clicked:?}");
        }
        stage.show("<button>One</button><button>Two</button>").await;
        let (missing, _) = stage.click_how("#nowhere", &Click::default(), &brief()).await;
        assert!(matches!(missing, Err(Failed::NotFound { .. })), "{missing:?}");
        let (many, _) = stage.click("button").await;
        assert!(matches!(&many, Err(Failed::NotUnique { count: 2, matches, .. }) if matches.len() == 2), "{many:?}");
        let (stale, _) = stage.click("e999").await;
        assert!(matches!(stale, Err(Failed::StaleRef { why: RefGone::Unknown, .. })), "{stale:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn force_clicks_whatever_is_in_the_way() {
    on_stage(async |stage| {
        stage
            .show(&format!("<button id=b>Go</button><div id=o style='position:fixed;inset:0'></div>{HEARD}"))
            .await;
        let how = Click { force: true, ..Click::default() };
        stage.click_how("#b", &how, &scope()).await.0.unwrap();
        assert_eq!(stage.value("heard").await, json!(["click o 1 true"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_element_that_is_always_replaced_under_the_mouse_gets_no_half_click() {
    on_stage(async |stage| {
        stage
            .show("<div id=r></div><script>window.downs = 0; document.addEventListener('pointerdown', () => downs++); function put() { r.innerHTML = '<button id=b style=\"margin-left:' + Math.random() * 9 + 'px\">Go</button>'; b.onmouseenter = () => setTimeout(put, 0); b.onmousemove = put }; put()</script>")
            .await;
        let (clicked, _) = stage.click_how("#b", &Click::default(), &brief()).await;
        assert!(matches!(clicked, Err(Failed::NotActionable { .. })), "{clicked:?}");
        assert_eq!(stage.value("downs").await, 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hovering_shows_what_hovering_shows() {
    on_stage(async |stage| {
        stage
            .show("<style>#m { display: none } #b:hover + #m { display: block }</style><div id=b>Menu</div><div id=m><button id=i onclick='document.title=\"chosen\"'>Item</button></div>")
            .await;
        let hovered = stage.page.hover(&target("#b"), None, Modifiers::default(), false, &scope()).await.unwrap();
        assert_eq!(hovered.element, "<div id=\"b\">Menu</div>");
        assert_eq!(stage.value("getComputedStyle(m).display").await, "block");
        stage.show("<button id=b disabled title=why onmouseover='document.title=\"over\"'>Go</button>").await;
        stage.page.hover(&target("#b"), None, Modifiers::default(), false, &scope()).await.unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_locator_of_what_was_clicked_finds_it_again() {
    on_stage(async |stage| {
        stage.show("<button id=b>Save</button>").await;
        let (clicked, _) = stage.click("#b").await;
        let locator = clicked.unwrap().locator;
        assert_eq!(
            locator.code(engine::locator::Language::TypeScript),
            "getByRole('button', { name: 'Save' })"
        );
        stage.click(&locator.to_string()).await.0.unwrap();
    })
    .await;
}
