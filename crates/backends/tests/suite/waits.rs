//! Waiting: every condition, met at once, later and never, over navigations and in frames.

use engine::page::WaitUntil;
use engine::{Condition, ElementState, Failed, NotMet};

use crate::case::{Given, at, cases, document, ms, scope_of};

/// Waits as long as any call may.
async fn met(t: &Given, condition: Condition) {
    t.page.wait(&condition, &t.scope()).await.unwrap_or_else(|why| panic!("{condition:?}: {why}"));
}

/// How long something that never comes is waited for: long enough for a first look on a loaded machine.
const IN_VAIN: std::time::Duration = ms(2000);

/// Waits in vain, and gives what is told of it.
async fn unmet(t: &Given, condition: Condition) -> String {
    match t.page.wait(&condition, &scope_of(IN_VAIN)).await {
        Err(NotMet::Seen(seen)) => seen,
        other => panic!("{condition:?}: {other:?}"),
    }
}

fn text(text: &str) -> Condition {
    Condition::Text(text.to_owned())
}

fn gone(text: &str) -> Condition {
    Condition::TextGone(text.to_owned())
}

fn element(target: &str, state: ElementState) -> Condition {
    Condition::Element { target: at(target), state }
}

fn url(pattern: &str) -> Condition {
    Condition::Url(pattern.to_owned())
}

fn function(script: &str) -> Condition {
    Condition::Function(script.to_owned())
}

/// Does something in the page after a while.
async fn later(t: &Given, script: &str) {
    t.value(&format!("setTimeout(() => {{ {script} }}, 300); 0")).await;
}

use ElementState::{Attached, Detached, Hidden, Visible};

