//! The console.

use engine::backend::*;

use crate::site::{Site, html};
use crate::tab::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_is_told_as_a_person_reads_it() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at(
            "/",
            html(
                "<script>console.log('plain', { a: 1, b: 'x', c: [1, 2] }, [1, 'y'], null, undefined, -0);\n\
                 console.warn('%s has %d%%', 'it', 5);\nconsole.debug(new Map([['k', 1]]), new Error('made').message);\n\
                 console.error(document.body);console.assert(false, 'wrong');console.clear();\n\
                 Promise.reject(new TypeError('nobody'));setTimeout(() => { throw new Error('thrown') })</script>\
                 <img src=/missing.png>",
            ),
        );
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        let entry = async |tab: &mut Tab, part: &'static str| {
            tab.wait(|event| match event {
                PageEvent::Console(entry) if entry.text.contains(part) => Some(entry.clone()),
                _ => None,
            })
            .await
        };
        let plain = entry(&mut tab, "plain").await;
        assert_eq!(plain.text, "plain {a: 1, b: \"x\", c: Array(2)} [1, \"y\"] null undefined -0");
        assert_eq!((plain.level, plain.uncaught), (ConsoleLevel::Info, false));
        assert_eq!(plain.place, Some(Place { url: site.url("/"), line: 0, column: 16 }));
        let warning = entry(&mut tab, "it has").await;
        assert_eq!((warning.text.as_str(), warning.level), ("it has 5%", ConsoleLevel::Warning));
        assert_eq!(entry(&mut tab, "Map(1)").await.text, "Map(1) {\"k\" => 1} made");
        assert_eq!(entry(&mut tab, "Assertion").await.text, "Assertion failed: wrong");
        let nobody = entry(&mut tab, "nobody").await;
        assert!(nobody.uncaught && nobody.level == ConsoleLevel::Error, "{nobody:?}");
        assert!(nobody.text.starts_with("Uncaught (in promise) TypeError: nobody"), "{nobody:?}");
        let thrown = entry(&mut tab, "thrown").await;
        assert!(thrown.uncaught && thrown.text.starts_with("Uncaught Error: thrown"), "{thrown:?}");
        let missing = entry(&mut tab, "404").await;
        assert_eq!(missing.place.map(|place| place.url), Some(site.url("/missing.png")));
    })
    .await;
}
