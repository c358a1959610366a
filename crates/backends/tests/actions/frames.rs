//! Elements in frames: nested, scrolled, of other origins, covered from outside.

use engine::Failed;
use engine::action::{Click, Typing};
use serde_json::json;

use crate::stage::{Stage, brief, on_stage, scope, target};

const INNER: &str = "<!doctype html><body style='margin:0'><button id=b onclick='this.textContent=\"clicked\"'>Go</button><input id=i>";

async fn inner_text(stage: &Stage) -> serde_json::Value {
    let frames = stage.page.state().frames.in_order().into_iter().cloned().collect::<Vec<_>>();
    stage.value_in(frames.last().unwrap(), "[b.textContent, i.value]").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn elements_in_frames_are_clicked_and_written_into() {
    on_stage(async |stage| {
        stage.site.page("/inner", INNER);
        stage.site.page("/tall", &format!("<div style='height:3000px'></div>{INNER}"));
        let elsewhere = stage.site.url_on("localhost", "/inner");
        stage.site.page("/middle", &format!("<!doctype html><div style='height:500px'></div><iframe id=f src='{elsewhere}'></iframe>"));
        let middle_elsewhere = stage.site.url_on("localhost", "/middle");
        let f = "iframe >> internal:control=enter-frame >> ";
        let cases = [
            ("<iframe id=f src=/inner></iframe>".to_owned(), f.to_owned()),
            ("<iframe id=f src=/inner style='margin:50px;border:7px solid;padding:11px'></iframe>".to_owned(), f.to_owned()),
            (format!("<iframe id=f src='{elsewhere}' style='margin:50px'></iframe>"), f.to_owned()),
            ("<div style='height:2000px'></div><iframe id=f src=/tall></iframe>".to_owned(), f.to_owned()),
            ("<div style='height:80px;overflow:auto'><div style='height:900px'></div><iframe id=f src=/inner></iframe></div>".to_owned(), f.to_owned()),
            ("<iframe id=f src=/middle style='height:100px;margin-top:1500px'></iframe>".to_owned(), f.repeat(2)),
            (format!("<iframe id=f src='{middle_elsewhere}' style='height:100px;margin-top:1500px'></iframe>"), f.repeat(2)),
            ("<iframe id=f src=/inner style='transform:scale(0.5);transform-origin:0 0'></iframe>".to_owned(), f.to_owned()),
            ("<div id=h><template shadowrootmode=open><iframe id=f src=/inner></iframe></template></div>".to_owned(), f.to_owned()),
            (format!("<iframe id=f srcdoc=\"{}\"></iframe>", INNER.replace('"', "&quot;")), f.to_owned()),
        ];
        for (html, path) in cases {
            stage.show(&html).await;
            let (clicked, settled) = stage.click(&format!("{path}#b")).await;
            let acted = clicked.unwrap_or_else(|failed| panic!("{html}: {failed:?}"));
            assert!(!settled.unfinished, "{html}");
            let code = acted.locator.code(engine::locator::Language::TypeScript);
            assert_eq!(code.matches("contentFrame()").count(), path.matches("enter-frame").count(), "{code}");
            stage.page.type_text(&target(&format!("{path}#i")), "hello", &Typing::default(), &scope()).await.unwrap();
            assert_eq!(inner_text(&stage).await, json!(["clicked", "hello"]), "{html}");
        }
    })
    .await;
}

/// Input may go past a frame that is not drawn where it is by now. Only the frame can tell, and here it tells nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_that_its_frame_never_saw_is_tried_again_and_believed_in_the_end() {
    on_stage(async |stage| {
        stage.site.page(
            "/inner",
            "<!doctype html><script>
                window.pressed = 0;
                const swallow = event => {
                    event.stopImmediatePropagation();
                    if (event.type === 'mousedown') pressed++;
                };
                for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
                    window.addEventListener(type, swallow, true);
                }
            </script><button id=b>Go</button>",
        );
        stage.show("<iframe id=f src=/inner></iframe>").await;
        let (clicked, _) = stage.click("iframe >> internal:control=enter-frame >> #b").await;
        clicked.unwrap();
        assert_eq!(stage.value("f.contentWindow.pressed").await, 3);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frame_that_is_covered_is_told() {
    on_stage(async |stage| {
        stage.site.page("/inner", INNER);
        stage
            .show("<iframe id=f src=/inner></iframe><div class=modal style='position:fixed;inset:0'></div>")
            .await;
        let selector = "#f >> internal:control=enter-frame >> #b";
        let (clicked, _) = stage.click_how(selector, &Click::default(), &brief()).await;
        let Err(Failed::NotActionable { obstacle, diary, .. }) = clicked else { panic!("{clicked:?}") };
        assert!(obstacle.to_string().contains("modal"), "{obstacle}");
        assert!(diary.iter().any(|line| line.contains("its frame is covered by")), "{diary:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frame_that_comes_late_is_waited_for() {
    on_stage(async |stage| {
        stage.site.page("/inner", INNER);
        stage
            .show("<div id=r></div><script>setTimeout(() => r.innerHTML = '<iframe id=f src=/inner></iframe>', 300)</script>")
            .await;
        stage.click("#f >> internal:control=enter-frame >> #b").await.0.unwrap();
        assert_eq!(inner_text(&stage).await[0], "clicked");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_in_a_frame_may_have_its_effect_outside() {
    on_stage(async |stage| {
        stage.site.page("/inner", "<!doctype html><button id=b onclick='parent.postMessage(1, \"*\")'>Go</button>");
        let elsewhere = stage.site.url_on("localhost", "/inner");
        stage.show(&format!("<p id=out></p><iframe id=f src='{elsewhere}'></iframe><script>onmessage = () => out.textContent = 'told'</script>")).await;
        stage.click("#f >> internal:control=enter-frame >> #b").await.0.unwrap();
        assert_eq!(stage.value("out.textContent").await, "told");
    })
    .await;
}
