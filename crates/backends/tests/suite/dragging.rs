//! Dragging within the page, and dropping from outside of it.

use std::time::Duration;

use engine::Failed;
use engine::backend::{Dropped, Modifiers};
use serde_json::json;

use crate::case::{Given, at, cases, scope_of};

const NONE: Modifiers = Modifiers { alt: false, control: false, meta: false, shift: false };

/// Something to drag, and where to; `heard` has what came of it.
const ENDS: &str = "<div id=a draggable=true style='width:50px;height:50px;background:red'></div><div style='height:200px'></div><div id=z style='width:100px;height:100px;background:blue'></div>\
    <script>window.heard = []; a.ondragstart = event => event.dataTransfer.setData('text/plain', 'it'); z.ondragover = event => event.preventDefault(); z.ondrop = () => heard.push('drop')</script>";
/// Covers everything, and would take a drop.
const COVER: &str = "const cover = document.createElement('div'); cover.id = 'cover'; cover.style.cssText = 'position:fixed;inset:0'; \
    cover.ondragover = event => event.preventDefault(); cover.ondrop = () => heard.push('wrong')";

/// Something to drag within a frame, and where to. It tells the page around it what came of it.
const INNER: &str = "<!doctype html><body style='margin:0'><div id=a draggable=true style='width:50px;height:50px;background:red'></div><div style='height:60px'></div><div id=z style='width:100px;height:50px;background:blue'></div>\
    <script>const heard = []; a.ondragstart = event => { event.dataTransfer.setData('text/plain', 'it'); heard.push('start') }; z.ondragover = event => event.preventDefault(); z.ondrop = event => heard.push('drop ' + event.dataTransfer.getData('text/plain')); a.ondragend = () => { heard.push('end'); parent.postMessage(heard, '*') }</script>";

/// Drags in a frame with this address and style.
async fn dragged_within(t: &Given, address: &str, style: &str) {
    t.show(&format!("<script>window.told = new Promise(done => {{ onmessage = event => done(event.data) }})</script><iframe id=f style='width:300px;height:300px;{style}' src='{address}'></iframe>")).await;
    let within = |name: &str| at(&format!("frameLocator('#f').locator('{name}')"));
    t.page.drag(&within("#a"), &within("#z"), NONE, &t.scope()).await.unwrap();
    assert_eq!(t.value("told").await, json!(["start", "drop it", "end"]), "{address} {style}");
}

