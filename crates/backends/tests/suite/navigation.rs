//! Going somewhere: how far it is waited for, what servers answer, and what keeps a page from arriving.

use engine::page::{Interruption, LoadState, NavigationRefused, WaitUntil};
use testkit::site::Response;

use crate::case::{Given, at, cases, document, ms, scope_of};

/// What comes of a path within so many milliseconds.
pub(crate) async fn within(
    t: &Given,
    path: &str,
    until: WaitUntil,
    limit: u64,
) -> Result<engine::page::Arrival, NavigationRefused> {
    t.page.navigate(&t.site.url(path), until, &scope_of(ms(limit))).await
}

/// Checks that a navigation comes to nothing, and that the next one does not.
pub(crate) async fn fails(t: &Given, url: &str) {
    let refused = t.page.navigate(url, WaitUntil::Load, &t.scope()).await;
    let Err(NavigationRefused::Failed { url: told, reason }) = refused else { panic!("{refused:?}") };
    assert_eq!(told, url);
    assert!(!reason.is_empty());
    t.show("<h1>Next</h1>").await;
    assert_eq!(t.count("h1").await.total, 1);
}

cases! {
    "a page is there with its address, status and title" => |t| {
        t.site.page("/a", "<title>A page</title>");
        let arrival = t.go("/a?q=1#part", WaitUntil::Load).await.unwrap();
        assert_eq!(arrival.url, t.site.url("/a?q=1#part"));
        assert_eq!((arrival.status, arrival.status_text.as_str()), (Some(200), "OK"));
        assert_eq!(arrival.state, LoadState::Loaded);
        assert!(!arrival.same_document && !arrival.download);
        assert_eq!(t.page.title(&t.scope()).await, "A page");
        assert_eq!(t.page.url(), arrival.url);
    }
    "commit waits for the document only" => |t| {
        t.site.route("/a", |_| Response::drip("text/html", "<p>more</p>", ms(50), None));
        let arrival = t.go("/a", WaitUntil::Commit).await.unwrap();
        assert_eq!(arrival.status, Some(200));
        assert_eq!(arrival.state, LoadState::Committed);
    }
    "domcontentloaded does not wait for pictures" => |t| {
        t.site.page("/a", &document("<p>text</p><img src='/never'>"));
        let arrival = t.go("/a", WaitUntil::DomContentLoaded).await.unwrap();
        assert_eq!(arrival.state, LoadState::DomContentLoaded);
        assert_eq!(t.count("p").await.total, 1);
    }
    "domcontentloaded waits for scripts in the text" => |t| {
        t.site.page("/a", &document("<script src='/slow?ms=300&type=text/javascript&body=window.ran=1'></script>"));
        t.go("/a", WaitUntil::DomContentLoaded).await.unwrap();
        assert_eq!(t.value("window.ran").await, 1);
    }
    "load waits for pictures, styles and frames" => |t| {
        t.site.page("/in", "<p>in</p>");
        t.site.page("/a", &document("<link rel=stylesheet href='/slow?ms=200&type=text/css&body=p{color:red}'>
            <img src='/slow?ms=300&type=image/png'><iframe src='/slow?ms=400'></iframe><p>x</p>"));
        let arrival = t.go("/a", WaitUntil::Load).await.unwrap();
        assert_eq!(arrival.state, LoadState::Loaded);
        assert_eq!(t.value("getComputedStyle(document.querySelector('p')).color").await, "rgb(255, 0, 0)");
        assert_eq!(t.count("frameLocator('iframe').locator('h1')").await.total, 1);
    }
    "networkidle waits for what scripts ask for after load" => |t| {
        t.site.page("/a", &document("<script>onload = () => fetch('/slow?ms=300').then(() => fetch('/slow?ms=301')).then(() => { window.all = 1 })</script>"));
        t.go("/a", WaitUntil::NetworkIdle).await.unwrap();
        assert_eq!(t.value("window.all").await, 1);
    }
    "networkidle is not kept by streams" => |t| {
        t.site.page("/a", &document("<script>new EventSource('/events'); new WebSocket(`ws://${location.host}/ws`)</script>"));
        t.go("/a", WaitUntil::NetworkIdle).await.unwrap();
    }
    "networkidle of a page that polls without end runs out of time, loaded" => |t| {
        t.site.page("/a", &document("<script>const poll = () => fetch('/slow?ms=2000').then(poll); poll(); setTimeout(poll, 1000)</script>"));
        let refused = within(t, "/a", WaitUntil::NetworkIdle, 6000).await;
        let Err(NavigationRefused::Unfinished { reached, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!(reached, LoadState::Loaded);
        assert_eq!(t.value("1").await, 1);
    }
    "a chain of redirects ends at its end" => |t| {
        let arrival = t.go("/redirects/5", WaitUntil::Load).await.unwrap();
        assert_eq!((arrival.url, arrival.status), (t.site.url("/redirects/0"), Some(200)));
    }
    "every kind of redirect is followed" => |t| {
        for code in [301, 302, 303, 307, 308] {
            let arrival = t.go(&format!("/redirect?to=/status/418&code={code}"), WaitUntil::Load).await.unwrap();
            assert_eq!((arrival.url, arrival.status), (t.site.url("/status/418"), Some(418)), "{code}");
        }
    }
    "a redirect to another site is followed" => |t| {
        let there = t.site.url_on("localhost", "/empty");
        let arrival = t.go(&format!("/redirect?to={there}"), WaitUntil::Load).await.unwrap();
        assert_eq!((arrival.url, arrival.status), (there, Some(200)));
    }
    "a redirect keeps the fragment" => |t| {
        let arrival = t.go("/redirect?to=/empty#here", WaitUntil::Load).await.unwrap();
        assert_eq!(arrival.url, t.site.url("/empty#here"));
    }
    "redirects without end come to nothing" => |t| {
        t.site.route("/loop", |_| Response::redirect("/loop"));
        fails(t, &t.site.url("/loop")).await;
    }
    "errors of the server are arrivals with their status" => |t| {
        for code in [400, 403, 404, 410, 429, 500, 502, 503] {
            let arrival = t.go(&format!("/status/{code}"), WaitUntil::Load).await.unwrap();
            assert_eq!(arrival.status, Some(code));
            assert_eq!(t.value("document.title").await, code.to_string());
        }
    }
    "an error without a body is an arrival, too" => |t| {
        t.site.route("/bare", |_| Response::status(404));
        let arrival = t.go("/bare", WaitUntil::Load).await;
        assert!(matches!(&arrival, Ok(arrival) if arrival.status == Some(404)) || matches!(arrival, Err(NavigationRefused::Failed { .. })), "{arrival:?}");
        t.show("<h1>Next</h1>").await;
    }
    "a refresh in the page's head is followed by the next wait" => |t| {
        t.site.page("/b", "<title>b</title>");
        t.site.page("/a", "<meta http-equiv=refresh content='0; url=/b'><title>a</title>");
        t.go("/a", WaitUntil::Load).await.unwrap();
        t.until("document.title === 'b'").await;
        assert_eq!(t.page.url(), t.site.url("/b"));
    }
    "a page that replaces itself while it loads is followed to its end" => |t| {
        t.site.page("/b", "<title>b</title>");
        t.site.page("/a", "<script>location.replace('/b')</script>");
        let arrival = t.go("/a", WaitUntil::Load).await.unwrap();
        assert_eq!(arrival.url, t.site.url("/b"));
    }
    "a page that goes on while it loads is followed through several" => |t| {
        for (from, to) in [("/a", "/b"), ("/b", "/c"), ("/c", "/d")] {
            t.site.page(from, &format!("<script>location.href = '{to}'</script>"));
        }
        t.site.page("/d", "<title>d</title>");
        t.go("/a", WaitUntil::Load).await.unwrap();
        t.until("document.title === 'd'").await;
    }
    "a page that submits a form while it loads is followed" => |t| {
        t.site.route("/b", |request| Response::html(&format!("<title>{} {}</title>", request.method, request.text())));
        t.site.page("/a", "<form id=f method=post action='/b'><input name=n value=v></form><script>f.submit()</script>");
        t.go("/a", WaitUntil::Load).await.unwrap();
        t.until("document.title === 'POST n=v'").await;
    }
    "a navigation that another one replaces comes back" => |t| {
        t.show("<h1>Here</h1>").await;
        let second = async {
            t.asked("/never", 1).await;
            t.go("/empty", WaitUntil::Load).await
        };
        let (first, second) = tokio::join!(t.go("/never", WaitUntil::Load), second);
        assert_eq!(second.unwrap().url, t.site.url("/empty"));
        assert!(!matches!(first, Err(NavigationRefused::Interrupted(Interruption::TimedOut))), "{first:?}");
    }
    "a cancelled call comes back at once" => |t| {
        let scope = t.scope();
        let cancel = async {
            t.asked("/never", 1).await;
            scope.cancel_token().cancel();
        };
        let url = t.site.url("/never");
        let (refused, ()) = tokio::join!(t.page.navigate(&url, WaitUntil::Load, &scope), cancel);
        assert_eq!(refused, Err(NavigationRefused::Interrupted(Interruption::Cancelled)));
    }
    "a fragment changes the address and not the document" => |t| {
        t.show("<h1 id=part>Here</h1><script>window.kept = 1</script>").await;
        let arrival = t.go("/#part", WaitUntil::Load).await.unwrap();
        assert!(arrival.same_document);
        assert_eq!(arrival.url, t.site.url("/#part"));
        assert_eq!(t.value("window.kept").await, 1);
    }
    "the same address without a fragment is loaded anew" => |t| {
        t.show("<script>window.kept = 1</script>").await;
        t.value("window.kept = 2").await;
        let arrival = t.go("/", WaitUntil::Load).await.unwrap();
        assert!(!arrival.same_document);
        assert_eq!(t.value("window.kept").await, 1);
    }
    "a script's fragment is the page's address" => |t| {
        t.show("").await;
        t.value("location.hash = 'there'").await;
        let url = t.site.url("/#there");
        t.seen(|state| (state.frames.top().url == url).then_some(())).await;
    }
    "a script's history entries are the page's address" => |t| {
        t.show("").await;
        t.value("history.pushState({}, '', '/pushed')").await;
        let (pushed, replaced) = (t.site.url("/pushed"), t.site.url("/replaced"));
        t.seen(|state| (state.frames.top().url == pushed).then_some(())).await;
        t.value("history.replaceState({}, '', '/replaced')").await;
        t.seen(|state| (state.frames.top().url == replaced).then_some(())).await;
        assert_eq!(t.site.hits("/pushed") + t.site.hits("/replaced"), 0);
    }
    "a blank page is an arrival without a status" => |t| {
        t.show("<h1>Here</h1>").await;
        let arrival = t.page.navigate("about:blank", WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!((arrival.url.as_str(), arrival.status), ("about:blank", None));
        assert_eq!(t.value("document.body.children.length").await, 0);
    }
    "a data: page is shown" => |t| {
        let arrival = t.page.navigate("data:text/html,<title>d</title><h1>Data</h1>", WaitUntil::Load, &t.scope()).await.unwrap();
        assert!(arrival.url.starts_with("data:text/html"));
        assert_eq!(t.count("h1").await.total, 1);
    }
    "a page behind a password answers 401 and does not hang" => |t| {
        let arrival = t.go("/auth", WaitUntil::Load).await.unwrap();
        assert_eq!(arrival.status, Some(401));
        t.open("/empty").await;
    }
    "a password in the address opens the page" => |t| {
        let url = t.site.url("/auth").replace("http://", "http://user:password@");
        let arrival = t.page.navigate(&url, WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(arrival.status, Some(200));
    }
    "a very large text of many lines is loaded whole" => |t| {
        let line = format!("{}\n", "x".repeat(79));
        t.site.route("/lines", move |_| Response::text(&line.repeat(25_000)));
        t.open("/lines").await;
        assert_eq!(t.value("document.body.textContent.length").await, 2_000_000);
    }
    "a very large text is loaded whole" => |t| {
        t.open("/big?mb=4").await;
        assert_eq!(t.value("document.body.innerText.length").await, 4_000_000);
    }
    "a page of fifty thousand elements is loaded whole" => |t| {
        t.site.page("/a", &document(&"<p>x</p>".repeat(50_000)));
        t.open("/a").await;
        assert_eq!(t.count("p").await.total, 50_000);
    }
    "texts in old encodings are read right" => |t| {
        t.site.route("/a", |_| Response::bytes("text/html; charset=iso-8859-1", b"<p id=p>caf\xe9</p>".to_vec()));
        t.site.route("/b", |_| Response::bytes("text/html", b"<meta charset=windows-1251><p id=p>\xcf\xf0\xe8\xe2\xe5\xf2</p>".to_vec()));
        t.site.route("/c", |_| Response::bytes("text/html", "\u{feff}<p id=p>日本</p>"));
        for (path, text) in [("/a", "café"), ("/b", "Привет"), ("/c", "日本")] {
            t.open(path).await;
            assert_eq!(t.of("#p", "el => el.textContent").await.unwrap(), text);
        }
    }
    "an address with odd characters is the page's" => |t| {
        t.site.page("/%C3%A4%20b", "<title>odd</title>");
        let arrival = t.page.navigate(&t.site.url("/ä b"), WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(arrival.url, t.site.url("/%C3%A4%20b"));
    }
    "plain text, JSON and pictures are pages, too" => |t| {
        for path in ["/cookie", "/echo", "/image.png"] {
            let arrival = t.go(path, WaitUntil::Load).await.unwrap();
            assert_eq!(arrival.status, Some(200), "{path}");
        }
    }
    "a page that stops its own loading is there" => |t| {
        t.site.page("/a", &document("<h1>Stopped</h1><script>stop()</script>"));
        t.go("/a", WaitUntil::Load).await.unwrap();
        assert_eq!(t.page.evaluate("el => 1", Some(&at("h1")), &t.scope()).await.unwrap(), 1);
    }
    "fifty navigations in a row arrive" => |t| {
        for number in 0..50 {
            let arrival = t.go(&format!("/status/{}", 200 + number % 3), WaitUntil::Load).await.unwrap();
            assert_eq!(arrival.status, Some(200 + number % 3));
        }
    }
}
