//! Contexts: each by itself, and as it was asked to be.

use engine::backend::*;
use serde_json::json;

use crate::site::{Site, html};
use crate::tab::*;

fn cookie(name: &str) -> Cookie {
    Cookie {
        name: name.to_owned(),
        value: "v".to_owned(),
        domain: "127.0.0.1".to_owned(),
        path: "/".to_owned(),
        expires: -1.0,
        http_only: false,
        secure: false,
        same_site: SameSite::Lax,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn contexts_share_neither_cookies_nor_storage() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("x"));
        let (one, mut in_one) = tab(&browser).await;
        let (two, mut in_two) = tab(&browser).await;
        one.context.set_cookies(vec![cookie("a")]).await.unwrap();
        in_one.go(&site.url("/")).await;
        in_two.go(&site.url("/")).await;
        in_one.evaluate("localStorage.setItem('k', 'v')").await;
        assert_eq!(in_one.evaluate("document.cookie").await, json!("a=v"));
        assert_eq!(in_two.evaluate("[document.cookie, localStorage.getItem('k')]").await, json!(["", null]));
        assert_eq!(two.context.cookies(&[]).await.unwrap(), []);
        assert_eq!(one.context.cookies(&[]).await.unwrap(), [cookie("a")]);
        assert_eq!(one.context.cookies(&[site.elsewhere("/")]).await.unwrap(), []);
        assert_eq!(one.context.cookies(&[site.url("/x")]).await.unwrap().len(), 1);
        one.context.clear_cookies().await.unwrap();
        assert_eq!(in_one.evaluate("document.cookie").await, json!(""));
        one.context.close().await.unwrap();
        assert_eq!(in_one.rest().await.last(), Some(&PageEvent::Closed));
        assert_eq!(in_two.evaluate("1").await, json!(1));
        assert!(one.context.new_page().await.is_err());
        assert_eq!(one.context.close().await, Ok(()), "a closed context is closed");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn storage_is_seeded_without_asking_its_servers() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("x"));
        let mut room = Room::open(&browser, ContextOptions::default()).await;
        let item = |name: &str| StorageItem { name: name.to_owned(), value: "v \u{1f600}".to_owned() };
        let here = OriginStorage { origin: site.url(""), local_storage: vec![item("a"), item("b")] };
        let there =
            OriginStorage { origin: "https://example.invalid".to_owned(), local_storage: vec![item("c")] };
        room.context.seed_storage(vec![here, there]).await.unwrap();
        assert!(site.heard("/").is_none());
        assert!(room.now().is_none(), "the page that seeds is nobody's business");
        let mut tab = room.tab().await;
        tab.go(&site.url("/")).await;
        assert_eq!(tab.evaluate("localStorage.getItem('b')").await, json!("v \u{1f600}"));
        let wrong = OriginStorage { origin: "data:text/html,x".to_owned(), local_storage: Vec::new() };
        assert!(room.context.seed_storage(vec![wrong]).await.is_err());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changes_later_reaches_every_page_and_frame() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html(&format!("<iframe src='{}'></iframe>", site.elsewhere("/inner"))));
        site.at("/inner", html("x"));
        site.at("/data", html("x").with("Access-Control-Allow-Origin", "*").with("Access-Control-Allow-Headers", "*"));
        let (room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        let inner = tab.child().await;
        room.context.set_extra_headers(vec![("X-Mine".to_owned(), "1".to_owned())]).await.unwrap();
        for frame in [&tab.main, &inner] {
            tab.evaluate_in(frame, "fetch('/data').then(r => r.text())").await;
            assert_eq!(site.heard("/data").unwrap().headers["x-mine"], "1");
        }
        room.context.set_offline(true).await.unwrap();
        for frame in [&tab.main, &inner] {
            let offline = tab.evaluate_in(frame, "fetch('/data').then(() => 'on', () => 'off')").await;
            assert_eq!((offline, tab.evaluate_in(frame, "navigator.onLine").await), (json!("off"), json!(false)));
        }
        let late = room.tab().await;
        let started = late.page.navigate(&late.main, &site.url("/"), None).await.unwrap();
        assert_eq!(started, Started::Failed("net::ERR_INTERNET_DISCONNECTED".to_owned()));
        room.context.set_offline(false).await.unwrap();
        assert_eq!(tab.evaluate("fetch('/data').then(() => 'on', () => 'off')").await, json!("on"));

        let position = Geolocation { latitude: 52.5, longitude: 13.4, accuracy: 10.0 };
        room.context.grant_permissions(vec!["geolocation".to_owned()], None).await.unwrap();
        room.context.set_geolocation(Some(position)).await.unwrap();
        let ask = "new Promise((yes, no) => navigator.geolocation.getCurrentPosition(p => yes(p.coords.latitude), e => yes(e.message)))";
        assert_eq!(tab.evaluate(ask).await, json!(52.5));
        let unknown = room.context.grant_permissions(vec!["nonsense".to_owned()], None).await.unwrap_err();
        assert!(matches!(unknown, BackendError::Refused { .. }), "{unknown:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_can_not_be_as_it_was_asked_to_is_refused() {
    with_browser(async |browser| {
        let options =
            ContextOptions { timezone: Some("Mars/Olympus".to_owned()), ..ContextOptions::default() };
        let mut room = Room::open(&browser, options).await;
        let refused = in_time(room.context.new_page()).await.unwrap_err();
        assert!(
            matches!(&refused, BackendError::Refused { request, .. } if request.contains("Timezone")),
            "{refused:?}"
        );
        assert!(room.now().is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_goes_through_a_proxy() {
    with_browser(async |browser| {
        let (site, proxy) = (Site::start().await, Site::start().await);
        // A proxy is asked for whole addresses.
        proxy.at(&site.url("/"), html("<title>by proxy</title>"));
        let through = Proxy { address: proxy.url(""), loopback_direct: false };
        let options = ContextOptions { proxy: Some(through), ..ContextOptions::default() };
        let room = Room::open(&browser, options).await;
        let mut tab = room.tab().await;
        tab.go(&site.url("/")).await;
        assert_eq!(tab.evaluate("document.title").await, json!("by proxy"));
        assert!(site.heard("/").is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_download_without_a_folder_comes_to_nothing() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<a href=/file>x</a>"));
        site.at("/file", html("data").with("Content-Disposition", "attachment; filename=x"));
        let mut room = Room::open(&browser, ContextOptions::default()).await;
        let mut tab = room.tab().await;
        tab.go(&site.url("/")).await;
        tab.evaluate("document.querySelector('a').click()").await;
        let refused = loop {
            match room.next().await {
                ContextEvent::Download(Download { state: DownloadState::Running { .. }, .. }) => {}
                ContextEvent::Download(download) => break download,
                other => panic!("{other:?}"),
            }
        };
        assert!(matches!(refused.state, DownloadState::Failed(_)), "{refused:?}");
        assert!(room.context.cancel_download(&"nonsense".into()).await.is_err());
    })
    .await;
}
