//! TLS: certificates that nobody trusts, and contexts that take them all the same.

use engine::backend::ContextOptions;
use engine::page::{NavigationRefused, Page, WaitUntil};
use testkit::site::Response;

use crate::case::{Given, at, cases, document, eventually, until, usual, value};

fn trusting() -> ContextOptions {
    ContextOptions { ignore_https_errors: true, ..usual() }
}

/// Why an address can't be reached, in the browser's words.
async fn reason(t: &Given, page: &Page, url: &str) -> String {
    match page.navigate(url, WaitUntil::Load, &t.scope()).await {
        Err(NavigationRefused::Failed { reason, .. }) => reason,
        other => panic!("{url}: {other:?}"),
    }
}

cases! {
    "a certificate that nobody trusts is named" => |t| {
        assert_eq!(reason(t, &t.page, &t.site.secure_url("/empty")).await, "net::ERR_CERT_AUTHORITY_INVALID");
        t.show("<h1>Next</h1>").await;
        assert_eq!(t.count("h1").await.total, 1);
        assert_eq!(t.site.hits("/empty"), 0);
    }
    "a server without TLS is named" => |t| {
        let url = t.site.url("/empty").replace("http:", "https:");
        assert_eq!(reason(t, &t.page, &url).await, "net::ERR_SSL_PROTOCOL_ERROR");
    }
    "a request to an untrusted server fails, and is told" => |t| {
        t.show("").await;
        let asked = format!("fetch('{}', {{ mode: 'no-cors' }}).then(() => 'came', () => 'failed')", t.site.secure_url("/echo"));
        assert_eq!(t.value(&asked).await, "failed");
        let told = t.seen(|state| {
            state.network.exchanges().iter().map(|exchange| format!("{:?}", exchange.outcome)).find(|outcome| outcome.contains("CERT"))
        }).await;
        assert!(told.contains("ERR_CERT_AUTHORITY_INVALID"), "{told}");
    }
    "invalid certificates are accepted where that was asked for, in frames, workers and popups too" => |t| {
        let inner = t.site.secure_url("/inner").replace("127.0.0.1", "localhost");
        t.site.page("/inner", "<p id=p>inner</p>");
        t.site.page("/outer", &document(&format!("<iframe id=f src='{inner}'></iframe>")));
        t.site.route("/worker.js", |_| Response::bytes("text/javascript", "fetch('/echo').then(r => postMessage(r.status))"));
        let (context, page) = t.another(trusting(), None).await;
        let arrival = page.navigate(&t.site.secure_url("/outer"), WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!((arrival.status, arrival.url), (Some(200), t.site.secure_url("/outer")));
        assert_eq!(value(&page, "isSecureContext").await, true);
        let inner = at("frameLocator('#f').locator('#p')");
        let fetched = "p => fetch('/echo').then(r => p.textContent + r.status)";
        assert_eq!(page.evaluate(fetched, Some(&inner), &t.scope()).await.unwrap(), "inner200");
        let worker = "new Promise(done => { new Worker('/worker.js').onmessage = event => done(event.data) })";
        assert_eq!(value(&page, worker).await, 200);
        value(&page, "window.open('/inner') && 0").await;
        let popup = eventually("the popup", || context.pages().get(1).cloned()).await;
        until(&popup, "location.pathname === '/inner' && !!document.querySelector('#p')").await;
    }
    "a context that accepts them leaves the others as they are" => |t| {
        let (_, page) = t.another(trusting(), None).await;
        page.navigate(&t.site.secure_url("/empty"), WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(reason(t, &t.page, &t.site.secure_url("/empty")).await, "net::ERR_CERT_AUTHORITY_INVALID");
    }
    "secure cookies and sockets work over TLS" => |t| {
        let (context, page) = t.another(trusting(), None).await;
        page.navigate(&t.site.secure_url("/empty"), WaitUntil::Load, &t.scope()).await.unwrap();
        value(&page, "document.cookie = 'a=1; Secure'").await;
        assert!(context.backend().cookies(&[]).await.unwrap().iter().any(|cookie| cookie.name == "a" && cookie.secure));
        let echoed = "new Promise((done, fail) => { const s = new WebSocket(`wss://${location.host}/ws`); s.onopen = () => s.send('hi'); s.onmessage = event => { s.close(); done(event.data) }; s.onerror = () => fail('no socket') })";
        assert_eq!(value(&page, echoed).await, "hi");
    }
}
