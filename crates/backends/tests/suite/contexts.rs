//! Contexts: what they keep to themselves, and each thing that one can be told to be.

use engine::ScreenshotOptions;
use engine::action::Click;
use engine::backend::{BrowserKind, ContextOptions, Geolocation, Viewport};
use engine::locator::Language;
use engine::page::{Page, WaitUntil};
use serde_json::{Value, json};
use testkit::site::Response;

use crate::case::{Given, at, cases, document, until, usual, value};

async fn go(t: &Given, page: &Page, url: &str) {
    page.navigate(url, WaitUntil::Load, &t.scope()).await.unwrap();
}

/// What the server was told by a page of such a context.
async fn echoed(t: &Given, options: ContextOptions) -> Value {
    let page = t.another_at(options, "/empty").await;
    value(&page, "fetch('/echo').then(r => r.json())").await["headers"].clone()
}

/// What a script comes to in a page, in a frame of another site, in a popup and in a worker of such a context.
async fn everywhere(t: &Given, options: ContextOptions, script: &str) -> Vec<Value> {
    t.site.page("/frame", "<p id=p>x</p>");
    let there = t.site.url_on("localhost", "/frame");
    t.site.page("/all", &document(&format!("<iframe id=f src='{there}'></iframe>")));
    let code = format!("Promise.resolve({script}).then(postMessage)");
    t.site.route("/worker.js", move |_| Response::bytes("text/javascript", code.clone()));
    let (context, page) = t.another(options, None).await;
    go(t, &page, &t.site.url("/all")).await;
    let framed = page
        .evaluate(&format!("() => {script}"), Some(&at("frameLocator('#f').locator('#p')")), &t.scope())
        .await;
    let worker = value(
        &page,
        "new Promise(done => { new Worker('/worker.js').onmessage = event => done(event.data) })",
    )
    .await;
    value(&page, "window.open('/empty') && 0").await;
    let popup = crate::case::eventually("the popup", || context.pages().get(1).cloned()).await;
    until(&popup, "location.pathname === '/empty'").await;
    vec![value(&page, script).await, framed.unwrap(), value(&popup, script).await, worker]
}

/// A page, "/all", with a frame of another site, in which a button counts its clicks.
fn serve_frame(t: &Given) {
    t.site.page("/frame", "<button id=p onclick='told++'>x</button><script>var told = 0</script>");
    let there = t.site.url_on("localhost", "/frame");
    t.site.page("/all", &document(&format!("<iframe id=f src='{there}'></iframe>")));
}

/// What a script comes to in that frame.
async fn framed(t: &Given, page: &Page, script: &str) -> Value {
    let inside = at("frameLocator('#f').locator('#p')");
    page.evaluate(&format!("() => {script}"), Some(&inside), &t.scope()).await.unwrap()
}

/// A context with pages of this size, and so many pixels for one of CSS.
fn sized(width: u32, height: u32, scale: f64) -> ContextOptions {
    let viewport = Some(Viewport { width, height, scale, mobile: false });
    ContextOptions { viewport, ..ContextOptions::default() }
}

