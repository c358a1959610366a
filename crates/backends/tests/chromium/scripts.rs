//! Questions to the injected script and functions of the user's, and what ends them.

use engine::backend::*;
use serde_json::{Value, json};

use crate::site::{Site, html};
use crate::tab::*;

fn value(raw: &serde_json::value::RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_answered_in_a_world_that_the_page_can_not_see() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<p>one<p>two<script>Array.prototype.map = () => 'broken'</script>"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        assert_eq!(tab.count(&tab.main, "p").await.unwrap(), json!(2));
        assert_eq!(tab.evaluate("typeof e2eInjected").await, json!("undefined"));
        let broken = tab.page.ask(&tab.main, &Question::new("noSuchMethod", 1)).await.unwrap_err();
        assert!(
            matches!(&broken, BackendError::Threw { message, .. } if message.contains("TypeError")),
            "{broken:?}"
        );
        let nowhere = tab.page.ask(&"no frame".into(), &count("p")).await.unwrap_err();
        assert_eq!(nowhere, BackendError::FrameGone);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_element_is_held_asked_about_handed_to_the_page_and_let_go() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<button id=b class=mine>x</button><iframe srcdoc='<p>'></iframe>"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        let find = |css: &str| Question::new("queryFirst", selector(css));
        assert_eq!(tab.page.ask_for_node(&tab.main, &find("#none")).await.unwrap(), None);
        let button = tab.page.ask_for_node(&tab.main, &find("#b")).await.unwrap().unwrap();
        let function = "(element, more) => { element.mark = more; return [element.className, element.mark] }";
        let arguments = vec![Argument::Node(button.clone()), Argument::Json(json!({ "a": 1 }))];
        let answer = tab.page.evaluate(&tab.main, function, arguments).await.unwrap();
        assert_eq!(value(&answer), json!(["mine", { "a": 1 }]));
        let about = tab.page.ask_about(&button, &count("no matter")).await.unwrap();
        assert_eq!(value(&about), json!(0), "counted below the button");
        assert_eq!(tab.page.content_frame(&button).await.unwrap(), None);
        let frame = tab.page.ask_for_node(&tab.main, &find("iframe")).await.unwrap().unwrap();
        let inner = tab.page.content_frame(&frame).await.unwrap().unwrap();
        assert_eq!(tab.count(&inner, "p").await.unwrap(), json!(1));
        let around = tab.page.frame_element(&inner).await.unwrap();
        assert_eq!(tab.page.content_frame(&around).await.unwrap(), Some(inner));
        tab.page.release(button.clone());
        let gone = tab.page.evaluate(&tab.main, "x => 1", vec![Argument::Node(button)]).await.unwrap_err();
        assert_eq!(gone, BackendError::DocumentGone);
        let main = tab.page.frame_element(&tab.main).await.unwrap_err();
        assert!(matches!(main, BackendError::Refused { .. }), "{main:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_function_gives_is_plain_json_and_what_it_throws_is_told() {
    with_browser(async |browser| {
        let (_room, tab) = tab(&browser).await;
        let evaluate =
            async |function: &str| in_time(tab.page.evaluate(&tab.main, function, Vec::new())).await;
        assert_eq!(
            value(&evaluate("() => ({ a: [1.5, 'x', null] })").await.unwrap()),
            json!({ "a": [1.5, "x", null] })
        );
        assert_eq!(value(&evaluate("() => undefined").await.unwrap()), Value::Null);
        assert_eq!(value(&evaluate("async () => 'later \\ud800'").await.unwrap()), json!("later \u{fffd}"));
        let threw = async |function: &str| match evaluate(function).await.unwrap_err() {
            BackendError::Threw { message, stack } => (message, stack),
            other => panic!("{other:?}"),
        };
        let (message, stack) = threw("() => { throw new TypeError('no') }").await;
        assert_eq!(message, "TypeError: no");
        assert!(stack.is_some());
        assert_eq!(threw("async () => { throw 'a word' }").await.0, "a word");
        assert!(threw("() => {").await.0.contains("SyntaxError"));
        assert!(threw("1 + 1").await.0.contains("SyntaxError"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_never_outlives_its_document() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<iframe srcdoc='<p>'></iframe>"));
        site.at("/next", html("<p>"));
        let (_room, mut tab) = tab(&browser).await;
        for target in [site.url("/next"), site.elsewhere("/next"), "about:blank".to_owned()] {
            tab.go(&site.url("/")).await;
            let never = tab.page.evaluate(&tab.main, "() => new Promise(() => {})", Vec::new());
            let leave = async {
                tab.evaluate("1").await;
                tab.page.navigate(&tab.main, &target, None).await.unwrap()
            };
            let (answer, _) = tokio::join!(in_time(never), leave);
            assert_eq!(answer.unwrap_err(), BackendError::DocumentGone, "{target}");
        }
        tab.go(&site.url("/")).await;
        let frame = tab.child().await;
        let never = tab.page.evaluate(&frame, "() => new Promise(() => {})", Vec::new());
        let remove = async {
            tab.evaluate_in(&frame, "1").await;
            tab.evaluate("document.querySelector('iframe').remove()").await;
        };
        let (answer, ()) = tokio::join!(in_time(never), remove);
        assert_eq!(answer.unwrap_err(), BackendError::DocumentGone);
        tab.wait(|event| matches!(event, PageEvent::FrameDetached { .. }).then_some(())).await;
        assert_eq!(tab.count(&frame, "p").await, Err(BackendError::FrameGone));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_between_documents_are_answered_by_one_or_refused() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<p>"));
        let (_room, mut tab) = tab(&browser).await;
        for round in 0..20 {
            let url = if round % 2 == 0 { site.url("/") } else { site.elsewhere("/") };
            let (_, answer) =
                tokio::join!(tab.page.navigate(&tab.main, &url, None), tab.count(&tab.main, "p"));
            let known = matches!(answer, Ok(_) | Err(BackendError::DocumentGone));
            assert!(known, "{answer:?}");
        }
        tab.go(&site.url("/")).await;
        assert_eq!(tab.count(&tab.main, "p").await.unwrap(), json!(1));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endless_loop_is_ended_wherever_it_runs() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html(&format!("<iframe src='{}'></iframe>", site.elsewhere("/inner"))));
        site.at("/inner", html("<p>"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        let inner = tab.child().await;
        for frame in [tab.main.clone(), inner] {
            tab.forget();
            let page = tab.page.clone();
            let looping = page.evaluate(&frame, "() => { console.log('begun'); for (;;); }", Vec::new());
            let end = async {
                tab.wait(|event| matches!(event, PageEvent::Console(_)).then_some(())).await;
                in_time(page.interrupt()).await.unwrap();
            };
            let (ended, ()) = tokio::join!(in_time(looping), end);
            assert!(matches!(ended, Err(BackendError::Threw { .. })), "{ended:?}");
            assert_eq!(tab.evaluate_in(&frame, "1").await, json!(1));
            assert!(tab.count(&frame, "p").await.is_ok());
        }
        // Nothing runs: nothing is harmed.
        in_time(tab.page.interrupt()).await.unwrap();
        assert_eq!(tab.evaluate("2").await, json!(2));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loop_behind_a_dialog_is_ended_too() {
    with_browser(async |browser| {
        let (_room, mut tab) = tab(&browser).await;
        let page = tab.page.clone();
        let main = tab.main.clone();
        let looping = page.evaluate(&main, "() => { alert('first'); for (;;); }", Vec::new());
        let end = async {
            tab.dialog().await;
            in_time(page.interrupt()).await.unwrap();
        };
        let (ended, ()) = tokio::join!(in_time(looping), end);
        assert!(matches!(ended, Err(BackendError::Threw { .. })), "{ended:?}");
        tab.wait(|event| matches!(event, PageEvent::DialogClosed { .. }).then_some(())).await;
        assert_eq!(tab.evaluate("3").await, json!(3));
    })
    .await;
}
