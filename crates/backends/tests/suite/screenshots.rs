//! Pictures: how large they are, what is on them, and that taking one changes nothing.

use engine::backend::{ContextOptions, PictureFormat, Viewport};
use engine::locator::Language;
use engine::page::{Page, WaitUntil};
use engine::{Failed, Obstacle, Screenshot, ScreenshotOptions};
use testkit::site::Response;

use crate::case::{Given, at, cases, document, ms, scope_of};

async fn shot(t: &Given, options: ScreenshotOptions) -> Screenshot {
    let shot = t.page.screenshot(&options, &t.scope()).await.unwrap();
    assert_eq!(size(&shot.bytes), (shot.width, shot.height), "what is told is what is in the file");
    shot
}

async fn of(t: &Given, target: &str) -> Screenshot {
    shot(t, ScreenshotOptions { target: Some(at(target)), ..ScreenshotOptions::default() }).await
}

async fn full(t: &Given) -> Screenshot {
    shot(t, ScreenshotOptions { full_page: true, ..ScreenshotOptions::default() }).await
}

/// Width and height, as the file itself says.
fn size(bytes: &[u8]) -> (u32, u32) {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        return (number(16), number(20));
    }
    assert!(bytes.starts_with(&[0xff, 0xd8]), "neither PNG nor JPEG");
    let mut next = 2;
    loop {
        let (marker, length) =
            (bytes[next + 1], usize::from(u16::from_be_bytes([bytes[next + 2], bytes[next + 3]])));
        if matches!(marker, 0xc0..=0xc2) {
            let number = |at: usize| u32::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
            return (number(next + 7), number(next + 5));
        }
        next += 2 + length;
    }
}

/// The colour at a point of a picture, as a browser decodes it: `255,0,0`.
async fn colour(t: &Given, shot: &Screenshot, x: u32, y: u32) -> String {
    let (bytes, mime) = (shot.bytes.clone(), shot.mime);
    t.site.route("/shot", move |_| Response::bytes(mime, bytes.clone()).header("Cache-Control", "no-store"));
    let (_, page) = t.another(ContextOptions::default(), None).await;
    page.navigate(&t.site.url("/empty"), WaitUntil::Load, &t.scope()).await.unwrap();
    let told = crate::case::value(
        &page,
        &format!(
            "const picture = await createImageBitmap(await (await fetch('/shot')).blob());
         const canvas = new OffscreenCanvas(1, 1).getContext('2d');
         canvas.drawImage(picture, -{x}, -{y});
         return Array.from(canvas.getImageData(0, 0, 1, 1).data).slice(0, 3).join()"
        ),
    )
    .await;
    told.as_str().unwrap().to_owned()
}

const TALL: &str = "<style>body { margin: 0 } div { height: 1000px }</style>
    <div style='background: rgb(255,0,0)'></div><div style='background: rgb(0,255,0)'></div><div id=last style='background: rgb(0,0,255)'></div>";

/// A page of another context, with this device.
async fn device(t: &Given, viewport: Viewport) -> Page {
    t.another_at(ContextOptions { viewport: Some(viewport), ..ContextOptions::default() }, "/").await
}