cases! {
    "cookies are a context's own" => |t| {
        t.open("/cookie?set=who%3Dfirst").await;
        let other = t.another_at(usual(), "/empty").await;
        assert_eq!(value(&other, "document.cookie").await, "");
        t.open("/empty").await;
        assert_eq!(t.value("document.cookie").await, "who=first");
    }
    "storage is a context's own" => |t| {
        t.open("/empty").await;
        t.value("localStorage.a = 1; sessionStorage.b = 2; new Promise(done => { indexedDB.open('db').onsuccess = () => done(1) })").await;
        let other = t.another_at(usual(), "/empty").await;
        assert_eq!(value(&other, "[localStorage.length, sessionStorage.length].join()").await, "0,0");
        assert_eq!(value(&other, "indexedDB.databases().then(all => all.length)").await, 0);
    }
    "the cache is a context's own" => |t| {
        t.site.route("/kept", |_| Response::text("kept").header("Cache-Control", "max-age=3600"));
        t.open("/kept").await;
        t.another_at(usual(), "/kept").await;
        assert_eq!(t.site.hits("/kept"), 2);
    }
    "tabs of one context share its cookies and storage" => |t| {
        t.open("/empty").await;
        t.value("document.cookie = 'c=1'; localStorage.a = 'shared'").await;
        let second = t.context.new_page(&t.scope()).await.unwrap();
        go(t, &second, &t.site.url("/empty")).await;
        assert_eq!(value(&second, "document.cookie + localStorage.a").await, "c=1shared");
        assert_eq!(value(&second, "sessionStorage.length").await, 0);
    }
    "a size" => |t| {
        let viewport = Viewport { width: 333, height: 444, scale: 1.5, mobile: false };
        let page = t.another_at(ContextOptions { viewport: Some(viewport), ..ContextOptions::default() }, "/empty").await;
        assert_eq!(value(&page, "[innerWidth, innerHeight, devicePixelRatio].join()").await, "333,444,1.5");
    }
    "popups and pages by turns have the context's size, and the one that they are given" => |t| {
        let (context, page) = t.another(sized(640, 480, 1.0), None).await;
        go(t, &page, &t.site.url("/empty")).await;
        for _ in 0..2 {
            let known = context.pages().len();
            value(&page, "window.open('/empty') && 0").await;
            let popup = crate::case::eventually("the popup", || context.pages().get(known).cloned()).await;
            until(&popup, "location.pathname === '/empty' && document.readyState === 'complete'").await;
            let tab = context.new_page(&t.scope()).await.unwrap();
            for one in [&popup, &tab] {
                assert_eq!(value(one, "[innerWidth, innerHeight].join()").await, "640,480");
                one.resize(Viewport { width: 500, height: 400, scale: 1.0, mobile: false }, &t.scope()).await.unwrap();
                assert_eq!(value(one, "[innerWidth, innerHeight].join()").await, "500,400");
            }
        }
    }
    "a device's pixels in a frame of another site" => |t| {
        serve_frame(t);
        let page = t.another_at(sized(333, 444, 1.5), "/all").await;
        assert_eq!(framed(t, &page, "devicePixelRatio").await, 1.5);
    }
    "a frame of another site is used and seen in a page with more pixels" => |t| {
        serve_frame(t);
        let page = t.another_at(sized(400, 300, 2.0), "/all").await;
        let button = at("frameLocator('#f').locator('#p')");
        page.click(&button, &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(framed(t, &page, "[devicePixelRatio, told].join()").await, "2,1");
        let options = ScreenshotOptions { css_scale: false, ..ScreenshotOptions::default() };
        let shot = page.screenshot(&options, &t.scope()).await.unwrap();
        assert_eq!((shot.width, shot.height), (800, 600));
    }
    "a device's pixels in a popup's frame of another site" => |t| {
        serve_frame(t);
        let (context, page) = t.another(sized(400, 300, 2.0), None).await;
        go(t, &page, &t.site.url("/empty")).await;
        value(&page, "window.open('/all') && 0").await;
        let popup = crate::case::eventually("the popup", || context.pages().get(1).cloned()).await;
        until(&popup, "location.pathname === '/all' && document.readyState === 'complete'").await;
        assert_eq!(framed(t, &popup, "devicePixelRatio").await, 2);
        assert_eq!(value(&popup, "devicePixelRatio").await, 2);
    }
    "contexts with several devices' pixels stay apart in frames of another site" => |t| {
        serve_frame(t);
        let mut pages = Vec::new();
        for (width, height, scale) in [(1280, 720, 2.0), (333, 444, 1.0), (390, 844, 3.0), (1280, 720, 1.0)] {
            pages.push((t.another_at(sized(width, height, scale), "/all").await, scale));
        }
        for (page, scale) in &pages {
            assert_eq!(value(page, "devicePixelRatio").await.as_f64(), Some(*scale));
            assert_eq!(framed(t, page, "devicePixelRatio").await.as_f64(), Some(*scale));
        }
    }
    "a frame of another site follows when its page gets more pixels" => |t| {
        serve_frame(t);
        let page = t.another_at(sized(400, 300, 1.0), "/all").await;
        for (width, scale) in [(400, 2.0), (500, 3.0), (450, 1.0)] {
            page.resize(Viewport { width, height: 300, scale, mobile: false }, &t.scope()).await.unwrap();
            // The frame hears of it a moment later.
            let follows = format!("new Promise(done => {{ const look = () => devicePixelRatio === {scale} ? done('follows') : setTimeout(look, 20); look() }})");
            assert_eq!(framed(t, &page, &follows).await, "follows");
            assert_eq!(value(&page, "[innerWidth, devicePixelRatio].join()").await, format!("{width},{scale}"));
        }
    }
    "a phone's size follows the page's viewport" => |t| {
        t.site.page("/", "<meta name=viewport content='width=device-width'><p>x");
        let viewport = Some(Viewport { width: 390, height: 800, scale: 2.0, mobile: true });
        let page = t.another_at(ContextOptions { viewport, ..ContextOptions::default() }, "/").await;
        assert_eq!(value(&page, "[innerWidth, devicePixelRatio].join()").await, "390,2");
    }
    "a browser without a window calls itself what it is called with one, everywhere" => |t| {
        // Only Chromium has client hints.
        let hints = t.browser.identity().kind == BrowserKind::Chromium;
        let name = match t.browser.identity().kind {
            BrowserKind::Chromium => " Chrome/",
            BrowserKind::Firefox => " Firefox/",
            BrowserKind::Webkit => " Safari/",
        };
        let told = everywhere(t, usual(), "navigator.userAgent + ' ' + JSON.stringify(navigator.userAgentData?.brands)").await;
        for told in told {
            let told = told.as_str().unwrap();
            assert!(!told.contains("Headless") && told.contains(name), "{told}");
            assert!(!hints || told.contains(r#""brand":"Chromium""#), "{told}");
        }
        let headers = echoed(t, usual()).await;
        assert!(!headers.to_string().contains("Headless"), "{headers}");
        assert!(!hints || headers["sec-ch-ua"].as_str().unwrap().contains("Chromium"), "{headers}");
        let first = t.site.requests().into_iter().find(|request| request.path == "/all").unwrap();
        assert!(first.header("user-agent").unwrap().contains(name), "{first:?}");
    }
    "the browser's name stays with another language" => |t| {
        let options = ContextOptions { locale: Some("de-DE".to_owned()), ..usual() };
        let name = "navigator.userAgent";
        assert_eq!(everywhere(t, options, name).await, everywhere(t, usual(), name).await);
    }
    "client hints, which only Chromium has, stay with another language" => |t| {
        let options = ContextOptions { locale: Some("de-DE".to_owned()), ..usual() };
        let told = everywhere(t, options, "navigator.userAgentData?.brands.length ?? null").await;
        let hints = t.browser.identity().kind == BrowserKind::Chromium;
        assert!(told.iter().all(|count| count.as_u64().is_some_and(|count| count > 0) == hints), "{told:?}");
    }
    "a page is not told that it is driven" => |t| {
        t.open("/empty").await;
        assert_eq!(t.value("navigator.webdriver").await, false);
    }
    "a user agent, everywhere" => |t| {
        let options = ContextOptions { user_agent: Some("Suite/1.0".to_owned()), ..usual() };
        assert_eq!(everywhere(t, options.clone(), "navigator.userAgent").await, vec![json!("Suite/1.0"); 4]);
        assert_eq!(echoed(t, options).await["user-agent"], "Suite/1.0");
    }
    "a user agent on the very first request" => |t| {
        let options = ContextOptions { user_agent: Some("Suite/1.0".to_owned()), ..usual() };
        t.another_at(options, "/empty").await;
        let requests = t.site.requests();
        let first = requests.iter().find(|request| request.path == "/empty").unwrap();
        assert_eq!(first.header("user-agent"), Some("Suite/1.0"));
    }
    "a language, everywhere" => |t| {
        let options = ContextOptions { locale: Some("de-DE".to_owned()), ..usual() };
        assert_eq!(everywhere(t, options.clone(), "navigator.language").await, vec![json!("de-DE"); 4]);
        let headers = echoed(t, options).await;
        assert!(headers["accept-language"].as_str().unwrap().starts_with("de-DE"), "{headers}");
    }
    "a language is that of numbers and dates" => |t| {
        let options = ContextOptions { locale: Some("de-DE".to_owned()), ..usual() };
        let told = everywhere(t, options, "(1234.5).toLocaleString() + ' ' + new Intl.DateTimeFormat().resolvedOptions().locale").await;
        assert_eq!(told, vec![json!("1.234,5 de-DE"); 4]);
    }
    "a time zone, everywhere" => |t| {
        let options = ContextOptions { timezone: Some("Pacific/Auckland".to_owned()), ..usual() };
        let told = everywhere(t, options, "Intl.DateTimeFormat().resolvedOptions().timeZone + new Date(0).getHours()").await;
        assert_eq!(told, vec![json!("Pacific/Auckland12"); 4]);
    }
    "a time zone that is none is refused" => |t| {
        let options = ContextOptions { timezone: Some("Mars/Olympus".to_owned()), ..usual() };
        let opened = match engine::context::Context::open(&*t.browser, options, None).await {
            Ok(context) => {
                let page = context.new_page(&t.scope()).await.is_ok();
                context.close(base::Deadline::after(crate::case::LIMIT)).await;
                page
            }
            Err(_) => false,
        };
        assert!(!opened);
    }
    "a colour scheme" => |t| {
        for (scheme, dark) in [("dark", true), ("light", false)] {
            let options = ContextOptions { color_scheme: Some(scheme.to_owned()), ..usual() };
            let page = t.another_at(options, "/empty").await;
            assert_eq!(value(&page, "matchMedia('(prefers-color-scheme: dark)').matches").await, dark, "{scheme}");
        }
    }
    "a colour scheme in frames and popups" => |t| {
        let options = ContextOptions { color_scheme: Some("dark".to_owned()), ..usual() };
        let told = everywhere(t, options, "globalThis.matchMedia ? matchMedia('(prefers-color-scheme: dark)').matches : 'worker'").await;
        assert_eq!(told, [json!(true), json!(true), json!(true), json!("worker")]);
    }
    "extra headers go with every request" => |t| {
        let options = ContextOptions { extra_headers: vec![("X-Suite".to_owned(), "yes".to_owned())], ..usual() };
        assert_eq!(echoed(t, options.clone()).await["x-suite"], "yes");
        let told = everywhere(t, options, "fetch('/echo').then(r => r.json()).then(told => told.headers['x-suite'])").await;
        assert_eq!(told, vec![json!("yes"); 4]);
        let requests = t.site.requests();
        assert!(requests.iter().filter(|request| request.path == "/all").all(|request| request.header("x-suite") == Some("yes")));
    }
    "extra headers can be set later" => |t| {
        t.open("/empty").await;
        t.context.backend().set_extra_headers(vec![("X-Late".to_owned(), "1".to_owned())]).await.unwrap();
        assert_eq!(t.value("fetch('/echo').then(r => r.json()).then(told => told.headers['x-late'])").await, "1");
        t.context.backend().set_extra_headers(Vec::new()).await.unwrap();
        assert_eq!(t.value("fetch('/echo?2').then(r => r.json()).then(told => 'x-late' in told.headers)").await, false);
    }
    "permissions are granted" => |t| {
        let options = ContextOptions { permissions: vec!["geolocation".to_owned(), "notifications".to_owned()], ..usual() };
        let (_, page) = t.another(options, None).await;
        go(t, &page, &t.site.url_on("localhost", "/empty")).await;
        for name in ["geolocation", "notifications"] {
            assert_eq!(value(&page, &format!("navigator.permissions.query({{ name: '{name}' }}).then(p => p.state)")).await, "granted", "{name}");
        }
    }
    "permissions that nobody granted are not" => |t| {
        let (_, page) = t.another(usual(), None).await;
        go(t, &page, &t.site.url_on("localhost", "/empty")).await;
        assert_ne!(value(&page, "navigator.permissions.query({ name: 'geolocation' }).then(p => p.state)").await, "granted");
    }
    "permissions can be granted later, to one origin" => |t| {
        let there = t.site.url_on("localhost", "");
        t.context.backend().grant_permissions(vec!["geolocation".to_owned()], Some(there.clone())).await.unwrap();
        go(t, &t.page, &format!("{there}/empty")).await;
        let query = "navigator.permissions.query({ name: 'geolocation' }).then(p => p.state)";
        assert_eq!(t.value(query).await, "granted");
        t.open("/empty").await;
        assert_ne!(t.value(query).await, "granted");
    }
    "a permission that no browser knows is refused" => |t| {
        let granted = t.context.backend().grant_permissions(vec!["unheard-of".to_owned()], None).await;
        assert!(granted.is_err());
    }
    "a position" => |t| {
        let options = ContextOptions {
            geolocation: Some(Geolocation { latitude: 48.25, longitude: 11.5, accuracy: 10.0 }),
            permissions: vec!["geolocation".to_owned()], ..usual()
        };
        let (context, page) = t.another(options, None).await;
        go(t, &page, &t.site.url_on("localhost", "/empty")).await;
        let ask = "new Promise((done, fail) => navigator.geolocation.getCurrentPosition(p => done([p.coords.latitude, p.coords.longitude].join()), fail))";
        assert_eq!(value(&page, ask).await, "48.25,11.5");
        context.backend().set_geolocation(Some(Geolocation { latitude: 1.5, longitude: 2.5, accuracy: 1.0 })).await.unwrap();
        assert_eq!(value(&page, ask).await, "1.5,2.5");
        assert_eq!(value(&context.new_page(&t.scope()).await.unwrap(), "1").await, 1);
    }
    "offline and back" => |t| {
        t.open("/empty").await;
        t.context.backend().set_offline(true).await.unwrap();
        assert_eq!(t.value("navigator.onLine").await, false);
        assert_eq!(t.value("fetch('/echo').then(() => 'came', () => 'failed')").await, "failed");
        assert!(t.go("/empty", WaitUntil::Load).await.is_err());
        t.context.backend().set_offline(false).await.unwrap();
        t.open("/empty").await;
        assert_eq!(t.value("navigator.onLine").await, true);
    }
    "offline holds for tabs that come later" => |t| {
        t.context.backend().set_offline(true).await.unwrap();
        let second = t.context.new_page(&t.scope()).await.unwrap();
        assert!(second.navigate(&t.site.url("/empty"), WaitUntil::Load, &t.scope()).await.is_err());
        let other = t.another_at(usual(), "/empty").await;
        assert_eq!(value(&other, "navigator.onLine").await, true);
    }
    "another attribute for test ids, in frames and popups too" => |t| {
        let there = t.site.url_on("localhost", "/in");
        t.site.page("/in", "<button data-qa=inner>B</button>");
        t.site.page("/ids", &document(&format!("<p data-qa=one>1</p><p data-testid=one>2</p><iframe id=f src='{there}'></iframe>")));
        let options = ContextOptions { test_id_attribute: Some("data-qa".to_owned()), ..usual() };
        let (context, page) = t.another(options, None).await;
        go(t, &page, &t.site.url("/ids")).await;
        let text = |target| {
            let (page, scope) = (&page, t.scope());
            async move { page.evaluate("el => el.textContent", Some(&at(target)), &scope).await.unwrap() }
        };
        assert_eq!(text("getByTestId('one')").await, "1");
        assert_eq!(text("data-testid=one").await, "2");
        assert_eq!(text("frameLocator('#f').getByTestId('inner')").await, "B");
        let clicked = page.click(&at("p >> nth=0"), &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(clicked.locator.code(Language::TypeScript), "getByTestId('one')");
        value(&page, "window.open('/in') && 0").await;
        let popup = crate::case::eventually("the popup", || context.pages().get(1).cloned()).await;
        until(&popup, "location.pathname === '/in'").await;
        let clicked = popup.click(&at("button"), &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(clicked.locator.code(Language::TypeScript), "getByTestId('inner')");
    }
    "a script knows nothing of ours" => |t| {
        t.open("/empty").await;
        assert_eq!(t.value("Object.keys(window).filter(name => /injected|e2e|cdc_|playwright/i.test(name))").await, json!([]));
    }
    "ten contexts at once keep apart" => |t| {
        let mut pages = Vec::new();
        for number in 0..10 {
            let page = t.another_at(usual(), "/empty").await;
            value(&page, &format!("document.cookie = 'n={number}'; localStorage.n = {number}")).await;
            pages.push(page);
        }
        for (number, page) in pages.iter().enumerate() {
            assert_eq!(value(page, "document.cookie + localStorage.n").await, format!("n={number}{number}"));
        }
    }
}
