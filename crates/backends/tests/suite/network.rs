//! Requests and responses: what is told of them, their bodies, and what keeps a page busy.

use engine::backend::ResourceKind;
use engine::page::{Exchange, Outcome, WaitUntil};
use serde_json::json;
use testkit::site::Response;

use crate::case::{Given, at, cases, document, ms};

/// Waits until the newest request whose address has this part is over, and gives it. `/` is the document's own: the browser may
/// have asked for an icon since.
async fn over(t: &Given, part: &str) -> Exchange {
    let document = t.site.url("/");
    let asks = |url: &str| if part == "/" { url == document } else { url.contains(part) };
    let ended = |exchange: &&Exchange| asks(&exchange.request.url) && exchange.outcome != Outcome::Pending;
    t.seen(|state| state.network.exchanges().iter().rev().find(ended).cloned()).await
}

/// Waits until a request whose address has this part was sent.
async fn sent(t: &Given, part: &str) -> Exchange {
    t.seen(|state| {
        state.network.exchanges().iter().find(|exchange| exchange.request.url.contains(part)).cloned()
    })
    .await
}

/// Waits until nothing is under way; the document's own end may be told a little after what it is about.
async fn idle(t: &Given) {
    t.seen(|state| (state.network.in_flight() == 0).then_some(())).await;
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// The response body of the request whose address has this part.
async fn body(t: &Given, part: &str) -> Vec<u8> {
    let index = over(t, part).await.index;
    t.page.response_body(index, &t.scope()).await.unwrap().unwrap()
}

cases! {
    "a document's request and its answer are told" => |t| {
        t.show("").await;
        let exchange = over(t, "/").await;
        assert_eq!((exchange.request.method.as_str(), exchange.request.kind), ("GET", ResourceKind::Document));
        assert_eq!(exchange.request.url, t.site.url("/"));
        assert!(exchange.request.navigation.is_some() && !exchange.request.has_body && !exchange.request.redirected);
        let response = exchange.response.unwrap();
        assert_eq!((response.status, response.status_text.as_str(), response.mime.as_str()), (200, "OK", "text/html"));
        assert!(!response.from_cache);
        assert!(matches!(exchange.outcome, Outcome::Done { .. }));
    }
    "every kind of resource is told as what it is" => |t| {
        for (path, media, content) in [("/s.css", "text/css", "p{}"), ("/s.js", "text/javascript", "1"), ("/f.woff2", "font/woff2", "x")] {
            t.site.route(path, move |_| Response::bytes(media, content));
        }
        t.show("<link rel=stylesheet href='/s.css'><script src='/s.js'></script><img src='/image.png'><iframe src='/empty'></iframe>
            <style>@font-face { font-family: F; src: url('/f.woff2') } p { font-family: F }</style><p>x</p>
            <script>fetch('/echo?fetch'); const x = new XMLHttpRequest(); x.open('GET', '/echo?xhr'); x.send()</script>").await;
        for (part, kind) in [
            ("/s.css", ResourceKind::Stylesheet), ("/s.js", ResourceKind::Script), ("/image.png", ResourceKind::Image),
            ("/f.woff2", ResourceKind::Font), ("/empty", ResourceKind::Document), ("/echo?fetch", ResourceKind::Fetch), ("/echo?xhr", ResourceKind::Xhr),
        ] {
            assert_eq!(over(t, part).await.request.kind, kind, "{part}");
        }
    }
    "numbers are given in order and stay" => |t| {
        t.show("<script>fetch('/echo?1').then(() => fetch('/echo?2'))</script>").await;
        let (first, second) = (over(t, "/echo?1").await, over(t, "/echo?2").await);
        assert!(first.index < second.index);
        assert_eq!(t.page.state().network.by_index(first.index).unwrap().request.url, first.request.url);
    }
    "a redirect is two requests" => |t| {
        t.show("").await;
        t.value("fetch('/redirect?to=%2Fecho').then(r => r.status)").await;
        let last = over(t, "/echo").await;
        assert!(last.request.redirected);
        let (first, response) = {
            let state = t.page.state();
            let first = state.network.exchanges().iter().find(|exchange| exchange.request.url.contains("/redirect?")).unwrap();
            (first.outcome.clone(), first.response.clone())
        };
        assert_eq!(first, Outcome::Redirected);
        let response = response.unwrap();
        assert_eq!(response.status, 302);
        assert_eq!(header(&response.headers, "location"), Some("/echo"));
    }
    "a redirect behind a password has headers of its own, and so has what it leads to" => |t| {
        t.site.route("/locked", |request| match request.header("authorization") {
            Some(_) => Response::redirect("/echo?locked"),
            None => Response::html("<h1>Who are you?</h1>").with_status(401).header("WWW-Authenticate", "Basic realm=\"locked\""),
        });
        let url = t.site.url("/locked").replace("http://", "http://user:password@");
        t.page.navigate(&url, WaitUntil::Load, &t.scope()).await.unwrap();
        over(t, "/echo?locked").await;
        t.seen(|state| {
            let of = |status| state.network.exchanges().iter().filter_map(|exchange| exchange.response.as_ref())
                .rfind(|response| response.status == status).map(|response| response.headers.clone());
            let (first, last) = (of(302)?, of(200)?);
            let own = header(&first, "location") == Some("/echo?locked") && header(&first, "content-type").is_none()
                && header(&last, "location").is_none() && header(&last, "content-type") == Some("application/json");
            own.then_some(())
        }).await;
    }
    "a chain of redirects of a document is told hop by hop" => |t| {
        t.open("/redirects/3").await;
        over(t, "/redirects/0").await;
        let told: Vec<(String, Outcome)> = t.page.state().network.exchanges().iter()
            .filter(|exchange| exchange.request.url.contains("/redirects/"))
            .map(|exchange| (exchange.request.url.rsplit('/').next().unwrap().to_owned(), exchange.outcome.clone())).collect();
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[..3].iter().all(|(_, outcome)| *outcome == Outcome::Redirected), "{told:?}");
    }
    "request headers are told" => |t| {
        t.show("").await;
        t.value("fetch('/echo?h', { headers: { 'X-Mine': 'yes' } }).then(r => r.text())").await;
        let exchange = over(t, "/echo?h").await;
        assert_eq!(header(&exchange.request.headers, "x-mine"), Some("yes"));
        assert!(header(&exchange.request.headers, "user-agent").is_some());
    }
    "response headers are told" => |t| {
        t.site.route("/h", |_| Response::text("x").header("X-Theirs", "one").header("X-Theirs", "two"));
        t.show("").await;
        t.value("fetch('/h').then(r => r.text())").await;
        let response = over(t, "/h").await.response.unwrap();
        let all: String = response.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("x-theirs")).map(|(_, value)| value.replace('\n', " ")).collect();
        assert!(all.contains("one") && all.contains("two"), "{:?}", response.headers);
    }
    "cookies that are sent and set are told" => |t| {
        t.open("/cookie?set=first%3D1").await;
        t.show("").await;
        t.value("fetch('/cookie?set=second%3D2').then(r => r.text())").await;
        // Some browsers tell of them by a way of their own, which may be the longer one.
        t.seen(|state| {
            let exchange = state.network.exchanges().iter().find(|exchange| exchange.request.url.contains("/cookie?set=second"))?;
            let sent = header(&exchange.request.headers, "cookie") == Some("first=1");
            (sent && header(&exchange.response.as_ref()?.headers, "set-cookie") == Some("second=2")).then_some(())
        }).await;
    }
    "errors of a server are answers" => |t| {
        t.show("").await;
        let statuses = t.value("Promise.all([404, 418, 500, 503].map(s => fetch('/status/' + s).then(r => r.status)))").await;
        assert_eq!(statuses, json!([404, 418, 500, 503]));
        for status in [404, 418, 500, 503] {
            let exchange = over(t, &format!("/status/{status}")).await;
            assert_eq!(exchange.response.unwrap().status, status);
            assert!(matches!(exchange.outcome, Outcome::Done { .. }));
        }
    }
    "a connection that breaks is told with its reason" => |t| {
        t.show("").await;
        t.value("fetch('/reset').catch(() => 0)").await;
        let Outcome::Failed { reason, cancelled } = over(t, "/reset").await.outcome else { panic!() };
        assert!(!reason.is_empty() && !cancelled);
    }
    "a connection that is refused is told" => |t| {
        t.show("<img src='http://127.0.0.1:1/x.png'>").await;
        assert!(matches!(over(t, "127.0.0.1:1/").await.outcome, Outcome::Failed { cancelled: false, .. }));
    }
    "a request that the page gives up is told as such" => |t| {
        t.show("").await;
        t.value("const c = new AbortController(); fetch('/never?a', { signal: c.signal }).catch(() => 0); setTimeout(() => c.abort(), 100)").await;
        assert!(matches!(over(t, "/never?a").await.outcome, Outcome::Failed { cancelled: true, .. }));
    }
    "a request that a navigation ends is over" => |t| {
        t.show("").await;
        t.value("fetch('/never?b'); 0").await;
        t.asked("/never", 1).await;
        t.go("/empty", WaitUntil::NetworkIdle).await.unwrap();
        assert_eq!(t.page.state().network.in_flight(), 0);
    }
    "a request that another origin's rules refuse is told" => |t| {
        t.show("").await;
        let url = format!("{}/echo?cors", t.site.other_origin());
        t.value(&format!("fetch('{url}').catch(() => 0)")).await;
        sent(t, "/echo?cors").await;
        assert!(matches!(over(t, "/echo?cors").await.outcome, Outcome::Failed { .. } | Outcome::Done { .. }));
    }
    "a body that is sent can be read" => |t| {
        t.show("").await;
        t.value("fetch('/echo?p', { method: 'POST', body: JSON.stringify({ name: 'Ada é' }) }).then(r => r.text())").await;
        let exchange = over(t, "/echo?p").await;
        assert!(exchange.request.has_body);
        assert_eq!(exchange.request.method, "POST");
        let sent = t.page.request_body(exchange.index, &t.scope()).await.unwrap().unwrap();
        assert_eq!(String::from_utf8(sent).unwrap(), "{\"name\":\"Ada é\"}");
    }
    "a form's body can be read" => |t| {
        t.site.page("/target", "<title>target</title>");
        t.show("<form id=f method=post action='/target'><input name=a value='1 2'><input name=b value='é'></form>").await;
        t.value("document.querySelector('#f').submit()").await;
        t.until("document.title === 'target'").await;
        let index = over(t, "/target").await.index;
        let sent = t.page.request_body(index, &t.scope()).await.unwrap().unwrap();
        assert_eq!(String::from_utf8(sent).unwrap(), "a=1+2&b=%C3%A9");
    }
    "a body of bytes can be read" => |t| {
        t.show("").await;
        t.value("fetch('/echo?bytes', { method: 'PUT', body: new Uint8Array([0, 1, 254, 255]) }).then(r => r.text())").await;
        let index = over(t, "/echo?bytes").await.index;
        assert_eq!(t.page.request_body(index, &t.scope()).await.unwrap().unwrap(), [0, 1, 254, 255]);
    }
    "a request without a body has none" => |t| {
        t.show("").await;
        let index = over(t, "/").await.index;
        assert_eq!(t.page.request_body(index, &t.scope()).await.unwrap(), None);
        assert_eq!(t.page.request_body(9999, &t.scope()).await.unwrap(), None);
        assert_eq!(t.page.response_body(9999, &t.scope()).await.unwrap(), None);
    }
    "a text that came can be read" => |t| {
        t.site.route("/text", |_| Response::text("päper 日本"));
        t.show("<script>fetch('/text').then(r => r.text())</script>").await;
        assert_eq!(String::from_utf8(body(t, "/text").await).unwrap(), "päper 日本");
    }
    "a document that came can be read" => |t| {
        t.show("<h1>Source</h1>").await;
        assert!(String::from_utf8(body(t, "/").await).unwrap().contains("<h1>Source</h1>"));
    }
    "a picture that came can be read" => |t| {
        t.show("<img src='/image.png'>").await;
        assert!(body(t, "/image.png").await.starts_with(b"\x89PNG"));
    }
    "bytes that came can be read" => |t| {
        t.site.route("/bytes", |_| Response::bytes("application/octet-stream", vec![0, 255, 254, 10, 13]));
        t.show("<script>fetch('/bytes').then(r => r.arrayBuffer())</script>").await;
        assert_eq!(body(t, "/bytes").await, [0, 255, 254, 10, 13]);
    }
    "a big text that came can be read" => |t| {
        t.show("").await;
        t.value("fetch('/big?mb=5').then(r => r.text()).then(t => t.length)").await;
        assert_eq!(body(t, "/big").await.len(), 5_000_000);
    }
    "an empty answer is empty" => |t| {
        t.site.route("/void", |_| Response::text(""));
        t.show("").await;
        t.value("fetch('/void').then(r => r.text())").await;
        assert!(body(t, "/void").await.is_empty());
    }
    "an error's body can be read" => |t| {
        t.site.route("/bad", |_| Response::json(&json!({ "error": "no" })).with_status(422));
        t.show("").await;
        t.value("fetch('/bad').then(r => r.text())").await;
        assert_eq!(body(t, "/bad").await, br#"{"error":"no"}"#);
    }
    "a body that never comes costs the call's time and no more" => |t| {
        t.site.route("/half", |_| Response::text("x").body_after(ms(600_000)));
        t.show("<script>fetch('/half')</script>").await;
        let index = t.seen(|state| state.network.exchanges().iter().find(|exchange| exchange.request.url.contains("/half") && exchange.response.is_some()).map(|exchange| exchange.index)).await;
        let scope = crate::case::scope_of(ms(700));
        let told = t.page.response_body(index, &scope).await;
        assert!(told.is_err() || told == Ok(Some(Vec::new())), "{told:?}");
        assert_eq!(t.value("1").await, 1);
    }
    "a socket does not keep the page busy" => |t| {
        t.show("").await;
        t.value("new Promise(done => { window.s = new WebSocket(`ws://${location.host}/ws`); s.onopen = () => done(1) })").await;
        assert_eq!(sent(t, "/ws").await.request.kind, ResourceKind::WebSocket);
        idle(t).await;
    }
    "a stream of events does not keep the page busy" => |t| {
        t.show("").await;
        t.value("new Promise(done => { new EventSource('/events').onmessage = () => done(1) })").await;
        assert_eq!(sent(t, "/events").await.request.kind, ResourceKind::EventSource);
        idle(t).await;
    }
    "what is under way is known" => |t| {
        t.show("").await;
        idle(t).await;
        let mark = t.page.state().network.next_index();
        t.value("fetch('/never?c'); 0").await;
        sent(t, "/never?c").await;
        let state = t.page.state();
        let network = &state.network;
        // The browser may be asking for the page's icon meanwhile.
        let is_icon = |exchange: &&Exchange| exchange.request.url.ends_with("/favicon.ico") && matches!(exchange.outcome, Outcome::Pending);
        assert_eq!(network.in_flight(), 1 + network.exchanges().iter().filter(is_icon).count());
        assert!(network.busy_since(mark));
    }
    "what a script asked for is known when its doing has settled" => |t| {
        t.show("").await;
        let ways = ["fetch('THERE')", "fetch(new URL('THERE', location))", "fetch(new Request('THERE'))", "const x = new XMLHttpRequest(); x.open('GET', 'THERE'); x.send()"];
        for (number, way) in ways.iter().cycle().take(20).enumerate() {
            let url = format!("/echo?settled={number}!");
            let mark = t.page.mark();
            t.value(&format!("(() => {{ {} }})(), 0", way.replace("THERE", &url))).await;
            let settled = t.page.settle(&mark, &t.scope()).await;
            let done = |exchange: &Exchange| exchange.request.url.ends_with(&url) && matches!(exchange.outcome, Outcome::Done { .. });
            let known = t.page.state().network.exchanges().iter().any(done);
            // On a busy machine there is more to do than settling has the time for, and it says so.
            assert!(known || settled.unfinished, "{way}");
            assert!(done(&over(t, &url).await), "{way}");
        }
    }
    "a request that is never sent is refused as ever, and settling comes to its end" => |t| {
        t.site.route("/strict", |_| Response::html("<!doctype html>").header("Content-Security-Policy", "connect-src 'none'"));
        t.open("/strict").await;
        let ways = [
            ("return fetch('/echo').catch(e => e.name)", "TypeError"),
            ("return fetch('/echo', { signal: AbortSignal.abort() }).catch(e => e.name)", "AbortError"),
            ("return fetch('http://').catch(e => e.name)", "TypeError"),
            ("const x = new XMLHttpRequest(); x.open('GET', '/echo'); return new Promise(d => { x.onerror = () => d('error'); x.send() })", "error"),
            ("try { new XMLHttpRequest().open('GET', 'http://') } catch (e) { return e.name }", "SyntaxError"),
            ("try { new XMLHttpRequest().send() } catch (e) { return e.name }", "InvalidStateError"),
            ("return [fetch.name, fetch.length, XMLHttpRequest.prototype.open.length].join()", "fetch,1,2"),
        ];
        for (way, told) in ways {
            let mark = t.page.mark();
            assert_eq!(t.value(&format!("(() => {{ {way} }})()")).await, told, "{way}");
            t.page.settle(&mark, &t.scope()).await;
        }
        assert_eq!(t.site.hits("/echo"), 0);
        t.show("").await;
        for way in [
            "const c = new AbortController(); const f = fetch('/never', { signal: c.signal }); c.abort(); return f.catch(e => e.name)",
            "const x = new XMLHttpRequest(); x.open('GET', '/never'); return new Promise(d => { x.onabort = () => d('AbortError'); x.send(); x.abort() })",
        ] {
            let mark = t.page.mark();
            assert_eq!(t.value(&format!("(() => {{ {way} }})()")).await, "AbortError", "{way}");
            t.page.settle(&mark, &t.scope()).await;
        }
    }
    "a page that polls without end fills no memory" => |t| {
        t.show("").await;
        t.value("(async () => { for (let i = 0; i < 2300; i++) await fetch('data:,' + i); window.polled = 1 })(); 0").await;
        t.until("window.polled === 1").await;
        over(t, "data:,2299").await;
        assert!(t.page.state().network.exchanges().len() <= 2000);
        assert!(t.page.state().network.next_index() > 2300);
    }
    "an answer from the cache is told as such" => |t| {
        t.site.route("/kept", |_| Response::text("kept").header("Cache-Control", "max-age=3600"));
        t.show("").await;
        t.value("fetch('/kept').then(r => r.text())").await;
        assert!(!over(t, "/kept").await.response.unwrap().from_cache);
        t.value("fetch('/kept').then(r => r.text())").await;
        t.seen(|state| state.network.exchanges().iter().find(|exchange| exchange.response.as_ref().is_some_and(|response| response.from_cache)).map(|_| ())).await;
        assert_eq!(t.site.hits("/kept"), 1);
    }
    "a frame's requests are the page's, and say whose they are" => |t| {
        t.site.page("/in", &document("<script>fetch('/echo?framed')</script>"));
        let there = t.site.url_on("localhost", "/in");
        t.show(&format!("<iframe id=f src='{there}'></iframe>")).await;
        let exchange = over(t, "/echo?framed").await;
        let frame = exchange.request.frame.unwrap();
        assert_ne!(&frame, t.page.state().frames.main());
        assert_eq!(t.page.count(&at("#f"), &t.scope()).await.unwrap().total, 1);
    }
    "a worker's requests are the page's" => |t| {
        t.site.route("/w.js", |_| Response::bytes("text/javascript", "fetch('/echo?worker').then(() => postMessage(1))"));
        t.show("<script>new Worker('/w.js').onmessage = () => { window.done = 1 }</script>").await;
        t.until("window.done === 1").await;
        over(t, "/echo?worker").await;
    }
    "a beacon is told and keeps nobody busy" => |t| {
        t.show("").await;
        t.value("navigator.sendBeacon('/echo?beacon', 'gone')").await;
        assert_eq!(sent(t, "/echo?beacon").await.request.kind, ResourceKind::Ping);
    }
    "how many bytes came is told" => |t| {
        t.show("").await;
        t.value("fetch('/big?mb=1').then(r => r.text()).then(t => t.length)").await;
        let Outcome::Done { bytes } = over(t, "/big").await.outcome else { panic!() };
        assert!(bytes.is_none_or(|bytes| bytes >= 1_000_000), "{bytes:?}");
    }
    "failures since a moment are told, and what went well is not" => |t| {
        t.show("").await;
        let before = t.context.moment();
        t.value("Promise.all([fetch('/status/404'), fetch('/echo?fine'), fetch('/reset').catch(() => 0)]).then(() => 1)").await;
        over(t, "/reset").await;
        over(t, "/status/404").await;
        let told: Vec<String> = t.context.since(&before).requests.iter().map(|exchange| exchange.request.url.clone()).collect();
        assert_eq!(told.len(), 2, "{told:?}");
    }
}
