//! Processes that die under us. Each case has a browser of its own, which it may kill.

use std::path::Path;
use std::time::Duration;

use base::Deadline;
use engine::Failed;
use engine::backend::BackendError;
use engine::context::Context;
use engine::page::{Interruption, Life, Page, WaitUntil};
use engine::snapshot::SnapshotOptions;
use engine::{Condition, NotMet};
use testkit::process;

use crate::case::{Given, at, cases, eventually, scope_of, usual, value};
use crate::stage::{self, Own};

/// A browser of the case's own, with a page at the site's `/`.
async fn own(t: &Given) -> (Own, Context, Page) {
    let own = stage::own(t.mode).await;
    let context = Context::open(&*own.browser, usual(), None).await.unwrap();
    let page = context.page(&t.scope()).await.unwrap();
    t.site.page("/", "<title>case</title><p>x</p>");
    page.navigate(&t.site.url("/"), WaitUntil::Load, &t.scope()).await.unwrap();
    (own, context, page)
}

/// Kills the processes that draw pages.
fn kill_pages(folder: &Path) {
    let pids = stage::page_processes(folder);
    assert!(!pids.is_empty(), "no process draws a page");
    pids.into_iter().for_each(process::kill);
}

async fn crashed(page: &Page) {
    eventually("the crash", || (page.state().life == Life::Crashed).then_some(())).await;
}

cases! {
    "a page whose process dies is told as crashed" => |t| {
        let (own, _context, page) = own(t).await;
        kill_pages(own.folder());
        crashed(&page).await;
        let told = page.evaluate("1", None, &t.scope()).await;
        assert_eq!(told, Err(Failed::Interrupted(Interruption::Crashed)));
        let told = page.snapshot(&SnapshotOptions::default(), &t.scope()).await;
        assert_eq!(told, Err(Failed::Interrupted(Interruption::Crashed)));
        own.close().await;
    }
    "a call under way when the page's process dies comes back at once" => |t| {
        let (own, _context, page) = own(t).await;
        let kill = async {
            t.asked("/under-way", 1).await;
            kill_pages(own.folder());
        };
        let scope = t.scope();
        let call = page.evaluate("await fetch('/under-way'); await new Promise(() => {})", None, &scope);
        let (told, ()) = tokio::join!(call, kill);
        assert_eq!(told, Err(Failed::Interrupted(Interruption::Crashed)));
        own.close().await;
    }
    "a wait under way when the page's process dies comes back at once" => |t| {
        let (own, _context, page) = own(t).await;
        let scope = t.scope();
        let never = Condition::Text("never".to_owned());
        let (told, ()) = tokio::join!(page.wait(&never, &scope), async { kill_pages(own.folder()) });
        assert_eq!(told, Err(NotMet::Failed(Failed::Interrupted(Interruption::Crashed))));
        own.close().await;
    }
    "a navigation brings a crashed page back" => |t| {
        let (own, _context, page) = own(t).await;
        kill_pages(own.folder());
        crashed(&page).await;
        let arrival = page.navigate(&t.site.url("/"), WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(arrival.status, Some(200));
        assert_eq!(value(&page, "document.title").await, "case");
        assert_eq!(page.count(&at("p"), &t.scope()).await.unwrap().total, 1);
        own.close().await;
    }
    "a reload brings a crashed page back" => |t| {
        let (own, _context, page) = own(t).await;
        kill_pages(own.folder());
        crashed(&page).await;
        page.reload(WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(value(&page, "document.title").await, "case");
        own.close().await;
    }
    "a page crashes twice and comes back twice" => |t| {
        let (own, _context, page) = own(t).await;
        for _ in 0..2 {
            kill_pages(own.folder());
            crashed(&page).await;
            page.navigate(&t.site.url("/"), WaitUntil::Load, &t.scope()).await.unwrap();
            assert_eq!(value(&page, "document.title").await, "case");
        }
        own.close().await;
    }
    "a crashed page is closed like any, and the context opens another" => |t| {
        let (own, context, page) = own(t).await;
        kill_pages(own.folder());
        crashed(&page).await;
        assert!(context.close_page(None, &t.scope()).await.unwrap());
        let page = context.page(&t.scope()).await.unwrap();
        page.navigate(&t.site.url("/"), WaitUntil::Load, &t.scope()).await.unwrap();
        own.close().await;
    }
    "a context with a crashed page is closed like any" => |t| {
        let (own, context, page) = own(t).await;
        kill_pages(own.folder());
        crashed(&page).await;
        let deadline = Deadline::after(Duration::from_secs(8));
        context.close(deadline).await;
        assert!(!deadline.has_passed());
        own.close().await;
    }
    "a crash with an open dialog is a crash" => |t| {
        let (own, _context, page) = own(t).await;
        // The timer may be faster than the answer.
        let _ = page.evaluate("setTimeout(() => alert(1))", None, &t.scope()).await;
        page.wait_for(&t.scope(), |state| state.dialogs.last().cloned()).await.unwrap();
        kill_pages(own.folder());
        crashed(&page).await;
        assert_eq!(page.evaluate("1", None, &t.scope()).await, Err(Failed::Interrupted(Interruption::Crashed)));
        own.close().await;
    }
    "a browser that dies ends every call at once" => |t| {
        let (own, context, page) = own(t).await;
        let kill = async {
            t.asked("/under-way", 1).await;
            stage::kill_all(own.folder());
        };
        let scope = t.scope();
        let call = page.evaluate("await fetch('/under-way'); await new Promise(() => {})", None, &scope);
        let (told, ()) = tokio::join!(call, kill);
        let told = told.unwrap_err();
        assert!(matches!(told, Failed::Interrupted(Interruption::Closed | Interruption::Crashed | Interruption::Backend(BackendError::BrowserGone(_) | BackendError::PageGone))), "{told:?}");
        assert!(page.navigate(&t.site.url("/"), WaitUntil::Load, &scope_of(crate::case::LIMIT)).await.is_err());
        assert!(context.new_page(&t.scope()).await.is_err());
        let deadline = Deadline::after(Duration::from_secs(8));
        context.close(deadline).await;
        assert!(!deadline.has_passed());
        own.close().await;
    }
    "a browser that dies says that it is gone" => |t| {
        let (own, _context, page) = own(t).await;
        stage::kill_all(own.folder());
        let gone = tokio::time::timeout(crate::case::LIMIT, own.browser.gone()).await.unwrap();
        assert!(!gone.why.is_empty());
        eventually("the page to be closed", || (page.state().life == Life::Closed).then_some(())).await;
        // Another one may have what was its: a number, a port, a display.
        let another = stage::own(t.mode).await;
        let told = Context::open(&*own.browser, usual(), None).await.unwrap_err();
        assert!(matches!(told, BackendError::BrowserGone(_)), "{told:?}");
        another.close().await;
        own.close().await;
    }
    "a browser that is closed leaves no process and no folder" => |t| {
        let (own, _context, page) = own(t).await;
        let folder = own.folder().to_owned();
        assert!(!stage::page_processes(&folder).is_empty());
        own.browser.close(Deadline::after(Duration::from_secs(10))).await;
        assert!(stage::page_processes(&folder).is_empty());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        let told = page.evaluate("1", None, &t.scope()).await;
        assert!(told.is_err());
    }
}