cases! {
    "things are dragged by html and by mouse" => |t| {
        t.show("<div id=a draggable=true style='width:50px;height:50px;background:red'></div><div style='height:200px'></div><div id=z style='width:100px;height:100px;background:blue'></div>\
            <script>window.heard = []; a.ondragstart = event => { event.dataTransfer.setData('text/plain', 'it'); heard.push('start') }; z.ondragover = event => event.preventDefault(); z.ondrop = event => heard.push('drop ' + event.dataTransfer.getData('text/plain')); a.ondragend = () => heard.push('end')</script>").await;
        t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
        assert_eq!(t.value("heard").await, json!(["start", "drop it", "end"]));
        t.show("<div id=a style='position:absolute;left:0;top:0;width:50px;height:50px;background:red'></div><div id=z style='position:absolute;left:300px;top:300px;width:100px;height:100px'></div>\
            <script>let held; window.moves = 0; a.onpointerdown = () => held = true; onpointermove = event => { if (held) { moves++; a.style.left = event.clientX - 25 + 'px'; a.style.top = event.clientY - 25 + 'px' } }; onpointerup = () => held = false</script>").await;
        t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
        assert_eq!(t.value("[a.style.left, a.style.top]").await, json!(["325px", "325px"]));
        assert!(t.value("moves").await.as_u64().unwrap() >= 2);
    }
    "a drag between frames and scrolled parts finds both ends" => |t| {
        t.site.page("/inner", "<!doctype html><body style='margin:0'><div id=z style='width:200px;height:100px;background:blue'></div><script>z.onpointerup = () => parent.postMessage('up', '*'); z.onmouseup = () => parent.postMessage('up', '*')</script>");
        t.show("<div style='height:600px'></div><div id=a style='width:50px;height:50px;background:red'></div><iframe id=f src=/inner></iframe><script>window.heard = []; onmessage = event => heard.push(event.data); a.onpointerdown = () => heard.push('down')</script>").await;
        t.page.drag(&at("#a"), &at("#f >> internal:control=enter-frame >> #z"), NONE, &t.scope()).await.unwrap();
        assert_eq!(t.value("heard[0]").await, "down");
    }
    "files and data are dropped from outside" => |t| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("note.txt");
        std::fs::write(&file, "hello").unwrap();
        t.show("<div id=z style='height:100px'></div><script>z.ondragover = event => event.preventDefault(); z.ondrop = async event => { event.preventDefault(); window.got = [event.dataTransfer.getData('text/plain'), ...Array.from(event.dataTransfer.files, file => file.name)] }</script>").await;
        let dropped = Dropped { files: vec![file], data: vec![("text/plain".to_owned(), "data".to_owned())] };
        t.page.drop_on(&at("#z"), dropped, &t.scope()).await.unwrap();
        assert_eq!(t.value("got").await, json!(["data", "note.txt"]));
    }
    "a drop that would go elsewhere is stopped and the drag done again" => |t| {
        t.show(&format!("{ENDS}<script>{COVER}; let first = true; addEventListener('dragover', () => {{ if (first) document.body.append(cover) }}); a.ondragend = () => {{ heard.push('end'); first = false; cover.remove() }}</script>")).await;
        t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
        assert_eq!(t.value("heard").await, json!(["end", "drop", "end"]));
    }
    "a drop that always goes elsewhere names what took it" => |t| {
        t.show(&format!("{ENDS}<script>{COVER}; addEventListener('dragover', () => document.body.append(cover)); a.ondragend = () => cover.remove()</script>")).await;
        let refused = t.page.drag(&at("#a"), &at("#z"), NONE, &scope_of(Duration::from_secs(8))).await.unwrap_err();
        let Failed::NotActionable { diary, .. } = &refused else { panic!("{refused:?}") };
        assert!(refused.to_string().contains("covered by <div id=\"cover\""), "{refused}");
        assert!(diary.iter().any(|line| line.contains("at the moment of the event")), "{diary:?}");
        assert_eq!(t.value("heard").await, json!([]));
    }
    "a list that makes room under the hand takes the drop" => |t| {
        t.show("<ul id=list style='width:200px'><li id=a draggable=true>A<li id=b draggable=true>B<li id=z draggable=true>Z</ul>\
            <script>window.heard = []; a.ondragstart = event => event.dataTransfer.setData('text/plain', 'a'); \
            list.ondragover = event => { event.preventDefault(); const over = event.target.closest('li'); if (over && over !== a) over.after(a) }; list.ondrop = () => heard.push('drop')</script>").await;
        t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
        assert_eq!(t.value("[list.innerText.replaceAll(/\\s/g, ''), heard.join()]").await, json!(["BZA", "drop"]));
    }
    "a mouse that is let go elsewhere is told" => |t| {
        t.show(&format!("<div id=a style='width:50px;height:50px;background:red'></div><div style='height:200px'></div><div id=z style='width:100px;height:100px'></div><script>window.heard = []; {COVER}; a.onmousedown = () => document.body.append(cover); onmouseup = () => {{ heard.push('up'); cover.remove() }}</script>")).await;
        let dragged = t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
        assert!(dragged.over.as_deref().is_some_and(|over| over.contains("cover")), "{dragged:?}");
        assert_eq!(t.value("heard").await, json!(["up"]));
    }
    "keys are held during a drag and let go after it" => |t| {
        t.show(&format!("{ENDS}<script>const note = event => heard.push([event.type, event.ctrlKey, event.shiftKey].join(' ')); for (const type of ['keydown', 'keyup', 'mousedown', 'drop']) addEventListener(type, note, true)</script>")).await;
        let held = Modifiers { control: true, shift: true, ..NONE };
        t.page.drag(&at("#a"), &at("#z"), held, &t.scope()).await.unwrap();
        let heard = json!(["keydown true false", "keydown true true", "mousedown true true", "drop true true", "drop", "keyup true false", "keyup false false"]);
        assert_eq!(t.value("heard").await, heard);
    }
    "things are dragged in a frame, whatever its site" => |t| {
        t.site.page("/inner", INNER);
        for site in [t.site.url("/inner"), t.site.url_on("localhost", "/inner")] {
            dragged_within(t, &site, "border:7px solid;margin:20px 50px").await;
        }
    }
    "things are dragged in a frame of another site that is drawn at a scale of its own" => |t| {
        t.site.page("/inner", INNER);
        dragged_within(t, &t.site.url_on("localhost", "/inner"), "transform:scale(0.75)").await;
    }
    "things are dragged in a frame of the same site that is drawn at a scale of its own" => |t| {
        t.site.page("/inner", INNER);
        dragged_within(t, &t.site.url("/inner"), "transform:scale(0.75)").await;
    }
    "a thing is dragged out of a frame, and into one" => |t| {
        t.site.page("/inner", "<!doctype html><body style='margin:0'><div id=i draggable=true style='width:100px;height:100px;background:red'></div><script>\
            i.ondragstart = event => event.dataTransfer.setData('text/plain', 'inner'); i.ondragover = event => event.preventDefault(); i.ondrop = event => parent.heard.push('in ' + event.dataTransfer.getData('text/plain'))</script>");
        t.show("<div id=o draggable=true style='width:100px;height:100px;background:blue'></div><iframe id=f src=/inner></iframe><script>window.heard = [];\
            o.ondragstart = event => event.dataTransfer.setData('text/plain', 'outer'); o.ondragover = event => event.preventDefault(); o.ondrop = event => heard.push('out ' + event.dataTransfer.getData('text/plain'))</script>").await;
        let inner = at("frameLocator('#f').locator('#i')");
        t.page.drag(&at("#o"), &inner, NONE, &t.scope()).await.unwrap();
        t.page.drag(&inner, &at("#o"), NONE, &t.scope()).await.unwrap();
        assert_eq!(t.value("heard").await, json!(["in outer", "out inner"]));
    }
    "a drop in a frame comes from outside, too" => |t| {
        t.site.page("/inner", "<!doctype html><div id=z style='height:100px'></div><script>z.ondragover = event => event.preventDefault(); z.ondrop = event => { event.preventDefault(); parent.postMessage(event.dataTransfer.getData('text/plain'), '*') }</script>");
        t.show(&format!("<script>window.told = new Promise(done => {{ onmessage = event => done(event.data) }})</script><iframe id=f src='{}'></iframe>", t.site.url_on("localhost", "/inner"))).await;
        let dropped = Dropped { files: Vec::new(), data: vec![("text/plain".to_owned(), "data".to_owned())] };
        t.page.drop_on(&at("frameLocator('#f').locator('#z')"), dropped, &t.scope()).await.unwrap();
        assert_eq!(t.value("told").await, "data");
    }
    "the page says what may be done with what is dragged, and hears what was" => |t| {
        for (allowed, wanted, heard) in [("copyMove", "move", json!(["drop move", "end move"])), ("copy", "move", json!(["end none"])), ("all", "none", json!(["end none"]))] {
            t.show(&format!("<div id=a draggable=true style='width:50px;height:50px;background:red'></div><div style='height:200px'></div><div id=z style='width:100px;height:100px;background:blue'></div>\
                <script>window.heard = []; a.ondragstart = event => {{ event.dataTransfer.setData('text/plain', 'it'); event.dataTransfer.effectAllowed = '{allowed}' }}; z.ondragover = event => {{ event.preventDefault(); event.dataTransfer.dropEffect = '{wanted}' }};\
                z.ondrop = event => heard.push('drop ' + event.dataTransfer.dropEffect); a.ondragend = event => heard.push('end ' + event.dataTransfer.dropEffect)</script>")).await;
            t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
            assert_eq!(t.value("heard").await, heard, "{allowed} {wanted}");
        }
    }
    "what a drop sets in motion is waited for" => |t| {
        t.show(&format!("{ENDS}<p id=out></p><script>z.ondrop = () => setTimeout(() => out.textContent = 'done', 300)</script>")).await;
        let mark = t.page.mark();
        t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
        t.page.settle(&mark, &t.scope()).await;
        assert_eq!(t.value("out.textContent").await, "done");
    }
    "a drag is no click, and lets go of the mouse" => |t| {
        t.show(&format!("{ENDS}<script>window.mouse = []; for (const type of ['mouseup', 'click']) addEventListener(type, event => mouse.push(event.type), true)</script><button id=b>Go</button>")).await;
        t.page.drag(&at("#a"), &at("#z"), NONE, &t.scope()).await.unwrap();
        assert_eq!(t.value("mouse").await, json!([]));
        t.page.click(&at("#b"), &engine::action::Click::default(), &t.scope()).await.unwrap();
        assert_eq!(t.value("mouse").await, json!(["mouseup", "click"]));
    }
}
