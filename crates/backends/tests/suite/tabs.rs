//! Tabs: those that pages open, who opened them, which is in front, and how they go.

use engine::backend::PageId;
use engine::page::{Interruption, Life, WaitUntil};
use engine::{Condition, Failed};

use crate::case::{cases, document, eventually, ms, scope_of, until, usual, value};

cases! {
    "a tab that a script opens is followed, in the background" => |t| {
        t.site.page("/popup", "<title>popup</title>");
        t.show("").await;
        let popup = t.popup("window.open('/popup') && 0").await;
        until(&popup, "document.title === 'popup'").await;
        eventually("its address", || (popup.url() == t.site.url("/popup")).then_some(())).await;
        assert_eq!(popup.opener(), Some(t.page.id()));
        assert_eq!(t.context.current().unwrap().id(), t.page.id());
    }
    "a link into a new tab is followed" => |t| {
        t.site.page("/popup", "<title>popup</title>");
        t.show("<a id=a href='/popup' target=_blank>Open</a>").await;
        let popup = t.popup("document.querySelector('#a').click()").await;
        until(&popup, "document.title === 'popup'").await;
    }
    "a link whose tab must not know its opener" => |t| {
        t.site.page("/popup", "<title>popup</title>");
        t.show("<a id=a href='/popup' target=_blank rel='noopener noreferrer'>Open</a>").await;
        let popup = t.popup("document.querySelector('#a').click()").await;
        until(&popup, "document.title === 'popup'").await;
        assert_eq!(value(&popup, "window.opener").await, serde_json::Value::Null);
    }
    "window.open with noopener" => |t| {
        t.show("").await;
        let popup = t.popup("window.open('/empty', '', 'noopener'); 0").await;
        until(&popup, "location.pathname === '/empty'").await;
    }
    "a popup with a size is followed like a tab" => |t| {
        t.show("").await;
        let popup = t.popup("window.open('/empty', '', 'width=300,height=200') && 0").await;
        until(&popup, "location.pathname === '/empty'").await;
    }
    "a popup knows its opener and speaks to it" => |t| {
        t.site.page("/popup", "<script>opener.heard = 'hello'</script>");
        t.show("").await;
        t.popup("window.open('/popup') && 0").await;
        t.until("window.heard === 'hello'").await;
    }
    "an opener speaks to its popup" => |t| {
        t.show("").await;
        let popup = t.popup("window.other = window.open('/empty'); 0").await;
        until(&popup, "location.pathname === '/empty' && document.readyState === 'complete'").await;
        t.value("window.other.document.title = 'from afar'").await;
        assert_eq!(value(&popup, "document.title").await, "from afar");
    }
    "a blank popup that is written into is read" => |t| {
        t.show("").await;
        let popup = t.popup("const w = window.open(''); w.document.write('<h1 id=h>Written</h1>'); w.document.close(); 0").await;
        until(&popup, "!!document.querySelector('#h')").await;
        let told = popup.evaluate("el => el.textContent", Some(&crate::case::at("#h")), &t.scope()).await;
        assert_eq!(told.unwrap(), "Written");
    }
    "a blank popup that is navigated later is followed" => |t| {
        t.site.page("/late", "<title>late</title>");
        t.show("").await;
        let popup = t.popup("window.other = window.open('about:blank'); 0").await;
        assert_eq!(value(&popup, "1").await, 1);
        t.value("window.other.location = '/late'; 0").await;
        until(&popup, "document.title === 'late'").await;
        let url = t.site.url("/late");
        popup.wait_for(&t.scope(), |state| (state.frames.top().url == url).then_some(())).await.unwrap();
    }
    "a popup of another site is followed" => |t| {
        let there = t.site.url_on("localhost", "/empty");
        t.show("").await;
        let popup = t.popup(&format!("window.open('{there}') && 0")).await;
        until(&popup, "location.hostname === 'localhost'").await;
    }
    "a popup of a popup is followed and knows its opener" => |t| {
        t.site.page("/two", "<title>two</title>");
        t.site.page("/one", "<title>one</title><script>open('/two')</script>");
        t.show("").await;
        t.value("window.open('/one') && 0").await;
        let pages = t.tabs(3).await;
        until(&pages[2], "document.title === 'two'").await;
        assert_eq!(pages[2].opener(), Some(pages[1].id()));
    }
    "a window that is opened again by its name is no new tab, and the next one is" => |t| {
        for path in ["/one", "/two", "/three", "/four", "/five"] {
            t.site.page(path, &document(path));
        }
        t.show("").await;
        let named = t.popup("window.open('/one', 'named') && 0").await;
        t.value("window.open('/two', 'named') && 0").await;
        until(&named, "location.pathname === '/two'").await;
        let next = t.popup("window.open('/three') && 0").await;
        until(&next, "location.pathname === '/three'").await;
        let last = t.popup("window.open('/four', 'named') && window.open('/five') && 0").await;
        until(&last, "location.pathname === '/five'").await;
        until(&named, "location.pathname === '/four'").await;
        t.tabs(4).await;
    }
    "a popup's console and requests are its own, from its beginning" => |t| {
        t.site.page("/popup", "<script>console.log('first words'); fetch('/echo')</script>");
        t.show("").await;
        let popup = t.popup("window.open('/popup') && 0").await;
        popup.wait_for(&t.scope(), |state| {
            state.console.since(0, engine::backend::ConsoleLevel::Debug).find(|entry| entry.text.contains("first words")).map(|_| ())
        }).await.unwrap();
        let url = t.site.url("/echo");
        popup.wait_for(&t.scope(), |state| state.network.exchanges().iter().find(|exchange| exchange.request.url == url).map(|_| ())).await.unwrap();
        assert!(t.page.state().network.exchanges().iter().all(|exchange| exchange.request.url != url));
    }
    "a popup's own document request is known, with its status" => |t| {
        t.show("").await;
        let popup = t.popup("window.open('/status/404') && 0").await;
        popup.wait_until(WaitUntil::Load, &t.scope()).await.unwrap();
        until(&popup, "document.title === '404'").await;
        assert_eq!(popup.arrival().status, Some(404));
    }
    "a popup that closes itself is gone" => |t| {
        t.site.page("/popup", "<script>setTimeout(close, 200)</script>");
        t.show("").await;
        let popup = t.popup("window.open('/popup') && 0").await;
        t.tabs(1).await;
        assert_eq!(popup.state().life, Life::Closed);
        let asked = popup.evaluate("1", None, &t.scope()).await;
        assert!(matches!(asked, Err(Failed::Interrupted(_))), "{asked:?}");
        assert_eq!(t.context.current().unwrap().id(), t.page.id());
    }
    "a popup that its opener closes is gone" => |t| {
        t.show("").await;
        t.popup("window.other = window.open('/empty'); 0").await;
        t.value("window.other.close()").await;
        t.tabs(1).await;
    }
    "a call in a tab that closes comes back" => |t| {
        t.show("").await;
        let popup = t.popup("window.other = window.open('/empty'); 0").await;
        until(&popup, "location.pathname === '/empty'").await;
        t.value("setTimeout(() => window.other.close(), 300)").await;
        let ended = popup.wait(&Condition::Text("never".to_owned()), &t.scope()).await;
        assert_eq!(ended, Err(engine::NotMet::Failed(Failed::Interrupted(Interruption::Closed))));
    }
    "a new tab is in front" => |t| {
        let second = t.context.new_page(&t.scope()).await.unwrap();
        assert_eq!(t.context.current().unwrap().id(), second.id());
        assert_eq!(second.url(), "about:blank");
        assert_eq!(second.opener(), None);
    }
    "a tab is put in front by its number" => |t| {
        t.show("").await;
        t.context.new_page(&t.scope()).await.unwrap();
        let selected = t.context.select(0, &t.scope()).await.unwrap().unwrap();
        assert_eq!(selected.id(), t.page.id());
        assert_eq!(t.context.current().unwrap().id(), t.page.id());
        t.until("document.visibilityState === 'visible'").await;
        assert!(t.context.select(7, &t.scope()).await.unwrap().is_none());
    }
    "a tab is put in front while another one closes" => |t| {
        t.show("").await;
        for _ in 0..12 {
            t.context.new_page(&t.scope()).await.unwrap();
            t.context.select(1, &t.scope()).await.unwrap().unwrap();
            let scope = t.scope();
            let (selected, closed) = tokio::join!(t.context.select(0, &scope), t.context.close_page(Some(1), &scope));
            assert_eq!(selected.unwrap().unwrap().id(), t.page.id());
            assert!(closed.unwrap());
        }
    }
    "a tab in the background answers and paints like one in front" => |t| {
        t.show("<p id=p>x</p>").await;
        t.context.new_page(&t.scope()).await.unwrap();
        assert_eq!(t.value("new Promise(done => requestAnimationFrame(() => done('painted')))").await, "painted");
        assert_eq!(t.count("#p").await.visible, 1);
    }
    "a tab is closed by its number, or the one in front" => |t| {
        t.context.new_page(&t.scope()).await.unwrap();
        t.context.new_page(&t.scope()).await.unwrap();
        assert!(t.context.close_page(Some(1), &t.scope()).await.unwrap());
        assert_eq!(t.context.pages().len(), 2);
        assert!(t.context.close_page(None, &t.scope()).await.unwrap());
        let left: Vec<PageId> = t.context.pages().iter().map(|page| page.id().clone()).collect();
        assert_eq!(left, [t.page.id().clone()]);
        assert!(!t.context.close_page(Some(5), &t.scope()).await.unwrap());
    }
    "the last tab may be closed, and the next need opens one" => |t| {
        assert!(t.context.close_page(None, &t.scope()).await.unwrap());
        assert!(t.context.pages().is_empty() && t.context.current().is_none());
        let page = t.context.page(&t.scope()).await.unwrap();
        page.navigate(&t.site.url("/empty"), WaitUntil::Load, &t.scope()).await.unwrap();
    }
    "when the tab in front closes, its opener comes to the front" => |t| {
        t.show("").await;
        t.popup("window.other = window.open('/empty'); 0").await;
        t.context.new_page(&t.scope()).await.unwrap();
        t.context.select(1, &t.scope()).await.unwrap();
        t.context.close_page(None, &t.scope()).await.unwrap();
        assert_eq!(t.context.current().unwrap().id(), t.page.id());
    }
    "thirty tabs are thirty pages" => |t| {
        t.show("").await;
        // Some browsers come back from each only when its tab is there.
        let open = "() => { for (let i = 0; i < 30; i++) window.open('/status/200?' + i) }";
        t.page.evaluate(open, None, &scope_of(ms(30_000))).await.unwrap();
        let pages = t.tabs(31).await;
        for page in &pages[1..] {
            until(page, "document.title === '200'").await;
        }
    }
    "what a call opened and closed is told" => |t| {
        t.show("").await;
        let before = t.context.moment();
        t.value("window.other = window.open('/empty'); 0").await;
        t.tabs(2).await;
        assert_eq!(t.context.since(&before).opened.len(), 1);
        t.value("window.other.close()").await;
        t.tabs(1).await;
        let happened = t.context.since(&before);
        assert_eq!((happened.opened.len(), happened.closed), (0, 1));
    }
    "a popup that asks for what never comes is a tab all the same" => |t| {
        t.show("").await;
        let popup = t.popup("window.open('/never') && 0").await;
        // A browser may let it answer only once its first address has; but its calls come back, and it can be closed.
        let asked = popup.evaluate("1 + 1", None, &scope_of(ms(700))).await;
        assert!(asked.is_err() || asked == Ok(2.into()), "{asked:?}");
        assert_eq!(t.value("2").await, 2);
        assert!(t.context.close_page(Some(1), &t.scope()).await.unwrap());
        t.tabs(1).await;
    }
    "a popup that becomes a download leaves the context usable" => |t| {
        t.show("").await;
        t.value("window.open('/download?name=popup.bin') && 0").await;
        eventually("the download", || t.context.downloads().into_iter().find(|download| download.url.contains("popup.bin"))).await;
        assert_eq!(t.value("1").await, 1);
    }
    "closing a context closes its tabs and nobody else's" => |t| {
        let (other, page) = t.another(usual(), None).await;
        other.close(base::Deadline::after(crate::case::LIMIT)).await;
        eventually("the page to be closed", || (page.state().life == Life::Closed).then_some(())).await;
        assert_eq!(t.value("1").await, 1);
    }
    "a form sent into a new tab is followed" => |t| {
        t.site.route("/send", |request| testkit::site::Response::html(&document(&format!("<p>{} {}</p>", request.method, request.text()))));
        t.show("<form id=f method=post target=_blank action='/send'><input name=n value=v></form>").await;
        let popup = t.popup("document.querySelector('#f').submit()").await;
        until(&popup, "document.body.innerText.trim() === 'POST n=v'").await;
    }
    "pages open beside another session's windows that come and go" => |t| {
        t.open("/empty").await;
        for _ in 0..5 {
            t.popup("(window.other = window.open('/empty', '', 'width=300,height=200')) && 0").await;
            let (_, (_, page)) = tokio::join!(t.value("window.other.close()"), t.another(usual(), None));
            t.tabs(1).await;
            assert_eq!(value(&page, "document.title = 'here'").await, "here");
        }
    }
}
