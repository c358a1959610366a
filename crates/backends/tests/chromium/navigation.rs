//! Where pages go, and in which order that is told.

use engine::backend::*;
use serde_json::json;

use crate::site::{Reply, Site, html, status};
use crate::tab::*;

/// What happened to the topmost frame, in a word each.
fn story(tab: &Tab) -> Vec<String> {
    let word = |event: &PageEvent| match event {
        PageEvent::NavigationStarted { frame, .. } if *frame == tab.main => Some("started".to_owned()),
        PageEvent::Requested(request) if request.navigation.is_some() => {
            Some(if request.redirected { "redirected" } else { "requested" }.to_owned())
        }
        // A browser with windows asks for an icon too.
        PageEvent::Responded(response) if !response.url.ends_with("favicon.ico") => {
            Some(response.status.to_string())
        }
        PageEvent::Committed { frame, .. } if *frame == tab.main => Some("committed".to_owned()),
        PageEvent::DomContentLoaded { frame } if *frame == tab.main => Some("parsed".to_owned()),
        PageEvent::Loaded { frame } if *frame == tab.main => Some("loaded".to_owned()),
        PageEvent::NavigationFailed { frame, .. } if *frame == tab.main => Some("failed".to_owned()),
        PageEvent::AddressChanged { frame, .. } if *frame == tab.main => Some("moved".to_owned()),
        _ => None,
    };
    tab.log.iter().filter_map(word).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_navigation_is_told_from_its_start_to_its_load() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<title>a</title>"));
        site.at("/from", status("302 Found").with("Location", "/"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        assert_eq!(story(&tab), ["started", "requested", "200", "committed", "parsed", "loaded"]);
        tab.go(&site.url("/from")).await;
        let told = ["started", "requested", "302", "redirected", "200", "committed", "parsed", "loaded"];
        assert_eq!(story(&tab), told);
        let last = tab.log.iter().rev().find_map(|event| match event {
            PageEvent::Committed { url, .. } => Some(url.clone()),
            _ => None,
        });
        assert_eq!(last, Some(site.url("/")));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_the_fragment_is_no_new_document() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<title>a</title>"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        tab.forget();
        let started = tab.page.navigate(&tab.main, &site.url("/#part"), None).await.unwrap();
        assert_eq!(started, Started::SameDocument);
        let address = |event: &PageEvent| match event {
            PageEvent::AddressChanged { url, .. } => Some(url.clone()),
            _ => None,
        };
        assert_eq!(tab.wait(address).await, site.url("/#part"));
        assert_eq!(story(&tab), ["moved"]);
        tab.forget();
        tab.evaluate("history.pushState({}, '', '/pushed')").await;
        assert_eq!(tab.wait(address).await, site.url("/pushed"));
        assert_eq!(story(&tab), ["moved"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_brings_no_document_says_why() {
    with_browser(async |browser| {
        let site = Site::start().await;
        let downloads = tempfile::tempdir().unwrap();
        site.at("/", html("<title>a</title><a id=nothing href=/nothing>x</a>"));
        site.at("/nothing", status("204 No Content"));
        site.at("/file", html("data").with("Content-Disposition", "attachment; filename=\"a b.txt\""));
        let options =
            ContextOptions { downloads: Some(downloads.path().to_owned()), ..ContextOptions::default() };
        let mut room = Room::open(&browser, options).await;
        let mut tab = room.tab().await;
        tab.go(&site.url("/")).await;

        tab.forget();
        let started = tab.page.navigate(&tab.main, &site.url("/nothing"), None).await.unwrap();
        let no_content = "the server answered 204 No Content: there is no document";
        assert_eq!(started, Started::Failed(no_content.to_owned()));
        assert_eq!(tab.evaluate("document.title").await, json!("a"));
        tab.wait(|event| matches!(event, PageEvent::NavigationFailed { .. }).then_some(())).await;
        assert_eq!(story(&tab), ["started", "requested", "204", "failed"]);

        tab.forget();
        tab.evaluate("document.querySelector('#nothing').click()").await;
        let reason = tab
            .wait(|event| match event {
                PageEvent::NavigationFailed { reason, .. } => Some(reason.clone()),
                _ => None,
            })
            .await;
        assert_eq!(reason, no_content);

        let started = tab.page.navigate(&tab.main, &site.url("/file"), None).await.unwrap();
        assert_eq!(started, Started::Download);
        let done = loop {
            match room.next().await {
                ContextEvent::Download(Download { state: DownloadState::Running { .. }, .. }) => {}
                ContextEvent::Download(download) => break download,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!((done.suggested_name.as_str(), done.url), ("a b.txt", site.url("/file")));
        assert_eq!(done.page.as_ref(), Some(tab.page.id()));
        let DownloadState::Done(path) = done.state else { panic!("{:?}", done.state) };
        assert_eq!(std::fs::read(path).unwrap(), b"data");

        let dead = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let started = tab.page.navigate(&tab.main, &format!("http://{dead}/"), None).await.unwrap();
        assert_eq!(started, Started::Failed("net::ERR_CONNECTION_REFUSED".to_owned()));
        let started = tab.page.navigate(&tab.main, "no address", None).await.unwrap();
        assert!(matches!(started, Started::Failed(_)), "{started:?}");
        tab.go(&site.url("/")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_to_a_dead_server_fails_and_then_shows_an_error_page() {
    with_browser(async |browser| {
        let site = Site::start().await;
        let dead = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        site.at("/", html(&format!("<a href='http://{dead}/'>x</a>")));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        tab.forget();
        tab.evaluate("document.querySelector('a').click()").await;
        let committed = tab
            .wait(|event| match event {
                PageEvent::Committed { navigation, url, .. } => Some((navigation.clone(), url.clone())),
                _ => None,
            })
            .await;
        assert_eq!(committed, (None, "chrome-error://chromewebdata/".to_owned()));
        assert_eq!(story(&tab), ["started", "requested", "failed", "committed"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_navigation_that_another_overtakes_comes_to_nothing() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<title>a</title>"));
        site.at("/slow", Reply::silent());
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        tab.forget();
        tab.evaluate("void (location.href = '/slow')").await;
        let slow = tab
            .wait(|event| match event {
                PageEvent::Requested(request) => request.navigation.clone(),
                _ => None,
            })
            .await;
        let started = tab.page.navigate(&tab.main, &site.url("/"), None).await.unwrap();
        let Started::Navigation(second) = started else { panic!("{started:?}") };
        tab.loaded(&tab.main.clone()).await;
        let failed: Vec<NavigationId> = tab
            .log
            .iter()
            .filter_map(|event| match event {
                PageEvent::NavigationFailed { navigation, .. } => Some(navigation.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(failed, [slow]);
        let committed = tab
            .log
            .iter()
            .any(|event| matches!(event, PageEvent::Committed { navigation: Some(it), .. } if *it == second));
        assert!(committed);
        tab.evaluate("void (location.href = '/slow')").await;
        tab.forget();
        tab.page.stop().await.unwrap();
        tab.wait(|event| matches!(event, PageEvent::NavigationFailed { .. }).then_some(())).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn history_is_travelled_and_documents_are_loaded_anew() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/a", html("<title>a</title>"));
        site.at("/b", html("<title>b</title>"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/a")).await;
        tab.go(&site.url("/b")).await;
        tab.forget();
        assert!(tab.page.travel(-1).await.unwrap());
        tab.loaded(&tab.main.clone()).await;
        assert_eq!(tab.evaluate("document.title").await, json!("a"));
        assert!(!tab.page.travel(-7).await.unwrap());
        tab.forget();
        assert!(tab.page.travel(1).await.unwrap());
        tab.loaded(&tab.main.clone()).await;
        assert_eq!(tab.evaluate("document.title").await, json!("b"));
        tab.forget();
        tab.page.reload(true).await.unwrap();
        tab.loaded(&tab.main.clone()).await;
        assert_eq!(story(&tab), ["started", "requested", "200", "committed", "parsed", "loaded"]);
    })
    .await;
}
