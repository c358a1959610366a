//! What goes over the net.

use engine::backend::*;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::site::{Reply, Site, html, status};
use crate::tab::*;

/// The request for a path, its response if any, and how it ended.
fn exchange(tab: &Tab, path: &str) -> (Request, Option<Response>, Option<PageEvent>) {
    let request = tab.log.iter().find_map(|event| match event {
        PageEvent::Requested(request) if request.url.ends_with(path) => Some(request.clone()),
        _ => None,
    });
    let request = request.unwrap_or_else(|| panic!("{path} was not asked for: {:#?}", tab.log));
    let response = tab.log.iter().find_map(|event| match event {
        PageEvent::Responded(response) if response.id == request.id => Some(response.clone()),
        _ => None,
    });
    let ended = tab.log.iter().find(|event| match event {
        PageEvent::Finished { id, .. } => *id == request.id,
        PageEvent::Failed(failure) => failure.id == request.id,
        _ => false,
    });
    (request, response, ended.cloned())
}

async fn ended(tab: &mut Tab, path: &str) {
    let id = tab
        .wait(|event| match event {
            PageEvent::Requested(request) if request.url.ends_with(path) => Some(request.id.clone()),
            _ => None,
        })
        .await;
    tab.wait(|event| match event {
        PageEvent::Finished { id: it, .. } if *it == id => Some(()),
        PageEvent::Failed(failure) if failure.id == id => Some(()),
        _ => None,
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_are_told_with_their_responses_bodies_and_ends() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<p>document"));
        site.at("/post", html("answer").with("Set-Cookie", "a=1").with("Set-Cookie", "b=2"));
        site.at(
            "/binary",
            Reply { body: vec![0, 255, 1], ..status("200 OK") }.with("Content-Type", "image/x"),
        );
        site.at("/slow", Reply::silent());
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        let (request, response, _) = exchange(&tab, &site.url("/"));
        assert_eq!((request.kind, request.method.as_str()), (ResourceKind::Document, "GET"));
        assert_eq!((request.frame.as_ref(), request.navigation.is_some()), (Some(&tab.main), true));
        let response = response.unwrap();
        assert_eq!((response.status, response.mime.as_str(), response.from_cache), (200, "text/html", false));
        assert_eq!(response.remote, Some(format!("127.0.0.1:{}", site.port)));
        assert!(response.timing.is_some() && request.at > 1.6e9);
        let body = tab.page.response_body(&request.id).await.unwrap();
        assert!(String::from_utf8(body).unwrap().ends_with("<p>document"));

        tab.evaluate("fetch('/post', { method: 'POST', body: 'sent é' }).then(r => r.text())").await;
        ended(&mut tab, "/post").await;
        let (request, response, end) = exchange(&tab, "/post");
        assert_eq!(
            (request.kind, request.has_body, request.method.as_str()),
            (ResourceKind::Fetch, true, "POST")
        );
        let cookies =
            response.unwrap().headers.into_iter().filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
        assert_eq!(cookies.map(|(_, value)| value).collect::<Vec<_>>(), ["a=1", "b=2"]);
        assert!(matches!(end, Some(PageEvent::Finished { bytes: Some(bytes), .. }) if bytes > 0));
        assert_eq!(tab.page.request_body(&request.id).await.unwrap(), Some("sent é".as_bytes().to_vec()));
        assert_eq!(tab.page.response_body(&request.id).await.unwrap(), b"answer");

        tab.evaluate("fetch('/binary').then(r => r.text())").await;
        ended(&mut tab, "/binary").await;
        let (request, ..) = exchange(&tab, "/binary");
        assert_eq!(tab.page.response_body(&request.id).await.unwrap(), [0, 255, 1]);
        assert_eq!(tab.page.request_body(&request.id).await.unwrap(), None);

        let give_up = "(() => { const c = new AbortController(); fetch('/slow', c).catch(() => 0); \
                       setTimeout(() => c.abort(), 50) })()";
        tab.evaluate(give_up).await;
        ended(&mut tab, "/slow").await;
        let (.., end) = exchange(&tab, "/slow");
        assert!(matches!(end, Some(PageEvent::Failed(Failure { cancelled: true, .. }))), "{end:?}");
        tab.evaluate("fetch('data:text/plain,here').then(r => r.text())").await;
        ended(&mut tab, "text/plain,here").await;
        assert!(tab.page.response_body(&"nonsense".into()).await.is_err());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_document_waited_for_ends_with_it() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<iframe src='/framed'></iframe>"));
        site.at("/framed", html("x"));
        site.at("/slow", Reply::silent());
        site.at("/slower", Reply::silent());
        let room = Room::open(&browser, ContextOptions::default()).await;
        for next in [site.url("/"), site.elsewhere("/")] {
            let mut tab = room.tab().await;
            tab.go(&site.url("/")).await;
            let child = tab.child().await;
            tab.forget();
            tab.evaluate("void fetch('/slow')").await;
            tab.evaluate_in(&child, "void fetch('/slower')").await;
            tab.page.navigate(&tab.main, &next, None).await.unwrap();
            ended(&mut tab, "/slow").await;
            ended(&mut tab, "/slower").await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socket_is_a_request_that_stays_open() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("x"));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        // A server that shakes no hands.
        let refusing = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut heard = [0; 1024];
            let _ = stream.read(&mut heard).await;
            let _ = stream.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n").await;
        });
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        tab.evaluate(&format!("void new WebSocket('ws://{address}/socket')")).await;
        ended(&mut tab, "/socket").await;
        let (request, _, end) = exchange(&tab, "/socket");
        assert_eq!(request.kind, ResourceKind::WebSocket);
        assert!(matches!(end, Some(PageEvent::Failed(_))), "{end:?}");
        refusing.await.unwrap();
        assert_eq!(tab.evaluate("1").await, json!(1));
    })
    .await;
}
