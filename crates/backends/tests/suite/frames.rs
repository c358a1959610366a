//! Frames: how they come and go, how one is addressed inside them, and whose origin they may be.

use engine::page::WaitUntil;
use engine::{Condition, ElementState, Failed};

use crate::case::{Given, at, cases, document, ms, scope_of, value};

/// Shows a page with one frame, `#f`, at `url`, and waits for both.
async fn framed(t: &Given, url: &str) {
    t.show(&format!("<h1>Outer</h1><iframe id=f src='{url}'></iframe>")).await;
}

/// How many frames there are, the topmost included.
async fn frames(t: &Given, count: usize) {
    t.seen(|state| (state.frames.in_order().len() == count).then_some(())).await;
}

cases! {
    "an element in a frame is found through it" => |t| {
        t.site.page("/in", &document("<button id=b>Inside</button>"));
        framed(t, "/in").await;
        assert_eq!(t.of("frameLocator('#f').getByRole('button')", "el => el.id").await.unwrap(), "b");
        assert_eq!(t.of("#f >> internal:control=enter-frame >> #b", "el => el.textContent").await.unwrap(), "Inside");
        assert_eq!(t.of("locator('#f').contentFrame().locator('#b')", "el => el.id").await.unwrap(), "b");
    }
    "what is in a frame is not found outside of it" => |t| {
        t.site.page("/in", &document("<button id=b>Inside</button>"));
        framed(t, "/in").await;
        assert_eq!(t.count("button").await.total, 0);
        assert_eq!(t.count("frameLocator('#f').locator('h1')").await.total, 0);
    }
    "a script runs in the frame of its element" => |t| {
        t.site.page("/in", &document("<button id=b>Inside</button><script>window.where = 'inner'</script>"));
        framed(t, "/in").await;
        t.value("window.where = 'outer'").await;
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => [window.where, location.pathname].join()").await.unwrap(), "inner,/in");
    }
    "a frame of another site is entered" => |t| {
        t.site.page("/in", &document("<button id=b>Inside</button>"));
        framed(t, &t.site.url_on("localhost", "/in")).await;
        let told = t.of("frameLocator('#f').locator('#b')", "el => location.hostname + ' ' + el.id").await;
        assert_eq!(told.unwrap(), "localhost b");
    }
    "a frame of another origin is entered" => |t| {
        t.site.page("/in", &document("<button id=b>Inside</button>"));
        framed(t, &format!("{}/in", t.site.other_origin())).await;
        assert_eq!(t.count("frameLocator('#f').locator('#b')").await.total, 1);
    }
    "frames in frames are entered, whatever their sites" => |t| {
        t.site.page("/deep", &document("<i id=deep>Deep</i>"));
        let deep = t.site.url("/deep");
        t.site.page("/middle", &document(&format!("<b id=mid>Middle</b><iframe src='{deep}'></iframe>")));
        framed(t, &t.site.url_on("localhost", "/middle")).await;
        assert_eq!(t.of("frameLocator('#f').frameLocator('iframe').locator('#deep')", "el => el.textContent").await.unwrap(), "Deep");
        assert_eq!(t.of("frameLocator('#f').locator('#mid')", "el => el.textContent").await.unwrap(), "Middle");
        frames(t, 3).await;
    }
    "five frames deep" => |t| {
        for depth in 1..5 {
            t.site.page(&format!("/{depth}"), &document(&format!("<p id=p>{depth}</p><iframe src='/{}'></iframe>", depth + 1)));
        }
        t.site.page("/5", &document("<p id=p>bottom</p>"));
        t.show("<iframe src='/1'></iframe>").await;
        let way = "frameLocator('iframe').".repeat(5) + "locator('#p')";
        assert_eq!(t.of(&way, "el => el.textContent").await.unwrap(), "bottom");
    }
    "a srcdoc frame is entered" => |t| {
        t.show("<iframe id=f srcdoc='<button id=b>Doc</button>'></iframe>").await;
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => el.textContent").await.unwrap(), "Doc");
    }
    "a blank frame that a script writes into is entered" => |t| {
        t.show("<iframe id=f></iframe><script>f.contentDocument.body.innerHTML = '<button id=b>Written</button>'</script>").await;
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => el.textContent").await.unwrap(), "Written");
    }
    "a frame that is opened and written anew is entered" => |t| {
        t.show("<iframe id=f></iframe><script>
            f.contentDocument.open(); f.contentDocument.write('<button id=b>Anew</button>'); f.contentDocument.close()
        </script>").await;
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => el.textContent").await.unwrap(), "Anew");
    }
    "a sandboxed frame is entered" => |t| {
        t.site.page("/in", &document("<button id=b>Boxed</button>"));
        t.show("<iframe id=f sandbox src='/in'></iframe>").await;
        assert_eq!(t.count("frameLocator('#f').locator('#b')").await.total, 1);
    }
    "a data: frame is entered" => |t| {
        framed(t, "data:text/html,<button id=b>Data</button>").await;
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => el.textContent").await.unwrap(), "Data");
    }
    "a frame in a shadow tree is entered" => |t| {
        t.show("<x-a><template shadowrootmode=open><iframe srcdoc='<b id=b>In</b>'></iframe></template></x-a>").await;
        assert_eq!(t.of("frameLocator('x-a iframe').locator('#b')", "el => el.textContent").await.unwrap(), "In");
    }
    "a frame that comes late is waited for" => |t| {
        t.show("<script>setTimeout(() => {
            const f = document.createElement('iframe'); f.id = 'f'; f.srcdoc = '<b id=b>Late</b>'; document.body.append(f);
        }, 300)</script>").await;
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => el.textContent").await.unwrap(), "Late");
    }
    "frames are counted as they come and go" => |t| {
        t.show("<iframe id=a srcdoc=a></iframe><iframe id=b srcdoc=b></iframe>").await;
        frames(t, 3).await;
        t.value("document.querySelector('#a').remove()").await;
        frames(t, 2).await;
        t.value("document.body.innerHTML = ''").await;
        frames(t, 1).await;
    }
    "a removed frame takes its own frames along" => |t| {
        t.site.page("/in", &document("<iframe src='/empty'></iframe><iframe src='/empty'></iframe>"));
        framed(t, "/in").await;
        frames(t, 4).await;
        t.value("document.querySelector('#f').remove()").await;
        frames(t, 1).await;
    }
    "a navigation takes all frames along" => |t| {
        t.show("<iframe srcdoc=a></iframe><iframe srcdoc=b></iframe>").await;
        frames(t, 3).await;
        t.open("/empty").await;
        frames(t, 1).await;
    }
    "a frame that navigates is entered anew" => |t| {
        t.site.page("/one", &document("<b id=x>one</b>"));
        t.site.page("/two", &document("<b id=x>two</b>"));
        framed(t, "/one").await;
        assert_eq!(t.of("frameLocator('#f').locator('#x')", "el => el.textContent").await.unwrap(), "one");
        t.value("document.querySelector('#f').src = '/two'").await;
        let shown = Condition::Text("two".to_owned());
        t.page.wait(&shown, &t.scope()).await.unwrap();
        assert_eq!(t.of("frameLocator('#f').locator('#x')", "el => el.textContent").await.unwrap(), "two");
    }
    "a frame that moves to another site and back is entered each time" => |t| {
        t.site.page("/in", &document("<b id=x>in</b>"));
        framed(t, "/in").await;
        for url in [t.site.url_on("localhost", "/in"), t.site.url("/in"), t.site.url_on("localhost", "/in")] {
            t.value(&format!("new Promise(done => {{ const f = document.querySelector('#f'); f.onload = () => done(1); f.src = '{url}' }})")).await;
            let host = t.of("frameLocator('#f').locator('#x')", "el => location.origin").await.unwrap();
            assert!(url.starts_with(host.as_str().unwrap()), "{host} instead of {url}");
        }
        frames(t, 2).await;
    }
    "a frame's address is known" => |t| {
        t.site.page("/in", &document(""));
        framed(t, "/in").await;
        let url = t.site.url("/in");
        t.seen(|state| {
            let frame = state.frames.in_order().get(1).copied()?.clone();
            (state.frames.get(&frame)?.url == url).then_some(())
        }).await;
    }
    "a frame that navigates does not move the page" => |t| {
        t.site.page("/one", &document("<b>one</b>"));
        framed(t, "/one").await;
        let before = t.page.url();
        t.of("frameLocator('#f').locator('b')", "() => { location.href = '/empty' }").await.unwrap();
        t.asked("/empty", 1).await;
        assert_eq!(t.page.url(), before);
    }
    "a frame's fragment and history change nothing of its document" => |t| {
        t.site.page("/one", &document("<b id=b>one</b>"));
        framed(t, "/one").await;
        t.of("frameLocator('#f').locator('b')", "() => { history.pushState(0, '', '/other'); location.hash = 'x' }").await.unwrap();
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "() => location.pathname + location.hash").await.unwrap(), "/other#x");
    }
    "a frame that never answers holds no call on the page" => |t| {
        t.site.page("/", &document("<h1>Outer</h1><iframe src='/never'></iframe>"));
        t.go("/", WaitUntil::DomContentLoaded).await.unwrap();
        assert_eq!(t.count("h1").await.total, 1);
        assert_eq!(t.value("document.title").await, "case");
        assert!(t.snapshot().await.contains("heading \"Outer\""));
    }
    "a frame beside one that never answers is entered" => |t| {
        t.site.page("/in", &document("<b id=b>In</b>"));
        t.site.page("/", &document("<iframe src='/never'></iframe><iframe id=f src='/in'></iframe><iframe src='/never'></iframe>"));
        t.go("/", WaitUntil::DomContentLoaded).await.unwrap();
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => el.textContent").await.unwrap(), "In");
    }
    "a frame whose host refuses is empty and holds nothing" => |t| {
        framed(t, "http://127.0.0.1:1/").await;
        assert_eq!(t.count("h1").await.total, 1);
        // And stays so: what a browser says about the fault comes a moment after it.
        let said = Condition::Element { target: at("frameLocator('#f').locator('h1')"), state: ElementState::Attached };
        let told = t.page.wait(&said, &scope_of(ms(1500))).await;
        assert!(told.is_err(), "{told:?}");
        assert_eq!(t.count("frameLocator('#f').locator('h1')").await.total, 0);
    }
    "a frame removed during a question ends the question" => |t| {
        t.site.page("/in", &document("<b id=b>x</b>"));
        framed(t, "/in").await;
        t.value("setTimeout(() => document.querySelector('#f').remove(), 300)").await;
        let told = t.page.evaluate("() => new Promise(() => {})", Some(&at("frameLocator('#f').locator('#b')")), &t.scope()).await;
        assert!(!matches!(told, Err(Failed::Interrupted(engine::page::Interruption::TimedOut))), "{told:?}");
    }
    "a frame removed during a wait is no element any more" => |t| {
        t.site.page("/in", &document("<b id=b>x</b>"));
        framed(t, "/in").await;
        t.value("setTimeout(() => document.querySelector('#f').remove(), 300)").await;
        let gone = Condition::Element { target: at("frameLocator('#f').locator('#b')"), state: ElementState::Detached };
        t.page.wait(&gone, &t.scope()).await.unwrap();
    }
    "what is no frame is refused as one" => |t| {
        t.show("<div id=d></div>").await;
        let told = t.page.evaluate("el => 1", Some(&at("frameLocator('#d').locator('b')")), &t.scope()).await;
        let Err(Failed::Unfit { why, .. }) = told else { panic!("{told:?}") };
        assert!(why.contains("iframe"), "{why}");
    }
    "two frames of one name are refused with both" => |t| {
        t.show("<iframe srcdoc='<b>1</b>'></iframe><iframe srcdoc='<b>2</b>'></iframe>").await;
        let told = t.page.evaluate("el => 1", Some(&at("frameLocator('iframe').locator('b')")), &t.scope()).await;
        assert!(matches!(told, Err(Failed::NotUnique { count: 2, .. })), "{told:?}");
        assert_eq!(t.of("frameLocator('iframe').nth(1).locator('b')", "el => el.textContent").await.unwrap(), "2");
    }
    "a frameset's frames are entered" => |t| {
        t.site.page("/in", &document("<b id=b>Old</b>"));
        t.site.page("/set", "<frameset cols='50%,50%'><frame id=f src='/in'><frame src='/empty'></frameset>");
        t.open("/set").await;
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => el.textContent").await.unwrap(), "Old");
    }
    "an object's document is entered" => |t| {
        t.site.page("/in", &document("<b id=b>Object</b>"));
        t.show("<object id=f type='text/html' data='/in'></object>").await;
        assert_eq!(t.of("frameLocator('#f').locator('#b')", "el => el.textContent").await.unwrap(), "Object");
    }
    "a popup's frames are its own" => |t| {
        t.site.page("/in", &document("<b id=b>x</b>"));
        t.site.page("/popup", &document("<iframe id=f src='/in'></iframe>"));
        t.show("").await;
        let popup = t.popup("window.open('/popup') && 0").await;
        let told = popup.evaluate("el => el.id", Some(&at("frameLocator('#f').locator('#b')")), &t.scope()).await;
        assert_eq!(told.unwrap(), "b");
        frames(t, 1).await;
        assert_eq!(value(&popup, "frames.length").await, 1);
    }
    "a hundred frames are no trouble" => |t| {
        t.show("<script>for (let i = 0; i < 100; i++) document.write(`<iframe id=f${i} srcdoc='<b>${i}</b>'></iframe>`)</script>").await;
        frames(t, 101).await;
        assert_eq!(t.of("frameLocator('#f77').locator('b')", "el => el.textContent").await.unwrap(), "77");
    }
}
