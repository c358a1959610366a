//! Dialogs: every call comes back at once when one opens, tells it, and goes on once it is answered.

use engine::backend::{Dialog, DialogKind};
use engine::page::{Interruption, NavigationRefused, WaitUntil};
use engine::snapshot::SnapshotOptions;
use engine::{Condition, Failed, NotMet};

use crate::case::{Given, at, cases, document, ms, scope_of, value};

/// Runs a script by a timer of the page's own, and waits for the dialog that it opens.
async fn opened(t: &Given, script: &str) -> Dialog {
    begun(&t.evaluate(&format!("setTimeout(() => {{ {script} }})")).await);
    dialog(t).await
}

/// A script that leaves a dialog to a timer is over before that, or is ended by it: the timer may be the faster one.
fn begun(ended: &Result<serde_json::Value, Failed>) {
    assert!(matches!(ended, Ok(_) | Err(Failed::Interrupted(Interruption::Dialog(_)))), "{ended:?}");
}

/// The dialog that is open.
async fn dialog(t: &Given) -> Dialog {
    t.seen(|state| state.dialogs.last().cloned()).await
}

/// Answers the open dialog.
async fn answer(t: &Given, accept: bool, text: Option<&str>) -> Option<Dialog> {
    t.page.answer_dialog(accept, text, &t.scope()).await.unwrap()
}

