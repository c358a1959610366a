//! What is done every day, in each way that the browser is run: the shell without a window, the full browser without one,
//! and the full browser with its windows.

use engine::action::{Click, Typing};
use engine::backend::{BrowserKind, ContextOptions};
use engine::page::WaitUntil;
use engine::{Failed, ScreenshotOptions};
use serde_json::json;

use crate::case::{at, cases, document, eventually, until, usual, value};

cases! {
    "a page is opened, clicked, written into and read" => |t| {
        t.show("<title>case</title><input aria-label=Name><button onclick='p.textContent = document.querySelector(\"input\").value'>Go</button><p id=p></p>").await;
        t.page.type_text(&at("getByLabel('Name')"), "Ada", &Typing::default(), &t.scope()).await.unwrap();
        let slowly = Typing { append: true, delay: Some(crate::case::ms(1)), ..Typing::default() };
        t.page.type_text(&at("getByLabel('Name')"), " L.", &slowly, &t.scope()).await.unwrap();
        let mark = t.page.mark();
        t.page.click(&at("getByRole('button')"), &Click::default(), &t.scope()).await.unwrap();
        assert!(!t.page.settle(&mark, &t.scope()).await.unfinished);
        assert!(t.snapshot().await.contains("Ada L."));
    }
    "a page has its size, and pictures of it too" => |t| {
        t.show("<div style='height:3000px'></div>").await;
        assert_eq!(t.value("[innerWidth, innerHeight, devicePixelRatio]").await, json!([1280, 720, 1]));
        for (full_page, height) in [(false, 720), (true, 3016)] {
            let options = ScreenshotOptions { full_page, ..ScreenshotOptions::default() };
            let shot = t.page.screenshot(&options, &t.scope()).await.unwrap();
            assert_eq!((shot.width, shot.height), (1280, height));
        }
    }
    "a popup is followed, used and closed" => |t| {
        t.site.page("/popup", "<title>popup</title><button onclick='document.title = \"clicked\"'>In</button>");
        t.show("<a href='/popup' target=_blank>Open</a>").await;
        t.page.click(&at("a"), &Click::default(), &t.scope()).await.unwrap();
        let popup = t.tabs(2).await.remove(1);
        until(&popup, "document.readyState === 'complete'").await;
        popup.click(&at("button"), &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(value(&popup, "document.title").await, "clicked");
        assert!(t.context.close_page(Some(1), &t.scope()).await.unwrap());
        t.tabs(1).await;
        assert_eq!(t.value("1").await, 1);
    }
    "a tab in the background works like one in front" => |t| {
        t.show("<button onclick='requestAnimationFrame(() => this.textContent = 7)'>b</button>").await;
        t.context.new_page(&t.scope()).await.unwrap();
        t.page.click(&at("button"), &Click::default(), &t.scope()).await.unwrap();
        t.until("document.querySelector('button').textContent === '7'").await;
        assert_eq!(t.value("document.hasFocus()").await, true);
    }
    "a frame of another site is used" => |t| {
        t.site.page("/in", "<button onclick='this.textContent = 7'>In</button>");
        let there = t.site.url_on("localhost", "/in");
        t.show(&format!("<iframe src='{there}'></iframe>")).await;
        let inner = at("frameLocator('iframe').locator('button')");
        t.page.click(&inner, &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(t.page.evaluate("el => el.textContent", Some(&inner), &t.scope()).await.unwrap(), "7");
    }
    "a dialog is told and answered" => |t| {
        t.show("<button onclick='this.textContent = confirm(\"Sure?\")'>b</button>").await;
        let clicked = t.page.click(&at("button"), &Click::default(), &t.scope()).await;
        assert!(matches!(clicked, Ok(_) | Err(Failed::Interrupted(_))), "{clicked:?}");
        t.seen(|state| state.dialogs.last().cloned()).await;
        t.page.answer_dialog(true, None, &t.scope()).await.unwrap();
        t.until("document.querySelector('button').textContent === 'true'").await;
    }
    "contexts keep apart" => |t| {
        t.open("/empty").await;
        t.value("document.cookie = 'a=1'").await;
        let other = t.another_at(usual(), "/empty").await;
        assert_eq!(value(&other, "document.cookie").await, "");
    }
    "a download is a file" => |t| {
        t.show("").await;
        t.value("location.href = '/download?name=report.txt&bytes=2048'").await;
        let done = |download: &engine::backend::Download| matches!(download.state, engine::backend::DownloadState::Done(_));
        eventually("the download", || t.context.downloads().into_iter().find(done)).await;
    }
    "the browser calls itself the same" => |t| {
        t.open("/empty").await;
        let agent = t.value("navigator.userAgent").await;
        let agent = agent.as_str().unwrap();
        assert!(!agent.contains("Headless"), "{agent}");
        // Only Chromium has client hints, and hides its version but for the first number.
        if t.browser.identity().kind == BrowserKind::Chromium {
            assert!(agent.contains(".0.0.0 Safari/"), "{agent}");
            let brands = t.value("navigator.userAgentData.brands.map(brand => brand.brand)").await;
            assert_eq!(brands.as_array().unwrap().len(), 2, "{brands}");
        }
        assert_eq!(t.value("navigator.webdriver").await, false);
    }
    "a page of its own language and zone" => |t| {
        t.site.page("/", &document(""));
        let options = ContextOptions { locale: Some("de-DE".to_owned()), timezone: Some("Asia/Tokyo".to_owned()), ..usual() };
        let page = t.another_at(options, "/").await;
        let told = value(&page, "[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]").await;
        assert_eq!(told, json!(["de-DE", "Asia/Tokyo"]));
        page.navigate(&t.site.url("/empty"), WaitUntil::Load, &t.scope()).await.unwrap();
    }
}
