//! Elements in frames: nested, scrolled, of other origins, covered from outside.

use engine::Failed;
use engine::action::{Click, Typing};
use serde_json::json;

use crate::case::{at, brief, cases};

const INNER: &str = "<!doctype html><body style='margin:0'><button id=b onclick='this.textContent=\"clicked\"'>Go</button><input id=i>";

/// The way into a frame.
const ENTER: &str = "iframe >> internal:control=enter-frame >> ";

cases! {
    "elements in frames are clicked and written into" => |t| {
        t.site.page("/inner", INNER);
        t.site.page("/tall", &format!("<div style='height:3000px'></div>{INNER}"));
        t.site.page("/far", &format!("{INNER}<style>#b, #i {{ position: absolute; top: 300px }} #b {{ left: 200px }} #i {{ left: 350px }}</style>"));
        t.site.page("/scaled", "<!doctype html><body style='margin:0'><iframe src=/far style='transform:scale(1.25);transform-origin:0 0;width:600px;height:400px'></iframe>");
        let elsewhere = t.site.url_on("localhost", "/inner");
        t.site.page("/middle", &format!("<!doctype html><div style='height:500px'></div><iframe id=f src='{elsewhere}'></iframe>"));
        let middle_elsewhere = t.site.url_on("localhost", "/middle");
        let cases = [
            ("<iframe id=f src=/inner></iframe>".to_owned(), ENTER.to_owned()),
            ("<iframe id=f src=/inner style='margin:50px;border:7px solid;padding:11px'></iframe>".to_owned(), ENTER.to_owned()),
            (format!("<iframe id=f src='{elsewhere}' style='margin:50px'></iframe>"), ENTER.to_owned()),
            ("<div style='height:2000px'></div><iframe id=f src=/tall></iframe>".to_owned(), ENTER.to_owned()),
            ("<div style='height:80px;overflow:auto'><div style='height:900px'></div><iframe id=f src=/inner></iframe></div>".to_owned(), ENTER.to_owned()),
            ("<iframe id=f src=/middle style='height:100px;margin-top:1500px'></iframe>".to_owned(), ENTER.repeat(2)),
            (format!("<iframe id=f src='{middle_elsewhere}' style='height:100px;margin-top:1500px'></iframe>"), ENTER.repeat(2)),
            ("<iframe id=f src=/inner style='transform:scale(0.5);transform-origin:0 0'></iframe>".to_owned(), ENTER.to_owned()),
            ("<iframe id=f src=/far style='transform:scale(0.5);width:600px;height:400px;border:9px solid;padding:5px'></iframe>".to_owned(), ENTER.to_owned()),
            ("<iframe id=f src=/scaled style='transform:scale(0.8);width:900px;height:600px'></iframe>".to_owned(), ENTER.repeat(2)),
            ("<div id=h><template shadowrootmode=open><iframe id=f src=/inner></iframe></template></div>".to_owned(), ENTER.to_owned()),
            (format!("<iframe id=f srcdoc=\"{}\"></iframe>", INNER.replace('"', "&quot;")), ENTER.to_owned()),
        ];
        for (html, path) in cases {
            t.show(&html).await;
            let (clicked, settled) = t.click(&format!("{path}#b")).await;
            let acted = clicked.unwrap_or_else(|failed| panic!("{html}: {failed:?}"));
            assert!(!settled.unfinished, "{html}");
            let code = acted.locator.code(engine::locator::Language::TypeScript);
            assert_eq!(code.matches("contentFrame()").count(), path.matches("enter-frame").count(), "{code}");
            t.page.type_text(&at(&format!("{path}#i")), "hello", &Typing::default(), &t.scope()).await.unwrap();
            assert_eq!(t.value_within(&path, "[b.textContent, i.value]").await, json!(["clicked", "hello"]), "{html}");
        }
    }
    // Input may go past a frame that is not drawn where it is by now. Only the frame can tell, and here it tells nothing.
    "a click that its frame never saw is tried again and believed in the end" => |t| {
        t.site.page(
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
        t.show("<iframe id=f src=/inner></iframe>").await;
        let (clicked, _) = t.click("iframe >> internal:control=enter-frame >> #b").await;
        clicked.unwrap();
        assert_eq!(t.value("f.contentWindow.pressed").await, 3);
    }
    "a frame that is covered is told" => |t| {
        t.site.page("/inner", INNER);
        t.show("<iframe id=f src=/inner></iframe><div class=modal style='position:fixed;inset:0'></div>").await;
        let selector = "#f >> internal:control=enter-frame >> #b";
        let (clicked, _) = t.click_how(selector, &Click::default(), &brief()).await;
        let Err(Failed::NotActionable { obstacle, diary, .. }) = clicked else { panic!("{clicked:?}") };
        assert!(obstacle.to_string().contains("modal"), "{obstacle}");
        assert!(diary.iter().any(|line| line.contains("its frame is covered by")), "{diary:?}");
    }
    "a frame that comes late is waited for" => |t| {
        t.site.page("/inner", INNER);
        t.show("<div id=r></div><script>setTimeout(() => r.innerHTML = '<iframe id=f src=/inner></iframe>', 300)</script>").await;
        t.click("#f >> internal:control=enter-frame >> #b").await.0.unwrap();
        assert_eq!(t.value_within(ENTER, "b.textContent").await, "clicked");
    }
    "a click in a frame may have its effect outside" => |t| {
        t.site.page("/inner", "<!doctype html><button id=b onclick='parent.postMessage(1, \"*\")'>Go</button>");
        let elsewhere = t.site.url_on("localhost", "/inner");
        t.show(&format!("<p id=out></p><iframe id=f src='{elsewhere}'></iframe><script>onmessage = () => out.textContent = 'told'</script>")).await;
        t.click("#f >> internal:control=enter-frame >> #b").await.0.unwrap();
        assert_eq!(t.value("out.textContent").await, "told");
    }
}
