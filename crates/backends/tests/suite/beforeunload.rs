//! Pages that ask before they are left. A browser lets them only once a user has done something in them, so each case
//! presses a key first.

use engine::backend::DialogKind;
use engine::keyboard::Chord;
use engine::page::{Interruption, NavigationRefused, WaitUntil};

use crate::case::{Given, cases};

/// A page that asks before it is left.
async fn asking(t: &Given) {
    t.show("<h1>Asks</h1><script>onbeforeunload = event => { event.preventDefault(); return 'Unsaved' }</script>").await;
    t.page.press_key(&"a".parse::<Chord>().unwrap(), &t.scope()).await.unwrap();
    t.until("navigator.userActivation ? navigator.userActivation.hasBeenActive : true").await;
}

cases! {
    "a navigation is ended by the question and goes nowhere" => |t| {
        asking(t).await;
        let ended = t.go("/empty", WaitUntil::Load).await;
        let Err(NavigationRefused::Interrupted(Interruption::Dialog(dialog))) = ended else { panic!("{ended:?}") };
        assert_eq!(dialog.kind, DialogKind::BeforeUnload);
        t.page.answer_dialog(false, None, &t.scope()).await.unwrap();
        assert_eq!(t.count("h1").await.total, 1);
        assert_eq!(t.page.url(), t.site.url("/"));
    }
    "a question that is accepted lets the page go" => |t| {
        asking(t).await;
        let ended = t.go("/empty", WaitUntil::Load).await;
        assert!(matches!(ended, Err(NavigationRefused::Interrupted(Interruption::Dialog(_)))), "{ended:?}");
        t.page.answer_dialog(true, None, &t.scope()).await.unwrap();
        let url = t.site.url("/empty");
        t.seen(|state| (state.frames.top().url == url).then_some(())).await;
        assert_eq!(t.value("document.querySelectorAll('h1').length").await, 0);
    }
    "a reload asks, too" => |t| {
        asking(t).await;
        let ended = t.page.reload(WaitUntil::Load, &t.scope()).await;
        assert!(matches!(ended, Err(NavigationRefused::Interrupted(Interruption::Dialog(_)))), "{ended:?}");
        t.page.answer_dialog(true, None, &t.scope()).await.unwrap();
        t.asked("/", 2).await;
        t.page.wait_until(WaitUntil::Load, &t.scope()).await.unwrap();
    }
    "a tab is closed without asking" => |t| {
        asking(t).await;
        t.context.new_page(&t.scope()).await.unwrap();
        assert!(t.context.close_page(Some(0), &t.scope()).await.unwrap());
        assert_eq!(t.context.pages().len(), 1);
    }
    "a page that nobody touched does not ask" => |t| {
        t.show("<script>onbeforeunload = event => { event.preventDefault(); return 'Unsaved' }</script>").await;
        t.open("/empty").await;
    }
}
