//! Frames, most of all those that live in another process than the page around them; and pages whose process dies.

use engine::backend::*;
use serde_json::json;

use crate::site::{Site, html};
use crate::tab::*;

async fn nested(site: &Site) {
    let frame = "<style>body{margin:0}iframe{border:0;position:absolute;left:100px;top:50px}</style>";
    site.at("/", html(&format!("{frame}<iframe src='{}'></iframe>", site.elsewhere("/inner"))));
    site.at("/local", html(&format!("{frame}<iframe src='/inner'></iframe>")));
    let inner = "<style>body{margin:0}</style><input style='position:absolute;left:0;top:0;width:80px;height:20px'>\
                 <button style='position:absolute;left:0;top:40px;width:80px;height:20px' \
                 onclick='document.title=\"clicked\"'>x</button>";
    site.at("/inner", html(inner));
}

/// Waits until the document is on the screen.
const PAINTED: &str = "new Promise(drawn => {
    const look = () => performance.getEntriesByType('paint').length ? drawn(true) : requestAnimationFrame(look);
    look();
})";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frame_in_another_process_is_asked_clicked_and_typed_into() {
    with_browser(async |browser| {
        let site = Site::start().await;
        nested(&site).await;
        let (room, mut tab) = tab(&browser).await;
        room.context
            .add_init_script("globalThis.runs = (globalThis.runs || 0) + 1".to_owned())
            .await
            .unwrap();
        tab.go(&site.url("/")).await;
        let inner = tab.child().await;
        assert_eq!(tab.evaluate_in(&inner, "location.hostname").await, json!("localhost"));
        assert_eq!(tab.evaluate_in(&inner, "runs").await, json!(1));
        assert_eq!(tab.count(&inner, "input").await.unwrap(), json!(1));
        // The browser knows where the frame is once it has drawn it.
        tab.evaluate_in(&inner, PAINTED).await;
        tab.click(120.0, 100.0).await;
        assert_eq!(tab.evaluate_in(&inner, "document.title").await, json!("clicked"));
        tab.click(120.0, 60.0).await;
        let typed =
            Key { key: "k".into(), code: "KeyK".into(), key_code: 75, location: 0, text: Some("k".into()) };
        let modifiers = Modifiers::default();
        let keys = vec![
            InputEvent::KeyDown { key: typed.clone(), repeat: false, modifiers },
            InputEvent::KeyUp { key: typed, modifiers },
            InputEvent::Text("é😀".to_owned()),
        ];
        tab.page.input(keys).await.unwrap();
        assert_eq!(tab.evaluate_in(&inner, "document.querySelector('input').value").await, json!("ké😀"));
        let element = tab.page.frame_element(&inner).await.unwrap();
        assert_eq!(element.frame, tab.main);
        assert_eq!(tab.page.content_frame(&element).await.unwrap(), Some(inner.clone()));
        tab.evaluate("document.querySelector('iframe').remove()").await;
        let gone = tab
            .wait(|event| match event {
                PageEvent::FrameDetached { frame } => Some(frame.clone()),
                _ => None,
            })
            .await;
        assert_eq!(gone, inner);
        assert_eq!(tab.count(&inner, "input").await, Err(BackendError::FrameGone));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frame_stays_the_same_when_it_moves_between_processes() {
    with_browser(async |browser| {
        let site = Site::start().await;
        nested(&site).await;
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/local")).await;
        let frame = tab.child().await;
        for url in [site.elsewhere("/inner"), site.url("/inner"), site.elsewhere("/inner")] {
            tab.forget();
            let started = tab.page.navigate(&frame, &url, None).await.unwrap();
            assert!(matches!(started, Started::Navigation(_)), "{started:?}");
            tab.loaded(&frame).await;
            assert_eq!(tab.evaluate_in(&frame, "location.href").await, json!(url));
            assert_eq!(tab.count(&frame, "button").await.unwrap(), json!(1));
            let attached = |event: &PageEvent| {
                matches!(event, PageEvent::FrameAttached { .. } | PageEvent::FrameDetached { .. })
            };
            assert!(!tab.log.iter().any(attached), "{:#?}", tab.log);
        }
        tab.go(&site.url("/inner")).await;
        assert_eq!(tab.count(&frame, "button").await, Err(BackendError::FrameGone));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blank_frames_and_frames_that_scripts_write_have_their_worlds() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<iframe></iframe>"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        let frame = tab
            .wait(|event| match event {
                PageEvent::FrameAttached { frame, .. } => Some(frame.clone()),
                _ => None,
            })
            .await;
        assert_eq!(tab.count(&frame, "p").await.unwrap(), json!(0));
        assert_eq!(tab.evaluate_in(&frame, "location.href").await, json!("about:blank"));
        tab.evaluate("frames[0].document.body.innerHTML = '<p>'").await;
        assert_eq!(tab.count(&frame, "p").await.unwrap(), json!(1));
        let write = "(() => { const d = frames[0].document; d.open(); d.write('<p><p>'); d.close() })()";
        tab.evaluate(write).await;
        assert_eq!(tab.count(&frame, "p").await.unwrap(), json!(2));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_crashed_answers_at_once_and_comes_back_by_a_navigation() {
    with_browser(async |browser| {
        let site = Site::start().await;
        nested(&site).await;
        let (room, mut tab) = tab(&browser).await;
        room.context.add_init_script("globalThis.mine = 7".to_owned()).await.unwrap();
        tab.go(&site.url("/")).await;
        let never = tab.page.evaluate(&tab.main, "() => new Promise(() => {})", Vec::new());
        let crash = async {
            tab.evaluate("1").await;
            // The address crashes the page's process; whether the navigation is ever answered does not matter.
            let _ = tokio::time::timeout(
                std::time::Duration::from_secs(5),
                tab.page.navigate(&tab.main, "chrome://crash", None),
            )
            .await;
        };
        let (answer, ()) = tokio::join!(in_time(never), crash);
        let gone = matches!(answer, Err(BackendError::PageGone | BackendError::DocumentGone));
        assert!(gone, "{answer:?}");
        tab.wait(|event| matches!(event, PageEvent::Crashed).then_some(())).await;
        assert_eq!(in_time(tab.page.ask(&tab.main, &count("p"))).await.unwrap_err(), BackendError::PageGone);
        assert_eq!(in_time(tab.page.input(click(1.0, 1.0))).await.unwrap_err(), BackendError::PageGone);
        let nowhere = in_time(tab.page.navigate(&tab.main, "no address", None)).await.unwrap();
        assert!(matches!(nowhere, Started::Failed(_)), "{nowhere:?}");
        assert_eq!(in_time(tab.page.ask(&tab.main, &count("p"))).await.unwrap_err(), BackendError::PageGone);
        tab.go(&site.url("/inner")).await;
        assert_eq!(tab.count(&tab.main, "button").await.unwrap(), json!(1));
        assert_eq!(tab.evaluate("[mine, innerWidth]").await, json!([7, 1280]));
        tab.click(10.0, 50.0).await;
        assert_eq!(tab.evaluate("document.title").await, json!("clicked"));
    })
    .await;
}