cases! {
    "a text that is there" => |t| {
        t.show("<p>Hello  <b>big</b> world</p>").await;
        met(t, text("big")).await;
        met(t, text("hello big WORLD")).await;
    }
    "a text that comes" => |t| {
        t.show("<p id=p>x</p>").await;
        later(t, "document.querySelector('#p').textContent = 'Done'").await;
        met(t, text("Done")).await;
    }
    "a text that is shown" => |t| {
        t.show("<p id=p hidden>Done</p>").await;
        later(t, "document.querySelector('#p').hidden = false").await;
        met(t, text("Done")).await;
    }
    "a text that a style sheet shows" => |t| {
        t.show("<style id=s>p { display: none }</style><p>Done</p>").await;
        later(t, "document.querySelector('#s').sheet.deleteRule(0)").await;
        met(t, text("Done")).await;
    }
    "a text in a field" => |t| {
        t.show("<input id=i><textarea id=a></textarea>").await;
        later(t, "document.querySelector('#i').value = 'typed here'").await;
        met(t, text("typed here")).await;
    }
    "a text that never comes is told" => |t| {
        t.show("<p>x</p>").await;
        assert_eq!(unmet(t, text("never")).await, "the text is not there");
    }
    "a hidden text is not there" => |t| {
        t.show("<p hidden>secret</p><p style='visibility:hidden'>secret</p><script>'secret'</script>").await;
        unmet(t, text("secret")).await;
    }
    "a text in a frame" => |t| {
        t.show("<iframe srcdoc='<p>Within</p>'></iframe>").await;
        met(t, text("Within")).await;
    }
    "a text in a frame that comes" => |t| {
        t.show("").await;
        later(t, "document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc=\"<p>Within</p>\"></iframe>')").await;
        met(t, text("Within")).await;
    }
    "a text in a frame of another site" => |t| {
        t.site.page("/in", &document("<script>setTimeout(() => document.body.append('From afar'), 300)</script>"));
        let there = t.site.url_on("localhost", "/in");
        t.show(&format!("<iframe src='{there}'></iframe>")).await;
        met(t, text("From afar")).await;
    }
    "a text in a shadow tree" => |t| {
        t.show("<x-a><template shadowrootmode=open><p>Shaded</p></template></x-a>").await;
        met(t, text("Shaded")).await;
    }
    "a text of the next page" => |t| {
        t.site.page("/next", &document("<p>Arrived</p>"));
        t.show("").await;
        later(t, "location.href = '/next'").await;
        met(t, text("Arrived")).await;
    }
    "a text of the page after two more" => |t| {
        t.site.page("/a", &document("<script>setTimeout(() => location.href = '/b', 100)</script>"));
        t.site.page("/b", &document("<script>setTimeout(() => document.body.append('At last'), 700)</script>"));
        t.show("").await;
        later(t, "location.href = '/a'").await;
        met(t, text("At last")).await;
    }
    "a text that was never there is gone" => |t| {
        t.show("<p>x</p>").await;
        met(t, gone("Loading")).await;
    }
    "a text that goes" => |t| {
        t.show("<p id=p>Loading</p>").await;
        later(t, "document.querySelector('#p').remove()").await;
        met(t, gone("Loading")).await;
        assert_eq!(t.count("#p").await.total, 0);
    }
    "a text that stays is told" => |t| {
        t.show("<p>Loading</p>").await;
        assert_eq!(unmet(t, gone("Loading")).await, "the text is still there");
    }
    "a text is gone when no frame has it" => |t| {
        t.show("<iframe id=f srcdoc='<p>Loading</p>'></iframe>").await;
        t.text("Loading").await;
        later(t, "document.querySelector('#f').remove()").await;
        met(t, gone("Loading")).await;
    }
    "an element that is there" => |t| {
        t.show("<i id=i>x</i><i id=h hidden>x</i>").await;
        met(t, element("#i", Attached)).await;
        met(t, element("#i", Visible)).await;
        met(t, element("#h", Attached)).await;
        met(t, element("#h", Hidden)).await;
    }
    "an element that comes" => |t| {
        t.show("").await;
        later(t, "document.body.insertAdjacentHTML('beforeend', '<i id=i hidden>x</i>')").await;
        met(t, element("#i", Attached)).await;
        later(t, "document.querySelector('#i').hidden = false").await;
        met(t, element("#i", Visible)).await;
    }
    "an element that goes" => |t| {
        t.show("<i id=i>x</i>").await;
        later(t, "document.querySelector('#i').style.display = 'none'").await;
        met(t, element("#i", Hidden)).await;
        later(t, "document.querySelector('#i').remove()").await;
        met(t, element("#i", Detached)).await;
    }
    "what is absent is hidden and detached" => |t| {
        t.show("").await;
        met(t, element("#i", Hidden)).await;
        met(t, element("#i", Detached)).await;
        met(t, element("frameLocator('#f').locator('#i')", Hidden)).await;
        met(t, element("frameLocator('#f').locator('#i')", Detached)).await;
        met(t, element("e99", Detached)).await;
    }
    "an element that never comes is told with what there was" => |t| {
        t.show("<i hidden>1</i><i hidden>2</i>").await;
        assert_eq!(unmet(t, element("#never", Attached)).await, "0 in the page, 0 visible");
        assert_eq!(unmet(t, element("i", Visible)).await, "2 in the page, 0 visible");
    }
    "an element that stays is told with what there was" => |t| {
        t.show("<i>1</i><i hidden>2</i>").await;
        assert_eq!(unmet(t, element("i", Hidden)).await, "2 in the page, 1 visible");
        assert_eq!(unmet(t, element("i", Detached)).await, "2 in the page, 1 visible");
    }
    "several elements are no fault in a wait" => |t| {
        t.show("<i>1</i><i>2</i>").await;
        met(t, element("i", Visible)).await;
    }
    "an element by its ref" => |t| {
        t.show("<button id=b>Go</button>").await;
        let reference = crate::corpus::ref_of(&t.snapshot().await, "Go");
        met(t, element(&reference, Visible)).await;
        later(t, "document.querySelector('#b').remove()").await;
        met(t, element(&reference, Detached)).await;
    }
    "an element in a frame that comes" => |t| {
        t.show("").await;
        later(t, "document.body.insertAdjacentHTML('beforeend', '<iframe id=f srcdoc=\"<i id=i>x</i>\"></iframe>')").await;
        met(t, element("frameLocator('#f').locator('#i')", Visible)).await;
    }
    "an element in a frame that never comes costs the call's time and no more" => |t| {
        t.show("").await;
        let told = t.page.wait(&element("frameLocator('#f').locator('#i')", Visible), &scope_of(ms(700))).await;
        assert!(told.is_err());
    }
    "an element of the next page" => |t| {
        t.site.page("/next", &document("<i id=i>x</i>"));
        t.show("").await;
        later(t, "location.href = '/next'").await;
        met(t, element("#i", Visible)).await;
    }
    "a selector that can't be read is told at once" => |t| {
        t.show("").await;
        let scope = t.scope();
        let told = t.page.wait(&element("p:unheard-of", Visible), &scope).await;
        assert!(matches!(told, Err(NotMet::Failed(_))), "{told:?}");
        assert!(!scope.deadline().has_passed());
    }
    "an address that is there, by a part and by globs" => |t| {
        t.open("/status/200?x=1#f").await;
        for pattern in ["/status/200", "x=1", "**/status/**", "http://*/status/200?x=1#f", "**/200*", "**"] {
            met(t, url(pattern)).await;
        }
    }
    "an address that comes by a navigation" => |t| {
        t.show("").await;
        later(t, "location.href = '/empty'").await;
        met(t, url("**/empty")).await;
    }
    "an address that comes by the history" => |t| {
        t.show("").await;
        later(t, "history.pushState(0, '', '/orders/7')").await;
        met(t, url("**/orders/*")).await;
    }
    "an address that comes by a redirect of the server" => |t| {
        t.show("").await;
        later(t, "location.href = '/redirects/2'").await;
        met(t, url("/redirects/0")).await;
    }
    "an address that never comes is told with the one that is" => |t| {
        t.open("/empty").await;
        assert_eq!(unmet(t, url("/never")).await, format!("the address is {}", t.site.url("/empty")));
    }
    "a document that is as far" => |t| {
        t.show("").await;
        for until in [WaitUntil::Commit, WaitUntil::DomContentLoaded, WaitUntil::Load, WaitUntil::NetworkIdle] {
            met(t, Condition::Load(until)).await;
        }
    }
    "a document that gets as far" => |t| {
        t.site.page("/", &document("<img src='/slow?ms=500&type=image/png'>"));
        t.go("/", WaitUntil::DomContentLoaded).await.unwrap();
        met(t, Condition::Load(WaitUntil::Load)).await;
        assert_eq!(t.value("document.readyState").await, "complete");
    }
    "a document that gets no further is told" => |t| {
        t.site.page("/", &document("<img src='/never'>"));
        t.go("/", WaitUntil::DomContentLoaded).await.unwrap();
        let told = unmet(t, Condition::Load(WaitUntil::Load)).await;
        assert!(told.contains("DomContentLoaded"), "{told}");
    }
    "the network's rest" => |t| {
        t.show("").await;
        t.value("fetch('/slow?ms=400').then(() => { window.came = 1 }); 0").await;
        met(t, Condition::Load(WaitUntil::NetworkIdle)).await;
        assert_eq!(t.value("window.came").await, 1);
    }
    "a script that is true" => |t| {
        t.show("").await;
        for script in ["true", "1", "() => true", "async () => 'yes'", "Promise.resolve(1)", "return 5 > 3", "document.title === 'case'"] {
            met(t, function(script)).await;
        }
    }
    "a script that becomes true" => |t| {
        t.show("").await;
        later(t, "window.ready = true").await;
        met(t, function("window.ready")).await;
    }
    "a script that becomes true on the next page" => |t| {
        t.site.page("/next", "<script>window.ready = true</script>");
        t.show("").await;
        later(t, "location.href = '/next'").await;
        met(t, function("window.ready === true")).await;
    }
    "a script that never becomes true is told" => |t| {
        t.show("").await;
        assert_eq!(unmet(t, function("false")).await, "it did not become true");
    }
    "a script that throws is told with its exception" => |t| {
        t.show("").await;
        let told = t.page.wait(&function("nothing.at.all"), &t.scope()).await;
        let Err(NotMet::Failed(Failed::Threw { message, .. })) = told else { panic!("{told:?}") };
        assert!(message.contains("ReferenceError"), "{message}");
    }
    "a script that never answers costs the call's time and no more" => |t| {
        t.show("").await;
        let told = t.page.wait(&function("new Promise(() => {})"), &scope_of(ms(600))).await;
        assert!(told.is_err());
        assert_eq!(t.value("1").await, 1);
    }
    "a page that changes all the time is waited for all the same" => |t| {
        t.show("<p id=p>0</p><script>let n = 0; setInterval(() => { p.textContent = ++n }, 1)</script>").await;
        later(t, "document.body.insertAdjacentHTML('beforeend', '<i id=i>x</i>')").await;
        met(t, element("#i", Visible)).await;
        unmet(t, text("never")).await;
    }
    "a cancelled wait comes back at once" => |t| {
        t.show("").await;
        let scope = t.scope();
        scope.cancel_token().cancel();
        let told = t.page.wait(&text("never"), &scope).await;
        assert_eq!(told, Err(NotMet::Failed(Failed::Interrupted(engine::page::Interruption::Cancelled))));
    }
}
