//! Snapshots over time and over frames: refs that stay, what changed since the agent looked, and frames put in place.

use engine::page::WaitUntil;
use engine::snapshot::{SnapshotOptions, View};

use crate::case::{Given, cases, document, ms, scope_of};
use crate::corpus::ref_of;

/// What an agent is told now.
async fn view(t: &Given) -> View {
    t.page.view(20_000, &t.scope()).await.unwrap()
}

/// What changed, in the words of the agent's result.
async fn changed(t: &Given) -> String {
    match view(t).await {
        View::Changed(text) => text,
        other => panic!("{other:?}"),
    }
}

/// Waits until the snapshot has a text, and gives it.
async fn snapshot_with(t: &Given, text: &str) -> String {
    t.text(text).await;
    let told = t.snapshot().await;
    assert!(told.contains(text), "{text} is not in\n{told}");
    told
}

cases! {
    "refs stay from one snapshot to the next" => |t| {
        t.show("<button>Save</button><button>Open</button>").await;
        let first = t.snapshot().await;
        assert_eq!(t.snapshot().await, first);
    }
    "an element keeps its ref when others come and it changes its state" => |t| {
        t.show("<button id=a>Save</button>").await;
        let before = ref_of(&t.snapshot().await, "Save");
        t.value("const a = document.querySelector('#a'); a.before(document.createElement('input')); a.disabled = true").await;
        let after = t.snapshot().await;
        assert_eq!(ref_of(&after, "Save"), before);
        assert!(after.contains("[disabled]"), "{after}");
    }
    "an element with another name has another ref" => |t| {
        t.show("<button id=a>Follow</button>").await;
        let before = ref_of(&t.snapshot().await, "Follow");
        t.value("document.querySelector('#a').textContent = 'Unfollow'").await;
        assert_ne!(ref_of(&t.snapshot().await, "Unfollow"), before);
    }
    "a page that was never seen is told whole" => |t| {
        t.show("<button>Save</button>").await;
        assert!(matches!(view(t).await, View::Whole(_)));
    }
    "a page that did not change is told as such" => |t| {
        t.show("<button>Save</button>").await;
        view(t).await;
        assert_eq!(view(t).await, View::Unchanged);
    }
    "a snapshot counts as seen" => |t| {
        t.show("<button>Save</button>").await;
        t.snapshot().await;
        assert_eq!(view(t).await, View::Unchanged);
    }
    "a part of the page does not count as seen" => |t| {
        t.show("<button>Save</button><p>x</p>").await;
        let options = SnapshotOptions { target: Some(crate::case::at("button")), ..SnapshotOptions::default() };
        t.page.snapshot(&options, &t.scope()).await.unwrap();
        assert!(matches!(view(t).await, View::Whole(_)));
    }
    "what is new, different and gone is told, and nothing else" => |t| {
        t.show("<h1>Todos</h1><ul id=list><li>Milk <button>Drop</button></li></ul><p id=left>1 left</p><button id=note>Note</button><p>Other</p><p>More</p>").await;
        view(t).await;
        t.value("document.querySelector('#left').textContent = '2 left'; document.querySelector('#note').remove();
            document.querySelector('#list').insertAdjacentHTML('beforeend', '<li>Eggs <button>Drop</button></li>')").await;
        let text = changed(t).await;
        assert!(text.contains("Eggs") && text.contains("2 left") && text.contains("Note"), "{text}");
        assert!(!text.contains("Other") && !text.contains("Milk"), "{text}");
    }
    "a checked box is one changed line" => |t| {
        t.show("<label><input id=c type=checkbox> Agree</label><p>a</p><p>b</p><p>c</p><p>d</p>").await;
        view(t).await;
        t.value("document.querySelector('#c').checked = true").await;
        let text = changed(t).await;
        assert!(text.contains("[checked]") && text.lines().count() == 1, "{text}");
    }
    "what is typed is told" => |t| {
        t.show("<input id=i aria-label=Name><p>a</p><p>b</p><p>c</p>").await;
        view(t).await;
        t.value("document.querySelector('#i').value = 'Ada'").await;
        assert!(changed(t).await.contains("Ada"));
    }
    "another document is told whole" => |t| {
        t.show("<button>Save</button>").await;
        view(t).await;
        t.open("/").await;
        assert!(matches!(view(t).await, View::Whole(_)));
    }
    "another address of the same document is not another page" => |t| {
        t.show("<button>Save</button>").await;
        view(t).await;
        t.value("history.pushState(0, '', '/other')").await;
        assert_eq!(view(t).await, View::Unchanged);
    }
    "a page that changed through and through is told whole" => |t| {
        t.show("<p>a</p><p>b</p><p>c</p>").await;
        view(t).await;
        t.value("document.body.innerHTML = Array.from({ length: 3 }, (_, i) => `<button>New ${i}</button>`).join('')").await;
        assert!(!matches!(view(t).await, View::Unchanged));
    }
    "a frame's lines stand below its own, with refs that say so" => |t| {
        t.show("<h1>Top</h1><iframe title=Map srcdoc='<button>Zoom</button>'></iframe><p>After</p>").await;
        let told = t.snapshot().await;
        let lines: Vec<&str> = told.lines().collect();
        let frame = lines.iter().position(|line| line.starts_with("- iframe \"Map\"")).unwrap_or_else(|| panic!("{told}"));
        assert!(lines[frame + 1].starts_with("  - button \"Zoom\" [ref=f1e"), "{told}");
        assert!(lines[frame + 2].contains("After"), "{told}");
        assert_eq!(t.of(&ref_of(&told, "Zoom"), "el => el.textContent").await.unwrap(), "Zoom");
    }
    "frames of other sites are told like any" => |t| {
        t.site.page("/in", &document("<button>Inside</button>"));
        let there = t.site.url_on("localhost", "/in");
        t.show(&format!("<iframe src='{there}'></iframe>")).await;
        let told = t.snapshot().await;
        assert_eq!(t.of(&ref_of(&told, "Inside"), "el => location.hostname").await.unwrap(), "localhost");
    }
    "frames in frames have numbers of their own" => |t| {
        t.site.page("/deep", &document("<button>Deep</button>"));
        t.site.page("/middle", &document("<button>Middle</button><iframe src='/deep'></iframe>"));
        t.show("<button>Top</button><iframe src='/middle'></iframe>").await;
        let told = t.snapshot().await;
        let refs = [ref_of(&told, "Top"), ref_of(&told, "\"Middle\""), ref_of(&told, "Deep")];
        assert!(refs[0].starts_with('e') && refs[1].starts_with("f1e") && refs[2].starts_with("f2e"), "{told}");
        assert!(told.contains("\n    - button \"Deep\""), "{told}");
        for (reference, text) in refs.iter().zip(["Top", "Middle", "Deep"]) {
            assert_eq!(t.of(reference, "el => el.textContent").await.unwrap(), text);
        }
    }
    "two frames stand in their own places" => |t| {
        t.show("<p>One</p><iframe srcdoc='<b>first</b>'></iframe><p>Two</p><iframe srcdoc='<b>second</b>'></iframe><p>Three</p>").await;
        let told = t.snapshot().await;
        let at = |text: &str| told.find(text).unwrap_or_else(|| panic!("{text} in\n{told}"));
        assert!(at("One") < at("first") && at("first") < at("Two") && at("Two") < at("second") && at("second") < at("Three"));
    }
    "a frame that comes later is told from then on" => |t| {
        t.show("<p>Top</p>").await;
        view(t).await;
        t.value("document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc=\"<button>Late</button>\"></iframe>')").await;
        snapshot_with(t, "Late").await;
    }
    "a frame that is removed is told as gone" => |t| {
        t.show("<p>Top</p><p>b</p><p>c</p><iframe srcdoc='<button>In</button>'></iframe>").await;
        assert!(t.snapshot().await.contains("\"In\""));
        t.value("document.querySelector('iframe').remove()").await;
        assert!(changed(t).await.contains("iframe"));
        assert!(!t.snapshot().await.contains("\"In\""));
    }
    "a frame's ref stays while the frame does" => |t| {
        t.show("<iframe srcdoc='<button>In</button>'></iframe>").await;
        let first = ref_of(&t.snapshot().await, "In");
        t.value("document.body.insertAdjacentHTML('afterbegin', '<iframe srcdoc=\"<button>Other</button>\"></iframe>')").await;
        let later = snapshot_with(t, "Other").await;
        assert_eq!(ref_of(&later, "\"In\""), first);
        assert_eq!(t.of(&first, "el => el.textContent").await.unwrap(), "In");
    }
    "a change in a frame is told" => |t| {
        t.show("<p>a</p><p>b</p><iframe id=f srcdoc='<p id=p>Old</p><button>In</button>'></iframe>").await;
        view(t).await;
        t.of("frameLocator('#f').locator('#p')", "el => { el.textContent = 'New' }").await.unwrap();
        let text = changed(t).await;
        assert!(text.contains("New") && !text.contains("button"), "{text}");
    }
    "a scope in a frame is that part of it" => |t| {
        t.show("<p>Top</p><iframe id=f srcdoc='<p>x</p><section aria-label=Part><button>In</button></section>'></iframe>").await;
        let target = Some(crate::case::at("frameLocator('#f').locator('section')"));
        let told = t.page.snapshot(&SnapshotOptions { target, ..SnapshotOptions::default() }, &t.scope()).await.unwrap().whole();
        assert!(told.starts_with("- region \"Part\" [ref=f1e") && told.contains("In") && !told.contains("Top"), "{told}");
    }
    "a depth counts through frames" => |t| {
        t.show("<main><iframe title=F srcdoc='<main><ul><li><a href=/x>Far</a></ul></main>'></iframe></main>").await;
        let options = SnapshotOptions { depth: Some(1), ..SnapshotOptions::default() };
        let told = t.page.snapshot(&options, &t.scope()).await.unwrap().whole();
        assert!(told.contains("iframe") && !told.contains("Far"), "{told}");
    }
    "boxes in frames are told" => |t| {
        t.show("<iframe srcdoc='<button>In</button>'></iframe>").await;
        let options = SnapshotOptions { boxes: true, ..SnapshotOptions::default() };
        let told = t.page.snapshot(&options, &t.scope()).await.unwrap().whole();
        let line = told.lines().find(|line| line.contains("\"In\"")).unwrap();
        assert!(line.contains("[box="), "{told}");
    }
    "a frame that never loads hides nothing of the page" => |t| {
        t.site.page("/", &document("<h1>Top</h1><iframe src='/never'></iframe><p>After</p>"));
        t.go("/", WaitUntil::DomContentLoaded).await.unwrap();
        let told = t.snapshot().await;
        assert!(told.contains("Top") && told.contains("After"), "{told}");
    }
    "a frame of another site that hangs hides nothing of the page" => |t| {
        t.site.page("/hanging", "");
        t.site.page("/hang", &document("<b>x</b><script>setTimeout(() => {
            const request = new XMLHttpRequest();
            request.open('GET', '/hanging', false);
            request.send();
            for (;;) {}
        })</script>"));
        let there = t.site.url_on("localhost", "/hang");
        t.site.page("/", &document(&format!("<h1>Top</h1><iframe src='{there}'></iframe><p>After</p>")));
        let _ = t.page.navigate(&t.site.url("/"), WaitUntil::DomContentLoaded, &scope_of(ms(3000))).await;
        // From here on its script does not end: it waits for the answer, and then for nothing.
        t.asked("/hanging", 1).await;
        let told = t.page.snapshot(&SnapshotOptions::default(), &scope_of(ms(8000))).await.unwrap().whole();
        assert!(told.contains("Top") && told.contains("After"), "{told}");
    }
    "a snapshot while the page goes elsewhere is of one of the two" => |t| {
        t.site.page("/next", &document("<h1>Next</h1>"));
        t.show("<h1>First</h1>").await;
        t.value("setTimeout(() => { location.href = '/next' })").await;
        let told = t.snapshot().await;
        assert!(told.contains("First") || told.contains("Next") || told.is_empty(), "{told}");
        snapshot_with(t, "Next").await;
    }
}
