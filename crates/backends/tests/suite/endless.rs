//! Scripts without end, wherever they run: every call comes back within its scope, and the context can be closed.

use std::time::Duration;

use base::Deadline;
use engine::page::{Page, WaitUntil};
use engine::snapshot::SnapshotOptions;
use engine::{Condition, ContentKind, ScreenshotOptions};

use crate::case::{Given, at, cases, document, eventually, ms, scope_of, until, usual, value};

/// What a call may take that does not come to its end.
const SHORT: Duration = ms(700);
/// What it may take to come back after that.
const GRACE: Duration = ms(10_000);

/// Every kind of call on a page that answers nothing: each comes back in its time.
async fn all_come_back(t: &Given, page: &Page) {
    let (snapshots, pictures) = (SnapshotOptions::default(), ScreenshotOptions::default());
    let text = Condition::Text("never".to_owned());
    let url = t.site.url("/empty");
    comes_back("snapshot", page.snapshot(&snapshots, &scope_of(SHORT))).await;
    comes_back("count", page.count(&at("p"), &scope_of(SHORT))).await;
    comes_back("content", page.content(None, ContentKind::Text, &scope_of(SHORT))).await;
    comes_back("wait", page.wait(&text, &scope_of(SHORT))).await;
    comes_back("title", page.title(&scope_of(SHORT))).await;
    comes_back("screenshot", page.screenshot(&pictures, &scope_of(SHORT))).await;
    comes_back("evaluate", page.evaluate("1", None, &scope_of(SHORT))).await;
    comes_back("back", page.back(WaitUntil::Load, &scope_of(SHORT))).await;
    comes_back("navigate", page.navigate(&url, WaitUntil::Load, &scope_of(SHORT))).await;
}

/// Whatever it comes to.
async fn comes_back<T>(what: &str, call: impl Future<Output = T>) {
    drop(in_time(what, call).await);
}

async fn in_time<T>(what: &str, call: impl Future<Output = T>) -> T {
    tokio::time::timeout(SHORT + GRACE, call).await.unwrap_or_else(|_| panic!("{what} did not come back"))
}

/// A tab beside the case's page, which is to stay unharmed: its document is there, and perhaps never gets further.
async fn victim(t: &Given, body: &str) -> Page {
    opened(t, body, WaitUntil::Commit).await
}

/// The same with everything in its document.
async fn whole_victim(t: &Given, body: &str) -> Page {
    opened(t, body, WaitUntil::Load).await
}

async fn opened(t: &Given, body: &str, until: WaitUntil) -> Page {
    t.show("<p>unharmed</p>").await;
    t.site.page("/victim", &document(body));
    let (_, page) = t.another(usual(), None).await;
    page.navigate(&t.site.url("/victim"), until, &t.scope()).await.unwrap();
    page
}

/// A page whose script has begun not to end; `body` says so by a beacon.
async fn looping(t: &Given, body: &str) -> Page {
    let page = victim(t, body).await;
    t.asked("/looping", 1).await;
    page
}

/// A page that loops as soon as it is there.
const LOOPS: &str =
    "<p>x</p><script>setTimeout(() => { navigator.sendBeacon('/looping'); for (;;) {} })</script>";

