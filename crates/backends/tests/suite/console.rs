//! The console of a page: its levels, its values, its exceptions, and what floods of it cost.

use engine::backend::{ConsoleEntry, ConsoleLevel};
use engine::page::State;

use crate::case::{Given, cases, document, eventually};

/// Waits for a line with this text.
async fn line(t: &Given, text: &str) -> ConsoleEntry {
    let found = |state: &State| {
        state.console.since(0, ConsoleLevel::Debug).find(|entry| entry.text.contains(text)).cloned()
    };
    let line = t.page.wait_for(&t.scope(), found).await;
    line.unwrap_or_else(|why| panic!("{text}: {why}; {:?}", t.page.state().console))
}

/// What the page writes when it runs a script.
async fn written(t: &Given, script: &str) -> String {
    t.show("").await;
    t.value(&format!("{script}; console.log('the end'); 0")).await;
    line(t, "the end").await;
    let state = t.page.state();
    state.console.since(0, ConsoleLevel::Debug).next().unwrap().text.clone()
}

cases! {
    "each level is told as what it is" => |t| {
        t.show("").await;
        t.value("console.debug('d'); console.log('l'); console.info('i'); console.warn('w'); console.error('e'); console.log('the end')").await;
        line(t, "the end").await;
        let levels: Vec<(String, ConsoleLevel)> = {
            let state = t.page.state();
            state.console.since(0, ConsoleLevel::Debug).map(|entry| (entry.text.clone(), entry.level)).take(5).collect()
        };
        let expected = [("d", ConsoleLevel::Debug), ("l", ConsoleLevel::Info), ("i", ConsoleLevel::Info), ("w", ConsoleLevel::Warning), ("e", ConsoleLevel::Error)];
        assert_eq!(levels, expected.map(|(text, level)| (text.to_owned(), level)));
    }
    "several values are one line" => |t| {
        assert_eq!(written(t, "console.log('a', 1, true, null, undefined)").await, "a 1 true null undefined");
    }
    "objects are readable" => |t| {
        let text = written(t, "console.log('got', { id: 7, name: 'Ada' })").await;
        assert!(text.starts_with("got") && text.contains("id") && text.contains('7') && text.contains("Ada"), "{text}");
    }
    "lists are readable" => |t| {
        let text = written(t, "console.log([1, 'two', { three: 3 }])").await;
        assert!(text.contains('1') && text.contains("two"), "{text}");
    }
    "errors are told with their message" => |t| {
        let text = written(t, "console.error(new TypeError('no such thing'))").await;
        assert!(text.contains("TypeError") && text.contains("no such thing"), "{text}");
    }
    "elements are told" => |t| {
        let text = written(t, "console.log(document.body)").await;
        assert!(text.contains("body"), "{text}");
    }
    "functions, symbols, dates and big numbers are told" => |t| {
        let text = written(t, "console.log(function named() {}, Symbol('s'), 10n, NaN, -0)").await;
        assert!(text.contains("named") && text.contains("Symbol(s)") && text.contains("10") && text.contains("NaN"), "{text}");
    }
    "a failed assertion is an error" => |t| {
        t.show("").await;
        t.value("console.assert(1 === 2, 'mathematics broke')").await;
        assert_eq!(line(t, "mathematics broke").await.level, ConsoleLevel::Error);
    }
    "a line has its place" => |t| {
        t.site.route("/a.js", |_| testkit::site::Response::bytes("text/javascript", "\n\n  console.log('placed')"));
        t.show("<script src='/a.js'></script>").await;
        let place = line(t, "placed").await.place.unwrap();
        assert_eq!((place.url, place.line), (t.site.url("/a.js"), 2));
    }
    "a line has its time" => |t| {
        t.show("<script>console.log('timed ' + Date.now())</script>").await;
        let entry = line(t, "timed ").await;
        let told: f64 = entry.text.trim_start_matches("timed ").parse().unwrap();
        assert!((entry.at * 1000.0 - told).abs() < 60_000.0, "{} and {told}", entry.at);
    }
    "an exception that nobody caught is told with its place" => |t| {
        t.site.route("/a.js", |_| testkit::site::Response::bytes("text/javascript", "\nsetTimeout(() => { throw new RangeError('boom') })"));
        t.show("<script src='/a.js'></script>").await;
        let entry = line(t, "boom").await;
        assert!(entry.uncaught && entry.level == ConsoleLevel::Error);
        assert!(entry.text.contains("RangeError"), "{}", entry.text);
        let place = entry.place.unwrap();
        assert_eq!((place.url, place.line), (t.site.url("/a.js"), 1));
    }
    "an exception while the page loads is told" => |t| {
        t.show("<script>null.x</script>").await;
        assert!(line(t, "TypeError").await.uncaught);
    }
    "a script that can't be read is told" => |t| {
        t.show("<script>if (</script>").await;
        assert!(line(t, "SyntaxError").await.uncaught);
    }
    "a thrown value that is no error is told" => |t| {
        t.show("<script>setTimeout(() => { throw 'plain words' })</script>").await;
        assert!(line(t, "plain words").await.uncaught);
        t.show("<script>setTimeout(() => { throw { code: 'E77' } })</script>").await;
        assert!(line(t, "E77").await.uncaught);
    }
    "a rejection that nobody handled is told" => |t| {
        t.show("<script>Promise.reject(new Error('rejected'))</script>").await;
        let entry = line(t, "rejected").await;
        assert!(entry.uncaught && entry.level == ConsoleLevel::Error);
    }
    "an exception that was caught is not told" => |t| {
        t.show("<script>try { null.x } catch { console.log('caught') }</script>").await;
        line(t, "caught").await;
        assert_eq!(t.page.state().console.since(0, ConsoleLevel::Warning).count(), 0);
    }
    "a script of the agent's that throws is not the page's exception" => |t| {
        t.show("").await;
        assert!(t.evaluate("null.x").await.is_err());
        t.value("console.log('the end')").await;
        line(t, "the end").await;
        assert_eq!(t.page.state().console.since(0, ConsoleLevel::Warning).count(), 0);
    }
    "a frame's lines are the page's" => |t| {
        t.show("<iframe srcdoc='<script>console.log(\"from the frame\")</script>'></iframe>").await;
        line(t, "from the frame").await;
    }
    "the lines of a frame of another site are the page's" => |t| {
        t.site.page("/in", "<script>console.warn('from afar'); setTimeout(() => { throw new Error('broken afar') })</script>");
        let there = t.site.url_on("localhost", "/in");
        t.show(&format!("<iframe src='{there}'></iframe>")).await;
        assert_eq!(line(t, "from afar").await.level, ConsoleLevel::Warning);
        assert!(line(t, "broken afar").await.uncaught);
    }
    "a worker's lines are the page's" => |t| {
        t.site.route("/w.js", |_| testkit::site::Response::bytes("text/javascript", "console.log('from the worker')"));
        t.show("<script>new Worker('/w.js')</script>").await;
        line(t, "from the worker").await;
    }
    "a resource that is not there is told" => |t| {
        t.show("<img src='/missing.png'>").await;
        let entry = line(t, "404").await;
        assert_eq!(entry.level, ConsoleLevel::Error);
    }
    "what a policy refuses is told" => |t| {
        t.open("/csp").await;
        assert_eq!(line(t, "Content Security Policy").await.level, ConsoleLevel::Error);
    }
    "a flood is remembered in part and counted whole" => |t| {
        t.show("").await;
        t.value("for (let i = 0; i < 5000; i++) console.log('line ' + i)").await;
        t.seen(|state| (state.console.next_index() >= 5000).then_some(())).await;
        line(t, "line 4999").await;
        assert!(t.page.state().console.since(0, ConsoleLevel::Debug).count() <= 1000);
        assert_eq!(t.value("1").await, 1);
    }
    "a line without end is cut" => |t| {
        t.show("").await;
        t.value("console.log('start' + 'x'.repeat(1000000))").await;
        assert!(line(t, "start").await.text.len() < 20_000);
    }
    "a deep object costs no time" => |t| {
        t.show("").await;
        t.value("let a = {}; for (let i = 0; i < 10000; i++) a = { a }; console.log('deep', a); console.log('wide', Array(1e6).fill(1)); 0").await;
        line(t, "deep").await;
        line(t, "wide").await;
    }
    "a page that patched its console is told what it let through" => |t| {
        t.show("<script>const real = console.log; console.log = (...args) => real('patched', ...args); console.log('x')</script>").await;
        line(t, "patched x").await;
    }
    "lines outlive a navigation" => |t| {
        t.show("<script>console.log('first page')</script>").await;
        t.site.page("/b", &document("<script>console.log('second page')</script>"));
        t.open("/b").await;
        line(t, "second page").await;
        line(t, "first page").await;
    }
    "warnings and errors since a moment are told" => |t| {
        t.show("").await;
        let before = t.context.moment();
        t.value("console.log('plain'); console.warn('careful'); console.error('bad')").await;
        let told = eventually("both lines", || Some(t.context.since(&before).console).filter(|lines| lines.len() == 2)).await;
        assert_eq!(told.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>(), ["careful", "bad"]);
    }
}
