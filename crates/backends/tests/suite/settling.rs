//! When a click is over: what it set in motion is seen by whoever looks right after.

use serde_json::json;
use testkit::site::Response;

use crate::case::{Given, at, cases};

/// Clicks the only button of a page whose handler is `handler`.
async fn clicked(t: &Given, handler: &str) -> engine::Settled {
    t.show(&format!(
        "<button id=b>Go</button><p id=out></p><script>b.onclick = () => {{ {handler} }}</script>"
    ))
    .await;
    let (clicked, settled) = t.click("#b").await;
    clicked.unwrap_or_else(|failed| panic!("{handler}: {failed:?}"));
    settled
}

cases! {
    "what a click changes is there when it is over" => |t| {
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
        for handler in handlers {
            let settled = clicked(t, handler).await;
            assert_eq!(t.value("out.textContent").await, "done", "{handler}");
            assert!(!settled.unfinished && !settled.navigated, "{handler}: {settled:?}");
        }
    }
    "what is asked right after a click is not asked before it" => |t| {
        t.show("<button id=b>Go</button><script>let n = 0; b.onclick = () => document.title = ++n</script>").await;
        for clicks in 1..=30 {
            let (clicked, settled) = t.click("#b").await;
            clicked.unwrap();
            let title = settled.title.as_ref().map(|(_, title)| title.as_str());
            assert_eq!(title, Some(clicks.to_string().as_str()), "{settled:?}");
        }
    }
    "a debounce is followed to its end" => |t| {
        t.show("<input id=i><p id=out></p><script>let t; i.oninput = () => { clearTimeout(t); t = setTimeout(async () => out.textContent = await (await fetch('/slow?ms=100&body=' + i.value)).text(), 300) }</script>").await;
        let mark = t.page.mark();
        let typing = engine::action::Typing::default();
        t.page.type_text(&at("#i"), "abc", &typing, &t.scope()).await.unwrap();
        t.page.settle(&mark, &t.scope()).await;
        assert_eq!(t.value("out.textContent").await, "abc");
    }
    "a dialog is told at once whenever it opens" => |t| {
        for handler in [
            "alert('hi')",
            "setTimeout(() => alert('hi'), 100)",
            "fetch('/slow?ms=100').then(() => alert('hi'))",
            "Promise.resolve().then(() => confirm('hi'))",
        ] {
            let settled = clicked(t, handler).await;
            let dialog = settled.dialog.unwrap_or_else(|| panic!("{handler}"));
            assert_eq!(dialog.message, "hi");
            t.page.answer_dialog(true, None, &t.scope()).await.unwrap();
        }
    }
    "a navigation is followed however it begins" => |t| {
        let handlers = [
            "location.href = '/there'",
            "location.assign('/there')",
            "setTimeout(() => location.href = '/there', 100)",
            "fetch('/slow?ms=100').then(() => location.href = '/there')",
            "const a = document.createElement('a'); a.href = '/there'; document.body.append(a); a.click()",
            "const a = document.createElement('a'); a.href = '/there'; a.click()",
            "document.body.innerHTML = '<form action=/there>'; document.forms[0].submit()",
            "location.href = '/slow?ms=400&body=' + encodeURIComponent('<title>there</title>')",
            "location.href = '/redirect?to=/there'",
            "location.href = '/hop'",
        ];
        t.site.page("/there", "<title>there</title><p>There");
        t.site.page("/hop", "<script>location.replace('/there')</script>");
        for handler in handlers {
            let settled = clicked(t, handler).await;
            assert!(settled.navigated, "{handler}: {settled:?}");
            assert_eq!(t.value("document.title").await, "there", "{handler}");
        }
        t.show("<a id=b href=/there>There</a>").await;
        for _ in 0..10 {
            let (clicked, settled) = t.click("#b").await;
            clicked.unwrap();
            assert!(settled.navigated, "{settled:?}");
            t.open("/").await;
        }
    }
    "what is no navigation is not taken for one" => |t| {
        let handlers = [
            "location.hash = 'x'",
            "history.pushState(null, '', '/pushed')",
            "location.href = '/no-content'",
            "location.href = '/download'",
            "location.href = 'javascript:void 0'",
        ];
        for handler in handlers {
            let settled = clicked(t, handler).await;
            assert!(!settled.navigated && !settled.unfinished, "{handler}: {settled:?}");
            assert_eq!(t.value("b.textContent").await, "Go", "{handler}");
        }
        t.show("<a id=b href=/there onclick='event.preventDefault(); history.pushState(null, null, this.href)'>There</a>").await;
        let (clicked, settled) = t.click("#b").await;
        clicked.unwrap();
        assert!(!settled.navigated && !settled.unfinished, "{settled:?}");
        assert_eq!(t.value("location.pathname").await, "/there");
    }
    "pages that never rest are clicked without waiting for them" => |t| {
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
        t.site.route("/poll", |_| Response::text("x"));
        for script in scripts {
            let before = t.site.hits("/poll");
            t.show(&format!("<button id=b onclick='document.title=\"clicked\"'>Go</button><p id=out>x</p><script>{script}</script>")).await;
            if script.contains("/poll") {
                t.asked("/poll", before + 3).await;
            }
            let (clicked, settled) = t.click("#b").await;
            clicked.unwrap_or_else(|failed| panic!("{script}: {failed:?}"));
            assert!(!settled.unfinished, "{script}: {settled:?}");
            assert_eq!(t.value("document.title").await, "clicked", "{script}");
        }
    }
    "a file chooser is told" => |t| {
        t.show("<input id=b type=file>").await;
        let (clicked, settled) = t.click("#b").await;
        clicked.unwrap();
        assert!(settled.chooser, "{settled:?}");
    }
    "keys set things in motion too" => |t| {
        t.show("<input id=i autofocus><p id=out></p><script>i.focus(); i.onkeydown = event => setTimeout(() => out.textContent = event.key, 200)</script>").await;
        let mark = t.page.mark();
        t.page.press_key(&"Enter".parse().unwrap(), &t.scope()).await.unwrap();
        t.page.settle(&mark, &t.scope()).await;
        assert_eq!(t.value("out.textContent").await, "Enter");
    }
    "plain clicks are over when they are settled" => |t| {
        t.show("<button id=b onclick='this.title++'>Go</button>").await;
        for _ in 0..20 {
            let (clicked, settled) = t.click("#b").await;
            clicked.unwrap();
            assert!(!settled.unfinished && !settled.navigated);
        }
        assert_eq!(t.value("b.title").await, json!("20"));
    }
    "a request that every click makes is not taken for polling" => |t| {
        t.show("<button id=b>Save</button><p id=out>0</p><script>b.onclick = async () => { await fetch('/slow?ms=150'); out.textContent++ }</script>").await;
        for saved in 1..=5 {
            t.click("#b").await.0.unwrap();
            assert_eq!(t.value("out.textContent").await, saved.to_string());
        }
    }
    "a click that opens another tab leaves this one as it is" => |t| {
        t.site.page("/other", "<title>Other</title>");
        t.show("<a id=b href=/other target=_blank>Other</a><button id=c onclick='window.open(\"/other\")'>Open</button>").await;
        for selector in ["#b", "#c"] {
            let (clicked, settled) = t.click(selector).await;
            clicked.unwrap();
            assert!(!settled.navigated && !settled.unfinished, "{selector}: {settled:?}");
        }
        t.asked("/other", 2).await;
    }
    "a page that leaves while it is waited for is looked at anew" => |t| {
        t.site.page("/there", "<button id=b onclick='document.title=\"clicked\"'>Go</button>");
        t.show("<button id=b disabled>Go</button><script>setTimeout(() => location.href = '/there', 300)</script>").await;
        t.click("#b").await.0.unwrap();
        assert_eq!(t.value("[location.pathname, document.title]").await, json!(["/there", "clicked"]));
    }
    "what a key sets in motion in a frame is waited for" => |t| {
        t.site.page("/inner", "<!doctype html><input id=i><p id=out></p><script>i.onkeydown = () => setTimeout(() => out.textContent = 'done', 450)</script>");
        let elsewhere = t.site.url_on("localhost", "/inner");
        t.site.page("/middle", &format!("<!doctype html><iframe src='{elsewhere}'></iframe>"));
        let step = "iframe >> internal:control=enter-frame >> ";
        for (src, depth) in [("/inner", 1), (elsewhere.as_str(), 1), ("/middle", 2)] {
            t.show(&format!("<iframe src='{src}'></iframe>")).await;
            let (clicked, _) = t.click(&format!("{}#i", step.repeat(depth))).await;
            clicked.unwrap();
            let mark = t.page.mark();
            t.page.press_key(&"a".parse().unwrap(), &t.scope()).await.unwrap();
            t.page.settle(&mark, &t.scope()).await;
            assert_eq!(t.value_within(&step.repeat(depth), "out.textContent").await, "done", "{src}");
        }
    }
}
