//! Pages that pages open.

use engine::backend::*;
use serde_json::json;

use crate::site::{Site, html};
use crate::tab::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_popup_comes_with_its_opener_and_is_equipped_before_its_first_script() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<title>opener</title>"));
        let popup = "<script>globalThis.seen = [globalThis.mine, navigator.userAgent, navigator.language, \
                     Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, \
                     matchMedia('(prefers-color-scheme: dark)').matches]; console.log('first')</script>";
        site.at("/popup", html(popup));
        let options = ContextOptions {
            viewport: Some(Viewport { width: 700, height: 500, scale: 2.0, mobile: false }),
            user_agent: Some("mine/1".to_owned()),
            locale: Some("de-DE".to_owned()),
            timezone: Some("Asia/Tokyo".to_owned()),
            color_scheme: Some("dark".to_owned()),
            extra_headers: vec![("X-Mine".to_owned(), "yes".to_owned())],
            ..ContextOptions::default()
        };
        let mut room = Room::open(&browser, options).await;
        room.context
            .add_init_script("globalThis.mine = (globalThis.mine || 0) + 1".to_owned())
            .await
            .unwrap();
        let mut tab = room.tab().await;
        tab.go(&site.url("/")).await;
        for (number, url) in [site.url("/popup"), site.elsewhere("/popup")].iter().enumerate() {
            for how in [
                format!("void window.open('{url}')"),
                format!("void window.open('{url}', '_blank', 'noopener')"),
                format!("void window.open('{url}', '_blank', 'popup,width=300,height=200')"),
            ] {
                tab.evaluate(&how).await;
                let mut popup = in_time(room.popup()).await;
                assert_eq!(popup.opener.as_ref(), Some(tab.page.id()));
                let text = |event: &PageEvent| match event {
                    PageEvent::Console(entry) => Some(entry.text.clone()),
                    _ => None,
                };
                assert_eq!(popup.wait(text).await, "first");
                popup.loaded(&popup.main.clone()).await;
                let seen = popup.evaluate("seen").await;
                assert_eq!(seen, json!([1, "mine/1", "de-DE", "Asia/Tokyo", 700, true]), "{number} {how}");
                let heard = site.heard("/popup").unwrap();
                assert_eq!(heard.headers["x-mine"], "yes");
                assert_eq!(heard.headers["user-agent"], "mine/1");
                assert!(heard.headers["accept-language"].starts_with("de-DE"), "{heard:?}");
                popup.page.close(false).await.unwrap();
                assert_eq!(popup.rest().await.last(), Some(&PageEvent::Closed));
            }
        }
        assert!(room.now().is_none(), "what was asked for is not announced");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_blank_popup_that_its_opener_writes_has_everything_too() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<title>opener</title>"));
        let (mut room, mut tab) = tab(&browser).await;
        room.context.add_init_script("globalThis.mine = 1".to_owned()).await.unwrap();
        tab.go(&site.url("/")).await;
        tab.evaluate("void (globalThis.w = window.open()).document.write('<p>written')").await;
        let popup = room.popup().await;
        assert_eq!(popup.count(&popup.main, "p").await.unwrap(), json!(1));
        assert_eq!(popup.evaluate("mine").await, json!(1));
        tab.evaluate("w.close()").await;
        assert_eq!(popup.rest().await.last(), Some(&PageEvent::Closed));
        let again = in_time(tab.page.close(false)).await;
        assert_eq!(again, Ok(()));
        assert_eq!(in_time(tab.page.close(true)).await, Ok(()), "a closed page is closed");
        assert_eq!(in_time(tab.page.ask(&tab.main, &count("p"))).await.unwrap_err(), BackendError::PageGone);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_opened_at_the_same_time_each_go_to_who_asked() {
    with_browser(async |browser| {
        let (mut room, tab) = tab(&browser).await;
        let opened = futures_util::future::join_all((0..4).map(|_| room.context.new_page())).await;
        let mut ids: Vec<String> =
            opened.into_iter().map(|opened| opened.unwrap().page.id().to_string()).collect();
        ids.push(tab.page.id().to_string());
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 5);
        assert!(room.now().is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_run_and_are_heard() {
    with_browser(async |browser| {
        let site = Site::start().await;
        let script = |text: &str| {
            let mut reply = html(text);
            reply.headers = vec![("Content-Type", "text/javascript".to_owned())];
            reply
        };
        site.at("/w.js", script("console.log('from the worker'); fetch('/data').then(() => postMessage('done'))"));
        site.at("/s.js", script("onconnect = event => event.ports[0].postMessage('shared')"));
        site.at("/sw.js", script("onfetch = () => {}"));
        site.at("/data", html("x"));
        site.at("/", html("<script>const w = new Worker('/w.js'); w.onmessage = event => console.log(event.data);\
            const s = new SharedWorker('/s.js'); s.port.onmessage = event => console.log(event.data);\
            navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => console.log('service'))\
            </script>"));
        let (mut room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        for wanted in ["from the worker", "done", "shared", "service"] {
            tab.wait(|event| matches!(event, PageEvent::Console(entry) if entry.text == wanted).then_some(())).await;
        }
        let data = |event: &PageEvent| {
            matches!(event, PageEvent::Requested(request) if request.url.ends_with("/data")).then_some(())
        };
        tab.wait(data).await;
        assert!(room.now().is_none());
        tab.go(&site.url("/")).await;
    })
    .await;
}
