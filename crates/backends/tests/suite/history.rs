//! Back, forward and anew.

use engine::page::{NavigationRefused, WaitUntil};

use crate::case::{Given, cases, document, ms, scope_of};

/// Visits pages of these names, each with its name as the title.
async fn visit(t: &Given, names: &[&str]) {
    for name in names {
        t.site.page(&format!("/{name}"), &document(&format!("<h1>{name}</h1>")));
        t.open(&format!("/{name}")).await;
    }
}

async fn back(t: &Given) -> Option<String> {
    t.page.back(WaitUntil::Load, &t.scope()).await.unwrap().map(|arrival| arrival.url)
}

async fn forward(t: &Given) -> Option<String> {
    t.page.forward(WaitUntil::Load, &t.scope()).await.unwrap().map(|arrival| arrival.url)
}

cases! {
    "back and forward lead through the pages" => |t| {
        visit(t, &["a", "b", "c"]).await;
        assert_eq!(back(t).await, Some(t.site.url("/b")));
        assert_eq!(back(t).await, Some(t.site.url("/a")));
        assert_eq!(forward(t).await, Some(t.site.url("/b")));
        assert_eq!(t.of("h1", "el => el.textContent").await.unwrap(), "b");
        assert_eq!(forward(t).await, Some(t.site.url("/c")));
    }
    "there is nothing ahead of the newest page" => |t| {
        visit(t, &["a"]).await;
        assert_eq!(forward(t).await, None);
        assert_eq!(t.page.url(), t.site.url("/a"));
    }
    "there is nothing behind the first" => |t| {
        assert_eq!(back(t).await, None);
        assert_eq!(t.page.url(), "about:blank");
    }
    "a new page takes the place of what was ahead" => |t| {
        visit(t, &["a", "b"]).await;
        back(t).await;
        visit(t, &["c"]).await;
        assert_eq!(forward(t).await, None);
        assert_eq!(back(t).await, Some(t.site.url("/a")));
    }
    "going back tells the status again" => |t| {
        t.open("/status/404").await;
        visit(t, &["b"]).await;
        let arrival = t.page.back(WaitUntil::Load, &t.scope()).await.unwrap().unwrap();
        assert_eq!(arrival.url, t.site.url("/status/404"));
        assert_eq!(t.page.title(&t.scope()).await, "404");
    }
    "fragments are entries of their own, in the same document" => |t| {
        t.show("<script>window.kept = 1</script>").await;
        t.value("window.kept = 2; location.hash = 'one'").await;
        t.value("location.hash = 'two'").await;
        let two = t.site.url("/#two");
        t.seen(|state| (state.frames.top().url == two).then_some(())).await;
        assert_eq!(back(t).await, Some(t.site.url("/#one")));
        assert_eq!(back(t).await, Some(t.site.url("/")));
        assert_eq!(forward(t).await, Some(t.site.url("/#one")));
        assert_eq!(t.value("window.kept").await, 2);
    }
    "a script's entries are gone back through" => |t| {
        t.show("<script>onpopstate = event => { window.popped = event.state }</script>").await;
        t.value("history.pushState('one', '', '/one'); history.pushState('two', '', '/two')").await;
        assert_eq!(back(t).await, Some(t.site.url("/one")));
        t.until("window.popped === 'one'").await;
        assert_eq!(t.site.hits("/one"), 0);
    }
    "from a script's entry back to another document" => |t| {
        visit(t, &["a", "b"]).await;
        t.value("history.pushState(0, '', '/b2')").await;
        assert_eq!(back(t).await, Some(t.site.url("/b")));
        assert_eq!(back(t).await, Some(t.site.url("/a")));
        assert_eq!(forward(t).await, Some(t.site.url("/b")));
        assert_eq!(forward(t).await, Some(t.site.url("/b2")));
    }
    "across sites" => |t| {
        visit(t, &["a"]).await;
        let there = t.site.url_on("localhost", "/a");
        t.page.navigate(&there, WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(back(t).await, Some(t.site.url("/a")));
        assert_eq!(forward(t).await, Some(there));
        assert_eq!(t.of("h1", "el => location.hostname").await.unwrap(), "localhost");
    }
    "a replaced entry is not gone back to" => |t| {
        visit(t, &["a", "b"]).await;
        t.value("location.replace('/empty')").await;
        t.until("location.pathname === '/empty'").await;
        assert_eq!(back(t).await, Some(t.site.url("/a")));
    }
    "a script that goes back is followed" => |t| {
        visit(t, &["a", "b"]).await;
        t.value("setTimeout(() => history.back())").await;
        t.text("a").await;
        let url = t.site.url("/a");
        t.seen(|state| (state.frames.top().url == url).then_some(())).await;
    }
    "what was typed before is there or not, but the page answers" => |t| {
        t.show("<input id=i>").await;
        t.value("document.querySelector('#i').value = 'typed'").await;
        visit(t, &["b"]).await;
        back(t).await;
        assert_eq!(t.count("#i").await.total, 1);
        assert!(t.snapshot().await.contains("textbox"));
    }
    "a page that was left with its scripts running answers when it is back" => |t| {
        t.show("<p id=p></p><script>setInterval(() => { p.textContent = Date.now() }, 10)</script>").await;
        visit(t, &["b"]).await;
        back(t).await;
        t.until("document.querySelector('#p').textContent.length > 5").await;
    }
    "loading anew asks the server again" => |t| {
        t.show("<script>window.fresh = true</script>").await;
        t.value("window.fresh = false").await;
        let before = t.site.hits("/");
        let arrival = t.page.reload(WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!((arrival.url, arrival.status), (t.site.url("/"), Some(200)));
        assert_eq!(t.site.hits("/"), before + 1);
        assert_eq!(t.value("window.fresh").await, true);
    }
    "loading anew tells a new status" => |t| {
        t.show("x").await;
        t.site.route("/", |_| testkit::site::Response::html("<title>broken</title>").with_status(500));
        let arrival = t.page.reload(WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(arrival.status, Some(500));
    }
    "loading anew keeps the fragment" => |t| {
        t.show("<p id=x>x</p>").await;
        t.value("location.hash = 'x'").await;
        let arrival = t.page.reload(WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(arrival.url, t.site.url("/#x"));
    }
    "loading a blank page anew" => |t| {
        let arrival = t.page.reload(WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(arrival.url, "about:blank");
    }
    "a reload that never comes costs the call's time and no more" => |t| {
        t.show("x").await;
        t.site.route("/", |_| testkit::site::Response::never());
        let refused = t.page.reload(WaitUntil::Load, &scope_of(ms(700))).await;
        assert!(matches!(refused, Err(NavigationRefused::Interrupted(_))), "{refused:?}");
        t.open("/empty").await;
    }
    "a reload whose server is gone says so" => |t| {
        t.show("x").await;
        t.site.route("/", |_| testkit::site::Response::reset());
        let refused = t.page.reload(WaitUntil::Load, &scope_of(ms(5000))).await;
        assert!(matches!(refused, Err(NavigationRefused::Failed { .. })), "{refused:?}");
    }
    "a way back whose server is gone says so" => |t| {
        t.site.route("/gone", |_| testkit::site::Response::html("x").header("Cache-Control", "no-store"));
        t.open("/gone").await;
        visit(t, &["b"]).await;
        t.site.route("/gone", |_| testkit::site::Response::reset());
        // A browser that kept the page needs no server.
        let came = t.page.back(WaitUntil::Load, &scope_of(ms(5000))).await;
        assert!(matches!(came, Ok(Some(_)) | Err(NavigationRefused::Failed { .. })), "{came:?}");
        t.open("/empty").await;
    }
    "the page after one whose server is gone is not taken for that" => |t| {
        for _ in 0..10 {
            t.site.route("/gone", |_| testkit::site::Response::html("x").header("Cache-Control", "no-store"));
            t.open("/gone").await;
            visit(t, &["b"]).await;
            t.site.route("/gone", |_| testkit::site::Response::reset());
            // What it comes to is the case before this one.
            let _ = t.page.back(WaitUntil::Commit, &scope_of(ms(5000))).await;
            t.open("/empty").await;
        }
    }
}