cases! {
    "an alert ends the call that opened it, and is told" => |t| {
        t.show("").await;
        let ended = t.evaluate("alert('Careful')").await;
        let Err(Failed::Interrupted(Interruption::Dialog(dialog))) = ended else { panic!("{ended:?}") };
        assert_eq!((dialog.kind, dialog.message.as_str()), (DialogKind::Alert, "Careful"));
        assert_eq!(dialog.url, t.site.url("/"));
        answer(t, true, None).await;
        assert_eq!(t.value("1").await, 1);
    }
    "a confirm that is accepted is true" => |t| {
        t.show("").await;
        let dialog = opened(t, "window.said = confirm('Sure?')").await;
        assert_eq!((dialog.kind, dialog.message.as_str()), (DialogKind::Confirm, "Sure?"));
        assert_eq!(answer(t, true, None).await, Some(dialog));
        t.until("window.said === true").await;
    }
    "a confirm that is dismissed is false" => |t| {
        t.show("").await;
        opened(t, "window.said = confirm('Sure?')").await;
        answer(t, false, None).await;
        t.until("window.said === false").await;
    }
    "a prompt is given its text" => |t| {
        t.show("").await;
        let dialog = opened(t, "window.said = prompt('Name?', 'Ada')").await;
        assert_eq!((dialog.kind, dialog.message.as_str(), dialog.default_text.as_str()), (DialogKind::Prompt, "Name?", "Ada"));
        answer(t, true, Some("Grace \"é\" 😀")).await;
        t.until("window.said === 'Grace \"é\" 😀'").await;
    }
    "a prompt that is accepted without a text keeps its proposal" => |t| {
        t.show("").await;
        opened(t, "window.said = prompt('Name?', 'Ada')").await;
        answer(t, true, None).await;
        t.until("window.said === 'Ada'").await;
    }
    "a prompt that is given an empty text has it" => |t| {
        t.show("").await;
        opened(t, "window.said = prompt('Name?', 'Ada')").await;
        answer(t, true, Some("")).await;
        t.until("window.said === ''").await;
    }
    "a prompt that is dismissed is null" => |t| {
        t.show("").await;
        opened(t, "window.said = prompt('Name?')").await;
        answer(t, false, Some("ignored")).await;
        t.until("window.said === null").await;
    }
    "two dialogs in a row are answered one after the other" => |t| {
        t.show("").await;
        opened(t, "window.said = [confirm('one'), confirm('two')]").await;
        assert_eq!(answer(t, true, None).await.unwrap().message, "one");
        t.seen(|state| state.dialogs.last().filter(|dialog| dialog.message == "two").cloned()).await;
        assert_eq!(answer(t, false, None).await.unwrap().message, "two");
        t.until("window.said && window.said.join() === 'true,false'").await;
    }
    "without a dialog there is nothing to answer" => |t| {
        t.show("").await;
        assert_eq!(answer(t, true, None).await, None);
    }
    "every call comes back at once while a dialog is open" => |t| {
        t.show("<p id=p>x</p>").await;
        opened(t, "alert('Open')").await;
        let is_dialog = |why: &Interruption| matches!(why, Interruption::Dialog(dialog) if dialog.message == "Open");
        let scope = t.scope();
        let Err(Failed::Interrupted(why)) = t.page.evaluate("1", None, &scope).await else { panic!() };
        assert!(is_dialog(&why));
        let Err(Failed::Interrupted(why)) = t.page.snapshot(&SnapshotOptions::default(), &scope).await else { panic!() };
        assert!(is_dialog(&why));
        let Err(Failed::Interrupted(why)) = t.page.count(&at("#p"), &scope).await else { panic!() };
        assert!(is_dialog(&why));
        let Err(NotMet::Failed(Failed::Interrupted(why))) = t.page.wait(&Condition::Text("y".to_owned()), &scope).await else { panic!() };
        assert!(is_dialog(&why));
        let Err(NotMet::Failed(Failed::Interrupted(why))) = t.page.wait(&Condition::Url("/y".to_owned()), &scope).await else { panic!() };
        assert!(is_dialog(&why));
        assert!(!scope.deadline().has_passed());
        answer(t, true, None).await;
        assert_eq!(t.count("#p").await.total, 1);
    }
    "a wait that was under way is ended by a dialog" => |t| {
        t.show("").await;
        t.value("setTimeout(() => alert('Later'), 300)").await;
        let ended = t.page.wait(&Condition::Text("never".to_owned()), &t.scope()).await;
        assert!(matches!(ended, Err(NotMet::Failed(Failed::Interrupted(Interruption::Dialog(_))))), "{ended:?}");
        answer(t, true, None).await;
    }
    "a dialog while the page loads ends the navigation, and the page goes on afterwards" => |t| {
        t.site.page("/", &document("<h1>Before</h1><script>alert('Loading')</script><h2>After</h2>"));
        let ended = t.go("/", WaitUntil::Load).await;
        let Err(NavigationRefused::Interrupted(Interruption::Dialog(dialog))) = ended else { panic!("{ended:?}") };
        assert_eq!(dialog.message, "Loading");
        answer(t, true, None).await;
        t.page.wait_until(WaitUntil::Load, &t.scope()).await.unwrap();
        assert_eq!(t.count("h2").await.total, 1);
    }
    "a dialog in a page's load event is told" => |t| {
        t.site.page("/", &document("<script>onload = () => alert('Loaded')</script>"));
        let _ = t.go("/", WaitUntil::Load).await;
        assert_eq!(dialog(t).await.message, "Loaded");
        answer(t, true, None).await;
        assert_eq!(t.value("1").await, 1);
    }
    "a dialog of a frame is the page's" => |t| {
        t.show("<iframe id=f srcdoc='<b>x</b>'></iframe>").await;
        begun(&t.of("frameLocator('#f').locator('b')", "() => { setTimeout(() => { window.said = confirm('From within') }) }").await);
        assert_eq!(dialog(t).await.message, "From within");
        answer(t, true, None).await;
        assert_eq!(t.of("frameLocator('#f').locator('b')", "() => window.said").await.unwrap(), true);
    }
    "a dialog of a page in the background is its own" => |t| {
        t.show("").await;
        let popup = t.popup("window.open('/empty') && 0").await;
        begun(&popup.evaluate("setTimeout(() => { window.said = confirm('Behind') })", None, &t.scope()).await);
        let told = popup.wait_for(&t.scope(), |state| state.dialogs.last().cloned()).await.unwrap();
        assert_eq!(told.message, "Behind");
        assert!(t.page.state().dialogs.is_empty());
        // The two may share a process, whose scripts all wait; but no call does.
        t.page.title(&t.scope()).await;
        popup.answer_dialog(true, None, &t.scope()).await.unwrap();
        assert_eq!(value(&popup, "window.said").await, true);
    }
    "a title is empty rather than late while a dialog is open" => |t| {
        t.show("").await;
        opened(t, "alert(1)").await;
        assert_eq!(t.page.title(&t.scope()).await, "");
        answer(t, true, None).await;
        assert_eq!(t.page.title(&t.scope()).await, "case");
    }
    "an odd message comes through" => |t| {
        t.show("").await;
        let dialog = opened(t, r"alert('line\nbreak \u0000 é 😀 <b>' + 'x'.repeat(1000))").await;
        assert!(dialog.message.starts_with("line\nbreak") && dialog.message.contains("é 😀 <b>"), "{:?}", dialog.message);
        answer(t, true, None).await;
    }
    "a page may be left while it shows a dialog, once that is answered" => |t| {
        t.show("").await;
        opened(t, "alert('Stay')").await;
        let ended = t.go("/empty", WaitUntil::Load).await;
        assert!(matches!(ended, Err(NavigationRefused::Interrupted(Interruption::Dialog(_)))), "{ended:?}");
        answer(t, true, None).await;
        t.open("/empty").await;
        assert_eq!(t.page.url(), t.site.url("/empty"));
    }
    "a page with a dialog is closed all the same" => |t| {
        t.show("").await;
        let popup = t.popup("window.open('/empty') && 0").await;
        begun(&popup.evaluate("setTimeout(() => alert(1))", None, &t.scope()).await);
        popup.wait_for(&t.scope(), |state| state.dialogs.last().cloned()).await.unwrap();
        assert!(t.context.close_page(Some(1), &t.scope()).await.unwrap());
        t.tabs(1).await;
        assert_eq!(t.value("1").await, 1);
    }
    "a page that opens dialogs without end can be left" => |t| {
        t.show("").await;
        opened(t, "for (;;) alert('again')").await;
        for _ in 0..3 {
            answer(t, true, None).await;
            t.seen(|state| state.dialogs.last().cloned()).await;
        }
        t.context.new_page(&t.scope()).await.unwrap();
        assert!(t.context.close_page(Some(0), &t.scope()).await.unwrap());
    }
    "print and other windows of the browser hold no call" => |t| {
        t.show("").await;
        assert_eq!(t.value("(print(), 5)").await, 5);
    }
    "a dialog that opens and a call that is cancelled leave the page usable" => |t| {
        t.show("").await;
        opened(t, "window.said = confirm('x')").await;
        let scope = scope_of(ms(1));
        assert!(t.page.evaluate("1", None, &scope).await.is_err());
        answer(t, true, None).await;
        t.until("window.said === true").await;
    }
}