cases! {
    "a loop while the page loads" => |t| {
        let page = looping(t, "<p>x</p><script>navigator.sendBeacon('/looping'); for (;;) {}</script>").await;
        all_come_back(t, &page).await;
        assert_eq!(t.value("1").await, 1);
    }
    "a loop in a timer" => |t| {
        let page = looping(t, "<p>x</p><script>setTimeout(() => { navigator.sendBeacon('/looping'); for (;;) {} }, 50)</script>").await;
        all_come_back(t, &page).await;
        assert_eq!(t.value("1").await, 1);
    }
    "a loop of microtasks" => |t| {
        let page = looping(t, "<p>x</p><script>const again = () => Promise.resolve().then(again); setTimeout(() => { navigator.sendBeacon('/looping'); again() })</script>").await;
        all_come_back(t, &page).await;
    }
    "a loop in an event handler" => |t| {
        let page = whole_victim(t, "<button id=b onclick='for (;;) {}'>x</button>").await;
        in_time("click", page.evaluate("() => document.querySelector('#b').click()", None, &scope_of(SHORT))).await.unwrap_err();
        assert_eq!(value(&page, "1 + 1").await, 2);
    }
    "a loop in a script of the agent's ends with its call" => |t| {
        let page = whole_victim(t, "<p>x</p>").await;
        in_time("evaluate", page.evaluate("for (;;) {}", None, &scope_of(SHORT))).await.unwrap_err();
        assert_eq!(value(&page, "2").await, 2);
        assert_eq!(page.count(&at("p"), &t.scope()).await.unwrap().total, 1);
    }
    "a loop in a condition of the agent's ends with its call" => |t| {
        let page = whole_victim(t, "<p>x</p>").await;
        let condition = Condition::Function("for (;;) {}".to_owned());
        in_time("wait", page.wait(&condition, &scope_of(SHORT))).await.unwrap_err();
        assert_eq!(value(&page, "2").await, 2);
    }
    "a getter that never ends, in a value of the agent's" => |t| {
        let page = whole_victim(t, "<p>x</p>").await;
        in_time("evaluate", page.evaluate("({ get a() { for (;;) {} } })", None, &scope_of(SHORT))).await.unwrap_err();
        assert_eq!(value(&page, "2").await, 2);
    }
    "a loop in a worker disturbs nobody" => |t| {
        t.site.route("/w.js", |_| testkit::site::Response::bytes("text/javascript", "postMessage(1); for (;;) {}"));
        let page = whole_victim(t, "<p>x</p><script>new Worker('/w.js').onmessage = () => { window.heard = 1 }</script>").await;
        until(&page, "window.heard === 1").await;
        assert_eq!(page.count(&at("p"), &t.scope()).await.unwrap().total, 1);
        page.navigate(&t.site.url("/empty"), WaitUntil::Load, &t.scope()).await.unwrap();
    }
    "a loop in a frame of the same site" => |t| {
        let page = looping(t, "<p>x</p><iframe srcdoc='<script>setTimeout(() => { navigator.sendBeacon(`/looping`); for (;;) {} })</script>'></iframe>").await;
        all_come_back(t, &page).await;
    }
    "a loop in a frame of another site" => |t| {
        t.site.page("/loop", LOOPS);
        let there = t.site.url_on("localhost", "/loop");
        let page = looping(t, &format!("<p>x</p><iframe src='{there}'></iframe>")).await;
        all_come_back(t, &page).await;
    }
    "a frame of another site in a loop hides nothing that the page shows later" => |t| {
        t.site.page("/loop", LOOPS);
        let there = t.site.url_on("localhost", "/loop");
        let page = looping(t, &format!("<p>x</p><iframe src='{there}'></iframe>")).await;
        page.evaluate("() => { setTimeout(() => document.body.append('Later'), 1500) }", None, &t.scope()).await.unwrap();
        page.wait(&Condition::Text("Later".to_owned()), &t.scope()).await.unwrap();
    }
    "a page in a loop holds up no other" => |t| {
        looping(t, LOOPS).await;
        let scope = scope_of(ms(5000));
        assert_eq!(t.page.evaluate("1 + 1", None, &scope).await.unwrap(), 2);
        assert_eq!(t.page.count(&at("p"), &scope).await.unwrap().total, 1);
        t.page.snapshot(&SnapshotOptions::default(), &scope).await.unwrap();
    }
    "a page that builds itself without end is read all the same" => |t| {
        let page = whole_victim(t, "<script>setInterval(() => document.body.append(document.createElement('i')), 1)</script><p>x</p>").await;
        assert_eq!(page.count(&at("p"), &t.scope()).await.unwrap().total, 1);
        page.snapshot(&SnapshotOptions::default(), &t.scope()).await.unwrap();
    }
    "a page that navigates itself without end" => |t| {
        let page = victim(t, "<p>x</p><script>setTimeout(() => location.reload(), 30)</script>").await;
        t.asked("/victim", 5).await;
        comes_back("snapshot", page.snapshot(&SnapshotOptions::default(), &scope_of(SHORT))).await;
        comes_back("evaluate", page.evaluate("1", None, &scope_of(SHORT))).await;
        comes_back("count", page.count(&at("p"), &scope_of(SHORT))).await;
        t.site.page("/victim", &document("<p>rest</p>"));
        let rest = Condition::Text("rest".to_owned());
        page.wait(&rest, &t.scope()).await.unwrap();
    }
    "a page that opens frames without end" => |t| {
        let page = whole_victim(t, "<p>x</p><script>let n = 0; setInterval(() => { if (++n < 300) document.body.append(document.createElement('iframe')) }, 2)</script>").await;
        comes_back("snapshot", page.snapshot(&SnapshotOptions::default(), &scope_of(SHORT))).await;
        assert_eq!(page.count(&at("p"), &t.scope()).await.unwrap().total, 1);
    }
    "a page that changes its address without end" => |t| {
        let page = whole_victim(t, "<p>x</p><script>let n = 0; setInterval(() => history.replaceState(0, '', '?' + ++n), 20)</script>").await;
        until(&page, "location.search.length > 2").await;
        assert_eq!(page.count(&at("p"), &t.scope()).await.unwrap().total, 1);
        page.snapshot(&SnapshotOptions::default(), &t.scope()).await.unwrap();
    }
    "a page in a loop is left by a navigation to another site" => |t| {
        let page = looping(t, LOOPS).await;
        let there = t.site.url_on("localhost", "/empty");
        page.navigate(&there, WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(value(&page, "location.hostname").await, "localhost");
    }
    "a page in a loop is left by a navigation in the same site" => |t| {
        let page = looping(t, LOOPS).await;
        page.navigate(&t.site.url("/empty"), WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(value(&page, "location.pathname").await, "/empty");
    }
    "a page in a loop is closed like any" => |t| {
        t.show("<p>unharmed</p>").await;
        let (context, page) = t.another(usual(), None).await;
        t.site.page("/victim", "<script>for (;;) {}</script>");
        page.navigate(&t.site.url("/victim"), WaitUntil::Commit, &t.scope()).await.unwrap();
        assert!(context.close_page(Some(0), &t.scope()).await.unwrap());
        assert!(context.pages().is_empty());
    }
    "a context with a page in a loop is closed like any" => |t| {
        t.show("<p>unharmed</p>").await;
        let (context, page) = t.another(usual(), None).await;
        t.site.page("/victim", "<script>for (;;) {}</script>");
        page.navigate(&t.site.url("/victim"), WaitUntil::Commit, &t.scope()).await.unwrap();
        let deadline = Deadline::after(ms(8000));
        context.close(deadline).await;
        assert!(!deadline.has_passed());
        eventually("the page to be closed", || (page.state().life == engine::page::Life::Closed).then_some(())).await;
        assert_eq!(t.value("1").await, 1);
    }
    "a call that is cancelled in the middle of a loop comes back at once" => |t| {
        let page = whole_victim(t, "<p>x</p>").await;
        let scope = t.scope();
        let cancel = async {
            t.asked("/looping", 1).await;
            scope.cancel_token().cancel();
        };
        let looping = page.evaluate("navigator.sendBeacon('/looping'); for (;;) {}", None, &scope);
        let (told, ()) = tokio::join!(looping, cancel);
        assert!(told.is_err());
        assert_eq!(value(&page, "3").await, 3);
    }
}
