//! When a click is over: what it set in motion is seen by whoever looks right after.

use std::time::Instant;

use serde_json::json;
use testkit::site::Response;

use crate::stage::{Stage, on_stage};

/// Clicks the only button of a page whose handler is `handler`.
async fn clicked(stage: &Stage, handler: &str) -> engine::Settled {
    stage
        .show(&format!(
            "<button id=b>Go</button><p id=out></p><script>b.onclick = () => {{ {handler} }}</script>"
        ))
        .await;
    let (clicked, settled) = stage.click("#b").await;
    clicked.unwrap_or_else(|failed| panic!("{handler}: {failed:?}"));
    settled
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_click_changes_is_there_when_it_is_over() {
    let handlers = [
        "out.textContent = 'done'",
        "Promise.resolve().then(() => out.textContent = 'done')",
        "queueMicrotask(() => queueMicrotask(() => out.textContent = 'done'))",
        "requestAnimationFrame(() => out.textContent = 'done')",
        "requestAnimationFrame(() => requestAnimationFrame(() => out.textContent = 'done'))",
        "setTimeout(() => out.textContent = 'done', 0)",
        "setTimeout(() => out.textContent = 'done', 100)",
        "setTimeout(() => out.textContent = 'done', 450)",
        "const { port1, port2 } = new MessageChannel(); port1.onmessage = () => out.textContent = 'done'; port2.postMessage(0)",
        "fetch('/slow?ms=200&body=done').then(response => response.text()).then(text => out.textContent = text)",
        "fetch('/slow?ms=200&body=done&head=now').then(response => response.text()).then(text => out.textContent = text)",
        "const xhr = new XMLHttpRequest(); xhr.open('GET', '/slow?ms=200&body=done'); xhr.onload = () => out.textContent = xhr.responseText; xhr.send()",
        "setTimeout(async () => out.textContent = await (await fetch('/slow?ms=150&body=done')).text(), 300)",
        "fetch('/slow?ms=80&body=x').then(() => fetch('/slow?ms=80&body=done')).then(response => response.text()).then(text => out.textContent = text)",
        "fetch('/slow?ms=50&body=x').then(() => requestAnimationFrame(() => out.textContent = 'done'))",
        "const s = document.createElement('script'); s.src = '/slow?ms=200&type=text/javascript&body=' + encodeURIComponent('out.textContent=\"done\"'); document.head.append(s)",
    ];
    on_stage(async |stage| {
        for handler in handlers {
            let settled = clicked(&stage, handler).await;
            assert_eq!(stage.value("out.textContent").await, "done", "{handler}");
            assert!(!settled.unfinished && !settled.navigated, "{handler}: {settled:?}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_debounce_is_followed_to_its_end() {
    on_stage(async |stage| {
        stage.show("<input id=i><p id=out></p><script>let t; i.oninput = () => { clearTimeout(t); t = setTimeout(async () => out.textContent = await (await fetch('/slow?ms=100&body=' + i.value)).text(), 300) }</script>").await;
        let mark = stage.page.mark();
        let typing = engine::action::Typing::default();
        stage.page.type_text(&crate::stage::target("#i"), "abc", &typing, &crate::stage::scope()).await.unwrap();
        stage.page.settle(&mark, &crate::stage::scope()).await;
        assert_eq!(stage.value("out.textContent").await, "abc");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dialog_is_told_at_once_whenever_it_opens() {
    on_stage(async |stage| {
        for handler in [
            "alert('hi')",
            "setTimeout(() => alert('hi'), 100)",
            "fetch('/slow?ms=100').then(() => alert('hi'))",
            "Promise.resolve().then(() => confirm('hi'))",
        ] {
            let settled = clicked(&stage, handler).await;
            let dialog = settled.dialog.unwrap_or_else(|| panic!("{handler}"));
            assert_eq!(dialog.message, "hi");
            stage.page.answer_dialog(true, None, &crate::stage::scope()).await.unwrap();
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_navigation_is_followed_however_it_begins() {
    let handlers = [
        "location.href = '/there'",
        "location.assign('/there')",
        "setTimeout(() => location.href = '/there', 100)",
        "fetch('/slow?ms=100').then(() => location.href = '/there')",
        "const a = document.createElement('a'); a.href = '/there'; document.body.append(a); a.click()",
        "document.body.innerHTML = '<form action=/there>'; document.forms[0].submit()",
        "location.href = '/slow?ms=400&body=' + encodeURIComponent('<title>there</title>')",
        "location.href = '/redirect?to=/there'",
        "location.href = '/hop'",
    ];
    on_stage(async |stage| {
        stage.site.page("/there", "<title>there</title><p>There");
        stage.site.page("/hop", "<script>location.replace('/there')</script>");
        for handler in handlers {
            let settled = clicked(&stage, handler).await;
            assert!(settled.navigated, "{handler}: {settled:?}");
            assert_eq!(stage.value("document.title").await, "there", "{handler}");
        }
        stage.show("<a id=b href=/there>There</a>").await;
        for _ in 0..10 {
            let (clicked, settled) = stage.click("#b").await;
            clicked.unwrap();
            assert!(settled.navigated, "{settled:?}");
            stage.go("/").await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_navigation_is_not_taken_for_one() {
    let handlers = [
        "location.hash = 'x'",
        "history.pushState(null, '', '/pushed')",
        "location.href = '/no-content'",
        "location.href = '/download'",
        "location.href = 'javascript:void 0'",
    ];
    on_stage(async |stage| {
        for handler in handlers {
            let settled = clicked(&stage, handler).await;
            assert!(!settled.navigated && !settled.unfinished, "{handler}: {settled:?}");
            assert_eq!(stage.value("b.textContent").await, "Go", "{handler}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_never_rest_are_clicked_without_waiting_for_them() {
    let scripts = [
        "setInterval(() => fetch('/poll?' + Math.random()), 30)",
        "(function poll() { fetch('/poll').then(() => setTimeout(poll, 50)) })()",
        "(function poll() { setTimeout(poll, 50) })()",
        "setInterval(() => out.title = Math.random(), 10)",
        "(function draw() { out.style.width = Math.random() + 'px'; requestAnimationFrame(draw) })()",
        "(function draw() { requestAnimationFrame(() => draw()) })()",
        "new EventSource('/events?ms=20').onmessage = event => out.title = event.data",
        "fetch('/drip?ms=50').then(response => response.text())",
        "fetch('/never')",
        "out.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 500, iterations: Infinity })",
    ];
    on_stage(async |stage| {
        stage.site.route("/poll", |_| Response::text("x"));
        for script in scripts {
            stage.show(&format!("<button id=b onclick='document.title=\"clicked\"'>Go</button><p id=out>x</p><script>{script}</script>")).await;
            if script.contains("/poll") {
                stage.site.wait_hits("/poll", 3, std::time::Duration::from_secs(10)).unwrap();
            }
            let (clicked, settled) = stage.click("#b").await;
            clicked.unwrap_or_else(|failed| panic!("{script}: {failed:?}"));
            assert!(!settled.unfinished, "{script}: {settled:?}");
            assert_eq!(stage.value("document.title").await, "clicked", "{script}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_chooser_is_told() {
    on_stage(async |stage| {
        stage.show("<input id=b type=file>").await;
        let (clicked, settled) = stage.click("#b").await;
        clicked.unwrap();
        assert!(settled.chooser, "{settled:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_set_things_in_motion_too() {
    on_stage(async |stage| {
        stage.show("<input id=i autofocus><p id=out></p><script>i.focus(); i.onkeydown = event => setTimeout(() => out.textContent = event.key, 200)</script>").await;
        let mark = stage.page.mark();
        stage.page.press_key(&"Enter".parse().unwrap(), &crate::stage::scope()).await.unwrap();
        stage.page.settle(&mark, &crate::stage::scope()).await;
        assert_eq!(stage.value("out.textContent").await, "Enter");
    })
    .await;
}

/// Prints what each takes, for whoever wants to know: `--success-output final`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plain_clicks_are_over_when_they_are_settled() {
    on_stage(async |stage| {
        stage.show("<button id=b onclick='this.title++'>Go</button>").await;
        for _ in 0..20 {
            let mark = stage.page.mark();
            let began = Instant::now();
            stage
                .page
                .click(&crate::stage::target("#b"), &engine::action::Click::default(), &crate::stage::scope())
                .await
                .unwrap();
            let clicked = began.elapsed();
            let settled = stage.page.settle(&mark, &crate::stage::scope()).await;
            eprintln!("click {clicked:?}, settle {:?}", began.elapsed() - clicked);
            assert!(!settled.unfinished && !settled.navigated);
        }
        assert_eq!(stage.value("b.title").await, json!("20"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_every_click_makes_is_not_taken_for_polling() {
    on_stage(async |stage| {
        stage
            .show("<button id=b>Save</button><p id=out>0</p><script>b.onclick = async () => { await fetch('/slow?ms=150'); out.textContent++ }</script>")
            .await;
        for saved in 1..=5 {
            stage.click("#b").await.0.unwrap();
            assert_eq!(stage.value("out.textContent").await, saved.to_string());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_that_opens_another_tab_leaves_this_one_as_it_is() {
    on_stage(async |stage| {
        stage.site.page("/other", "<title>Other</title>");
        stage.show("<a id=b href=/other target=_blank>Other</a><button id=c onclick='window.open(\"/other\")'>Open</button>").await;
        for selector in ["#b", "#c"] {
            let (clicked, settled) = stage.click(selector).await;
            clicked.unwrap();
            assert!(!settled.navigated && !settled.unfinished, "{selector}: {settled:?}");
        }
        stage.site.wait_hits("/other", 2, std::time::Duration::from_secs(20)).unwrap();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_leaves_while_it_is_waited_for_is_looked_at_anew() {
    on_stage(async |stage| {
        stage.site.page("/there", "<button id=b onclick='document.title=\"clicked\"'>Go</button>");
        stage.show("<button id=b disabled>Go</button><script>setTimeout(() => location.href = '/there', 300)</script>").await;
        stage.click("#b").await.0.unwrap();
        assert_eq!(stage.value("[location.pathname, document.title]").await, json!(["/there", "clicked"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_key_sets_in_motion_in_a_frame_is_waited_for() {
    on_stage(async |stage| {
        stage.site.page("/inner", "<!doctype html><input id=i><p id=out></p><script>i.onkeydown = () => setTimeout(() => out.textContent = 'done', 450)</script>");
        let elsewhere = stage.site.url_on("localhost", "/inner");
        stage.site.page("/middle", &format!("<!doctype html><iframe src='{elsewhere}'></iframe>"));
        let step = "iframe >> internal:control=enter-frame >> ";
        for (src, depth) in [("/inner", 1), (elsewhere.as_str(), 1), ("/middle", 2)] {
            stage.show(&format!("<iframe src='{src}'></iframe>")).await;
            let (clicked, _) = stage.click(&format!("{}#i", step.repeat(depth))).await;
            clicked.unwrap();
            let mark = stage.page.mark();
            stage.page.press_key(&"a".parse().unwrap(), &crate::stage::scope()).await.unwrap();
            stage.page.settle(&mark, &crate::stage::scope()).await;
            let frame = stage.page.state().frames.in_order().last().map(|frame| (*frame).clone()).unwrap();
            assert_eq!(stage.value_in(&frame, "out.textContent").await, "done", "{src}");
        }
    })
    .await;
}
