//! Dialogs, whenever they come.

use engine::backend::*;
use serde_json::json;

use crate::site::{Site, html};
use crate::tab::*;

async fn closed(tab: &mut Tab) {
    tab.wait(|event| matches!(event, PageEvent::DialogClosed { .. }).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_kind_of_dialog_is_told_and_answered() {
    with_browser(async |browser| {
        let (_room, mut tab) = tab(&browser).await;
        let (page, main) = (tab.page.clone(), tab.main.clone());
        for (call, kind, accept, text, result) in [
            ("alert('hi')", DialogKind::Alert, true, None, json!(null)),
            ("confirm('hi')", DialogKind::Confirm, true, None, json!(true)),
            ("confirm('hi')", DialogKind::Confirm, false, None, json!(false)),
            ("prompt('hi', 'proposed')", DialogKind::Prompt, true, Some("mine"), json!("mine")),
            ("prompt('hi', 'proposed')", DialogKind::Prompt, false, None, json!(null)),
        ] {
            tab.forget();
            let function = format!("() => {call}");
            let asked = page.evaluate(&main, &function, Vec::new());
            let answer = async {
                let dialog = tab.dialog().await;
                assert_eq!((dialog.kind, dialog.message.as_str()), (kind, "hi"));
                assert_eq!(dialog.default_text, if kind == DialogKind::Prompt { "proposed" } else { "" });
                tab.page.answer_dialog(&dialog.id, accept, text).await.unwrap();
                closed(&mut tab).await;
                let late = tab.page.answer_dialog(&dialog.id, accept, text).await.unwrap_err();
                assert!(matches!(late, BackendError::Refused { .. }), "{late:?}");
            };
            let (answered, ()) = tokio::join!(in_time(asked), answer);
            let answered: serde_json::Value = serde_json::from_str(answered.unwrap().get()).unwrap();
            assert_eq!(answered, result, "{call}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dialog_while_loading_and_one_in_a_frame_elsewhere_are_told() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at(
            "/",
            html(&format!(
                "<script>alert('loading')</script><iframe src='{}'></iframe>",
                site.elsewhere("/inner")
            )),
        );
        site.at("/inner", html("<script>alert('inside')</script>"));
        let (_room, mut tab) = tab(&browser).await;
        let started = tab.page.navigate(&tab.main, &site.url("/"), None).await.unwrap();
        assert!(matches!(started, Started::Navigation(_)));
        for wanted in ["loading", "inside"] {
            let dialog = tab
                .wait(|event| match event {
                    PageEvent::DialogOpened(dialog) if dialog.message == wanted => Some(dialog.id.clone()),
                    _ => None,
                })
                .await;
            tab.page.answer_dialog(&dialog, true, None).await.unwrap();
            let closed = |event: &PageEvent| {
                matches!(event, PageEvent::DialogClosed { id } if *id == dialog).then_some(())
            };
            tab.wait(closed).await;
        }
        tab.loaded(&tab.main.clone()).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_does_not_want_to_be_left_asks() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<title>kept</title><button style='position:absolute;left:0;top:0;width:90px;height:90px'></button>\
            <script>onbeforeunload = event => event.preventDefault()</script>"));
        site.at("/next", html("<title>next</title>"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        tab.click(20.0, 20.0).await;
        let page = tab.page.clone();
        for (accept, title) in [(false, "kept"), (true, "next")] {
            tab.forget();
            let (main, url) = (tab.main.clone(), site.url("/next"));
            let leaving = page.navigate(&main, &url, None);
            let answer = async {
                let dialog = tab.dialog().await;
                assert_eq!(dialog.kind, DialogKind::BeforeUnload);
                tab.page.answer_dialog(&dialog.id, accept, None).await.unwrap();
                closed(&mut tab).await;
            };
            let (started, ()) = tokio::join!(in_time(leaving), answer);
            assert_eq!(matches!(started.unwrap(), Started::Navigation(_)), accept);
            if accept {
                tab.loaded(&tab.main.clone()).await;
            } else {
                tab.wait(|event| matches!(event, PageEvent::NavigationFailed { .. }).then_some(())).await;
            }
            assert_eq!(tab.evaluate("document.title").await, json!(title));
        }
        tab.go(&site.url("/")).await;
        tab.click(20.0, 20.0).await;
        tab.page.close(true).await.unwrap();
        let dialog = tab.dialog().await;
        tab.page.answer_dialog(&dialog.id, false, None).await.unwrap();
        assert_eq!(tab.evaluate("document.title").await, json!("kept"));
        tab.page.close(false).await.unwrap();
        assert_eq!(tab.rest().await.last(), Some(&PageEvent::Closed));
    })
    .await;
}