cases! {
    "what is in view" => |t| {
        t.show(TALL).await;
        let shot = shot(t, ScreenshotOptions::default()).await;
        assert_eq!((shot.width, shot.height, shot.mime, shot.cut), (1280, 720, "image/png", false));
        assert_eq!(colour(t, &shot, 640, 700).await, "255,0,0");
    }
    "what is in view after scrolling" => |t| {
        t.show(TALL).await;
        t.value("scrollTo(0, 1100)").await;
        let shot = shot(t, ScreenshotOptions::default()).await;
        assert_eq!(colour(t, &shot, 10, 10).await, "0,255,0");
        assert_eq!(t.value("scrollY").await, 1100);
    }
    "the whole page" => |t| {
        t.show(TALL).await;
        let shot = full(t).await;
        assert_eq!((shot.width, shot.height, shot.cut), (1280, 3000, false));
        assert_eq!(colour(t, &shot, 5, 5).await, "255,0,0");
        assert_eq!(colour(t, &shot, 1270, 2990).await, "0,0,255");
    }
    "the whole page leaves it scrolled as it was" => |t| {
        t.show(TALL).await;
        t.value("scrollTo(0, 500)").await;
        full(t).await;
        assert_eq!(t.value("[scrollY, innerWidth, innerHeight].join()").await, "500,1280,720");
    }
    "the whole of a page that is smaller than the view is the view" => |t| {
        t.show("<p>short</p>").await;
        let shot = full(t).await;
        assert_eq!((shot.width, shot.height), (1280, 720));
    }
    "the whole of a wide page" => |t| {
        t.show("<style>body { margin: 0 } div { width: 3000px; height: 100px; background: rgb(1,2,3) }</style><div></div>").await;
        let shot = full(t).await;
        assert_eq!(shot.width, 3000);
        assert_eq!(colour(t, &shot, 2990, 50).await, "1,2,3");
    }
    "a picture is never too large, and says when it is cut" => |t| {
        t.show("<style>body { margin: 0 } div { height: 20000px; background: linear-gradient(red, blue) }</style><div></div>").await;
        let shot = full(t).await;
        assert_eq!((shot.width, shot.height, shot.cut), (1280, 8000, true));
    }
    "an element" => |t| {
        t.show("<style>body { margin: 0 } #e { position: absolute; left: 100px; top: 50px; width: 200px; height: 80px; background: rgb(9,8,7) }</style><div id=e></div>").await;
        let shot = of(t, "#e").await;
        assert_eq!((shot.width, shot.height), (200, 80));
        assert_eq!(colour(t, &shot, 2, 2).await, "9,8,7");
        assert_eq!(colour(t, &shot, 198, 78).await, "9,8,7");
    }
    "an element below the view" => |t| {
        t.show(TALL).await;
        let shot = of(t, "#last").await;
        assert_eq!((shot.width, shot.height), (1280, 1000));
        assert_eq!(colour(t, &shot, 600, 990).await, "0,0,255");
        assert_eq!(colour(t, &shot, 600, 5).await, "0,0,255");
    }
    "an element in a box that scrolls" => |t| {
        t.show("<div style='height:100px;width:300px;overflow:auto'><div style='height:900px'></div><div id=e style='height:50px;background:rgb(5,6,7)'></div></div>").await;
        let shot = of(t, "#e").await;
        assert_eq!(shot.height, 50);
        assert_eq!(colour(t, &shot, 20, 25).await, "5,6,7");
    }
    "an element by its ref" => |t| {
        t.show("<button style='width:120px;height:40px;border:0'>Go</button>").await;
        let reference = crate::corpus::ref_of(&t.snapshot().await, "Go");
        let shot = of(t, &reference).await;
        assert_eq!((shot.width, shot.height), (120, 40));
    }
    "an element in a frame" => |t| {
        t.site.page("/in", &document("<style>body { margin: 0 } #e { margin: 30px; width: 60px; height: 40px; background: rgb(3,4,5) }</style><div id=e></div>"));
        t.show("<style>body { margin: 0 } iframe { margin: 100px; border: 7px solid black; padding: 3px }</style><iframe id=f src='/in'></iframe>").await;
        let shot = of(t, "frameLocator('#f').locator('#e')").await;
        assert_eq!((shot.width, shot.height), (60, 40));
        for (x, y) in [(1, 1), (58, 38)] {
            assert_eq!(colour(t, &shot, x, y).await, "3,4,5");
        }
    }
    "an element in a frame of another site that is below the view" => |t| {
        t.site.page("/in", &document("<style>body { margin: 0 } #e { width: 60px; height: 40px; background: rgb(3,4,5) }</style><div style='height:500px'></div><div id=e></div>"));
        let there = t.site.url_on("localhost", "/in");
        t.show(&format!("<div style='height:2000px'></div><iframe id=f src='{there}'></iframe>")).await;
        let shot = of(t, "frameLocator('#f').locator('#e')").await;
        assert_eq!((shot.width, shot.height), (60, 40));
        assert_eq!(colour(t, &shot, 30, 20).await, "3,4,5");
    }
    "an element that is too small to be seen is refused" => |t| {
        t.show("<div id=e style='height:0'></div><p id=h hidden>x</p>").await;
        for target in ["#e", "#h"] {
            let options = ScreenshotOptions { target: Some(at(target)), ..ScreenshotOptions::default() };
            let told = t.page.screenshot(&options, &t.scope()).await;
            assert!(matches!(told, Err(Failed::NotActionable { obstacle: Obstacle::Invisible, .. })), "{told:?}");
        }
    }
    "an element that is not there is told" => |t| {
        t.show("").await;
        let options = ScreenshotOptions { target: Some(at("#absent")), ..ScreenshotOptions::default() };
        let told = t.page.screenshot(&options, &scope_of(ms(2000))).await;
        assert!(matches!(told, Err(Failed::NotFound { .. })), "{told:?}");
    }
    "what is too large for a conversation is shown smaller, and the file is not" => |t| {
        t.show(TALL).await;
        let options = ScreenshotOptions { full_page: true, shown: true, ..ScreenshotOptions::default() };
        let whole = shot(t, options.clone()).await;
        assert_eq!((whole.width, whole.height), (1280, 3000));
        let smaller = whole.shown.clone().unwrap();
        let (width, height) = size(&smaller.bytes);
        assert_eq!((width, height), (smaller.width, smaller.height), "what is told is what is in the file");
        assert!(height <= 1568 && height > 1550 && width * height <= 1_150_000, "{smaller:?}");
        let shown = Screenshot { bytes: smaller.bytes, ..whole };
        assert_eq!(colour(t, &shown, 5, height / 2).await, "0,255,0");
        let view = shot(t, ScreenshotOptions { full_page: false, ..options.clone() }).await;
        assert_eq!(view.shown, None);
        t.site.page("/dense", TALL);
        let dense = Viewport { width: 1280, height: 720, scale: 2.0, mobile: false };
        let page = t.another_at(ContextOptions { viewport: Some(dense), ..ContextOptions::default() }, "/dense").await;
        let own = ScreenshotOptions { full_page: false, css_scale: false, ..options };
        let dense = page.screenshot(&own, &t.scope()).await.unwrap();
        let smaller = dense.shown.unwrap();
        let (width, height) = size(&smaller.bytes);
        assert_eq!((size(&dense.bytes), (width, height)), ((2560, 1440), (smaller.width, smaller.height)));
        assert!(width <= 1568 && width * height <= 1_150_000 && width * height > 1_100_000, "{smaller:?}");
    }
    "an element is told by what finds it" => |t| {
        t.site.page("/in", "<button>Inner</button>");
        t.show("<button>Go</button><iframe title=f src=/in></iframe>").await;
        let code = |shot: Screenshot| shot.locator.unwrap().code(Language::TypeScript);
        assert_eq!(code(of(t, "css=button").await), "getByRole('button', { name: 'Go' })");
        let inner = code(of(t, "frameLocator('iframe').locator('button')").await);
        assert!(inner.ends_with(".contentFrame().getByRole('button', { name: 'Inner' })"), "{inner}");
    }
    "a JPEG" => |t| {
        t.show(TALL).await;
        let shot = shot(t, ScreenshotOptions { format: PictureFormat::Jpeg(80), ..ScreenshotOptions::default() }).await;
        assert_eq!((shot.width, shot.height, shot.mime), (1280, 720, "image/jpeg"));
    }
    "a JPEG of less quality is smaller" => |t| {
        t.show("<canvas id=c width=800 height=600></canvas><script>const g = c.getContext('2d');
            for (let i = 0; i < 4000; i++) { g.fillStyle = `hsl(${i * 7} 90% 50%)`; g.fillRect(i * 37 % 800, i * 91 % 600, 9, 9) }</script>").await;
        let jpeg = |quality| ScreenshotOptions { format: PictureFormat::Jpeg(quality), ..ScreenshotOptions::default() };
        let (low, high) = (shot(t, jpeg(10)).await, shot(t, jpeg(95)).await);
        assert!(low.bytes.len() < high.bytes.len());
    }
    "a device with more pixels, in CSS pixels and in its own" => |t| {
        t.site.page("/", TALL);
        let page = device(t, Viewport { width: 400, height: 300, scale: 2.0, mobile: false }).await;
        let css = page.screenshot(&ScreenshotOptions::default(), &t.scope()).await.unwrap();
        assert_eq!((size(&css.bytes), css.width), ((400, 300), 400));
        let own = page.screenshot(&ScreenshotOptions { css_scale: false, ..ScreenshotOptions::default() }, &t.scope()).await.unwrap();
        assert_eq!((size(&own.bytes), own.width), ((800, 600), 800));
    }
    "the whole page of a device with more pixels is bounded in its own" => |t| {
        t.site.page("/", "<style>body { margin: 0 } div { height: 20000px }</style><div></div>");
        let page = device(t, Viewport { width: 400, height: 300, scale: 2.0, mobile: false }).await;
        let options = ScreenshotOptions { css_scale: false, full_page: true, ..ScreenshotOptions::default() };
        let shot = page.screenshot(&options, &t.scope()).await.unwrap();
        assert_eq!((size(&shot.bytes), shot.cut), ((800, 8000), true));
    }
    "an element of a device with more pixels" => |t| {
        t.site.page("/", "<style>body { margin: 0 } #e { width: 50px; height: 20px; background: red }</style><div id=e></div>");
        let page = device(t, Viewport { width: 400, height: 300, scale: 2.0, mobile: false }).await;
        let options = ScreenshotOptions { css_scale: false, target: Some(at("#e")), ..ScreenshotOptions::default() };
        let shot = page.screenshot(&options, &t.scope()).await.unwrap();
        assert_eq!(size(&shot.bytes), (100, 40));
    }
    "a phone" => |t| {
        t.site.page("/", "<meta name=viewport content='width=device-width'><p>x</p>");
        let page = device(t, Viewport { width: 390, height: 844, scale: 3.0, mobile: true }).await;
        let shot = page.screenshot(&ScreenshotOptions::default(), &t.scope()).await.unwrap();
        assert_eq!(size(&shot.bytes), (390, 844));
    }
    "a resized page" => |t| {
        t.show(TALL).await;
        t.page.resize(Viewport { width: 500, height: 400, scale: 1.0, mobile: false }, &t.scope()).await.unwrap();
        assert_eq!(t.value("[innerWidth, innerHeight].join()").await, "500,400");
        let shot = shot(t, ScreenshotOptions::default()).await;
        assert_eq!((shot.width, shot.height), (500, 400));
    }
    "a tab in the background" => |t| {
        t.show(TALL).await;
        t.context.new_page(&t.scope()).await.unwrap();
        let shot = shot(t, ScreenshotOptions::default()).await;
        assert_eq!(colour(t, &shot, 640, 360).await, "255,0,0");
    }
    "a blank page" => |t| {
        let shot = shot(t, ScreenshotOptions::default()).await;
        assert_eq!(colour(t, &shot, 5, 5).await, "255,255,255");
    }
    "a page that never stops moving" => |t| {
        t.show("<style>@keyframes s { to { transform: rotate(1turn) } } div { width: 100px; height: 100px; background: red; animation: s 1s infinite linear }</style><div></div>").await;
        shot(t, ScreenshotOptions::default()).await;
    }
    "an element of half pixels is not cut off" => |t| {
        t.show("<style>body { margin: 0 } #e { position: absolute; left: 10.5px; top: 10.5px; width: 50.5px; height: 20.5px; background: red }</style><div id=e></div>").await;
        let shot = of(t, "#e").await;
        assert!((50..=52).contains(&shot.width) && (20..=22).contains(&shot.height), "{shot:?}");
    }
}
