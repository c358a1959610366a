//! Addresses that lead nowhere, late, or only half of the way.

use engine::action::Click;
use engine::page::{Interruption, LoadState, NavigationRefused, WaitUntil};
use testkit::site::Response;

use crate::case::{at, cases, document, ms, scope_of};
use crate::navigation::{fails, within};

cases! {
    "no content leaves the page where it is" => |t| {
        t.show("<h1>Here</h1>").await;
        let refused = t.go("/no-content", WaitUntil::Load).await;
        assert!(matches!(refused, Err(NavigationRefused::Failed { .. })), "{refused:?}");
        assert_eq!(t.page.url(), t.site.url("/"));
        assert_eq!(t.count("h1").await.total, 1);
    }
    "a download leaves the page where it is and says so" => |t| {
        t.show("<h1>Here</h1>").await;
        let arrival = t.go("/download?name=a.bin", WaitUntil::Load).await.unwrap();
        assert!(arrival.download);
        assert_eq!(arrival.url, t.site.url("/"));
        assert_eq!(t.count("h1").await.total, 1);
    }
    "a refused connection comes to nothing" => |t| { fails(t, "http://127.0.0.1:1/").await; }
    "a name that no one has comes to nothing" => |t| { fails(t, "http://nowhere.invalid/").await; }
    "a connection that is reset comes to nothing" => |t| { fails(t, &t.site.url("/reset")).await; }
    "a connection that is hung up comes to nothing" => |t| { fails(t, &t.site.url("/hang-up")).await; }
    "an answer that is no HTTP comes to nothing or is text" => |t| {
        let refused = t.page.navigate("http://127.0.0.1:1:1/", WaitUntil::Load, &t.scope()).await;
        assert!(refused.is_err());
        t.show("<h1>Next</h1>").await;
    }
    "an address that is none is refused" => |t| {
        t.show("<h1>Here</h1>").await;
        for url in ["not an address", "", "http://", "unheard-of://x/"] {
            let refused = t.page.navigate(url, WaitUntil::Load, &t.scope()).await;
            assert!(refused.is_err(), "{url:?}: {refused:?}");
        }
        assert_eq!(t.count("h1").await.total, 1);
    }
    "a server that never answers costs the call's time and no more" => |t| {
        t.show("<h1>Here</h1>").await;
        let refused = within(t, "/never", WaitUntil::Load, 700).await;
        assert_eq!(refused, Err(NavigationRefused::Interrupted(Interruption::TimedOut)));
        t.open("/empty").await;
        assert_eq!(t.page.url(), t.site.url("/empty"));
    }
    "a body that is late is told as committed" => |t| {
        let refused = within(t, "/slow?ms=60000&head=now", WaitUntil::Load, 1500).await;
        let told = matches!(refused, Err(NavigationRefused::Unfinished { reached: LoadState::Committed, .. })
            | Err(NavigationRefused::Interrupted(Interruption::TimedOut)));
        assert!(told, "{refused:?}");
        t.open("/empty").await;
    }
    "a picture that never comes is told as parsed, and the page can be used" => |t| {
        t.site.page("/a", &document("<h1>Usable</h1><img src='/never'>"));
        let refused = within(t, "/a", WaitUntil::Load, 6000).await;
        let Err(NavigationRefused::Unfinished { reached, url }) = refused else { panic!("{refused:?}") };
        assert_eq!((reached, url), (LoadState::DomContentLoaded, t.site.url("/a")));
        assert_eq!(t.of("h1", "el => el.textContent").await.unwrap(), "Usable");
    }
    "a page that drips is committed and can be read while it does" => |t| {
        t.site.route("/a", |_| Response::drip("text/html", format!("<p>part</p>{}", " ".repeat(2000)), ms(30), None));
        t.go("/a", WaitUntil::Commit).await.unwrap();
        t.until("document.querySelectorAll('p').length > 3").await;
        assert!(t.count("p").await.total > 3);
    }
    "a slow answer is waited for" => |t| {
        let arrival = t.go("/slow?ms=800", WaitUntil::Load).await.unwrap();
        assert_eq!(arrival.status, Some(200));
    }
    "a page on its way to a server that never answers stays when it is asked to, and can be used" => |t| {
        t.show("<a id=a href='/never'>Go</a><button id=b onclick='this.textContent = 7'>b</button>").await;
        let mark = t.page.mark();
        t.page.click(&at("#a"), &Click::default(), &t.scope()).await.unwrap();
        assert!(t.page.settle(&mark, &scope_of(ms(1500))).await.unfinished);
        assert_eq!(t.page.heading_for(), Some(t.site.url("/never")));
        let stopped = t.page.freed(ms(300), &t.scope()).await.unwrap();
        assert_eq!(stopped, Some(t.site.url("/never")));
        assert_eq!(t.page.heading_for(), None);
        t.page.click(&at("#b"), &Click::default(), &t.scope()).await.unwrap();
        assert_eq!(t.value("document.querySelector('#b').textContent").await, "7");
        assert!(t.snapshot().await.contains("link \"Go\""));
    }
    "a page whose server answers late is let go there" => |t| {
        t.site.route("/late", |_| Response::html("<h1>Late</h1>").after(ms(800)));
        t.show("").await;
        t.value("setTimeout(() => location.href = '/late') && 0").await;
        t.asked("/late", 1).await;
        assert_eq!(t.page.freed(ms(10_000), &t.scope()).await.unwrap(), None);
        t.text("Late").await;
    }
}
