//! Dragging within the page, and dropping from outside of it.

use std::time::Duration;

use engine::Failed;
use engine::backend::{Dropped, Modifiers};
use serde_json::json;

use crate::stage::{limited, on_stage, scope, target};

const NONE: Modifiers = Modifiers { alt: false, control: false, meta: false, shift: false };

/// Something to drag, and where to; `heard` has what came of it.
const ENDS: &str = "<div id=a draggable=true style='width:50px;height:50px;background:red'></div><div style='height:200px'></div><div id=z style='width:100px;height:100px;background:blue'></div>\
    <script>window.heard = []; a.ondragstart = event => event.dataTransfer.setData('text/plain', 'it'); z.ondragover = event => event.preventDefault(); z.ondrop = () => heard.push('drop')</script>";
/// Covers everything, and would take a drop.
const COVER: &str = "const cover = document.createElement('div'); cover.id = 'cover'; cover.style.cssText = 'position:fixed;inset:0'; \
    cover.ondragover = event => event.preventDefault(); cover.ondrop = () => heard.push('wrong')";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn things_are_dragged_by_html_and_by_mouse() {
    on_stage(async |stage| {
        stage.show("<div id=a draggable=true style='width:50px;height:50px;background:red'></div><div style='height:200px'></div><div id=z style='width:100px;height:100px;background:blue'></div>\
            <script>window.heard = []; a.ondragstart = event => { event.dataTransfer.setData('text/plain', 'it'); heard.push('start') }; z.ondragover = event => event.preventDefault(); z.ondrop = event => heard.push('drop ' + event.dataTransfer.getData('text/plain')); a.ondragend = () => heard.push('end')</script>").await;
        stage.page.drag(&target("#a"), &target("#z"), NONE, &scope()).await.unwrap();
        assert_eq!(stage.value("heard").await, json!(["start", "drop it", "end"]));
        stage.show("<div id=a style='position:absolute;left:0;top:0;width:50px;height:50px;background:red'></div><div id=z style='position:absolute;left:300px;top:300px;width:100px;height:100px'></div>\
            <script>let held; window.moves = 0; a.onpointerdown = () => held = true; onpointermove = event => { if (held) { moves++; a.style.left = event.clientX - 25 + 'px'; a.style.top = event.clientY - 25 + 'px' } }; onpointerup = () => held = false</script>").await;
        stage.page.drag(&target("#a"), &target("#z"), NONE, &scope()).await.unwrap();
        assert_eq!(stage.value("[a.style.left, a.style.top]").await, json!(["325px", "325px"]));
        assert!(stage.value("moves").await.as_u64().unwrap() >= 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drag_between_frames_and_scrolled_parts_finds_both_ends() {
    on_stage(async |stage| {
        stage.site.page("/inner", "<!doctype html><body style='margin:0'><div id=z style='width:200px;height:100px;background:blue'></div><script>z.onpointerup = () => parent.postMessage('up', '*'); z.onmouseup = () => parent.postMessage('up', '*')</script>");
        stage.show("<div style='height:600px'></div><div id=a style='width:50px;height:50px;background:red'></div><iframe id=f src=/inner></iframe><script>window.heard = []; onmessage = event => heard.push(event.data); a.onpointerdown = () => heard.push('down')</script>").await;
        stage.page.drag(&target("#a"), &target("#f >> internal:control=enter-frame >> #z"), NONE, &scope()).await.unwrap();
        assert_eq!(stage.value("heard[0]").await, "down");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_and_data_are_dropped_from_outside() {
    on_stage(async |stage| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("note.txt");
        std::fs::write(&file, "hello").unwrap();
        stage.show("<div id=z style='height:100px'></div><script>z.ondragover = event => event.preventDefault(); z.ondrop = async event => { event.preventDefault(); window.got = [event.dataTransfer.getData('text/plain'), ...Array.from(event.dataTransfer.files, file => file.name)] }</script>").await;
        let dropped = Dropped { files: vec![file], data: vec![("text/plain".to_owned(), "data".to_owned())] };
        stage.page.drop_on(&target("#z"), dropped, &scope()).await.unwrap();
        assert_eq!(stage.value("got").await, json!(["data", "note.txt"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drop_that_would_go_elsewhere_is_stopped_and_the_drag_done_again() {
    on_stage(async |stage| {
        stage.show(&format!("{ENDS}<script>{COVER}; let first = true; addEventListener('dragover', () => {{ if (first) document.body.append(cover) }}); a.ondragend = () => {{ heard.push('end'); first = false; cover.remove() }}</script>")).await;
        stage.page.drag(&target("#a"), &target("#z"), NONE, &scope()).await.unwrap();
        assert_eq!(stage.value("heard").await, json!(["end", "drop", "end"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drop_that_always_goes_elsewhere_names_what_took_it() {
    on_stage(async |stage| {
        stage.show(&format!("{ENDS}<script>{COVER}; addEventListener('dragover', () => document.body.append(cover)); a.ondragend = () => cover.remove()</script>")).await;
        let refused = stage.page.drag(&target("#a"), &target("#z"), NONE, &limited(Duration::from_secs(8))).await.unwrap_err();
        let Failed::NotActionable { diary, .. } = &refused else { panic!("{refused:?}") };
        assert!(refused.to_string().contains("covered by <div id=\"cover\""), "{refused}");
        assert!(diary.iter().any(|line| line.contains("at the moment of the event")), "{diary:?}");
        assert_eq!(stage.value("heard").await, json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_makes_room_under_the_hand_takes_the_drop() {
    on_stage(async |stage| {
        stage.show("<ul id=list style='width:200px'><li id=a draggable=true>A<li id=b draggable=true>B<li id=z draggable=true>Z</ul>\
            <script>window.heard = []; a.ondragstart = event => event.dataTransfer.setData('text/plain', 'a'); \
            list.ondragover = event => { event.preventDefault(); const over = event.target.closest('li'); if (over && over !== a) over.after(a) }; list.ondrop = () => heard.push('drop')</script>").await;
        stage.page.drag(&target("#a"), &target("#z"), NONE, &scope()).await.unwrap();
        assert_eq!(stage.value("[list.innerText.replaceAll(/\\s/g, ''), heard.join()]").await, json!(["BZA", "drop"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mouse_that_is_let_go_elsewhere_is_told() {
    on_stage(async |stage| {
        stage.show(&format!("<div id=a style='width:50px;height:50px;background:red'></div><div style='height:200px'></div><div id=z style='width:100px;height:100px'></div><script>window.heard = []; {COVER}; a.onmousedown = () => document.body.append(cover); onmouseup = () => {{ heard.push('up'); cover.remove() }}</script>")).await;
        let dragged = stage.page.drag(&target("#a"), &target("#z"), NONE, &scope()).await.unwrap();
        assert!(dragged.over.as_deref().is_some_and(|over| over.contains("cover")), "{dragged:?}");
        assert_eq!(stage.value("heard").await, json!(["up"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_are_held_during_a_drag_and_let_go_after_it() {
    on_stage(async |stage| {
        stage.show(&format!("{ENDS}<script>const note = event => heard.push([event.type, event.ctrlKey, event.shiftKey].join(' ')); for (const type of ['keydown', 'keyup', 'mousedown', 'drop']) addEventListener(type, note, true)</script>")).await;
        let held = Modifiers { control: true, shift: true, ..NONE };
        stage.page.drag(&target("#a"), &target("#z"), held, &scope()).await.unwrap();
        let heard = json!(["keydown true false", "keydown true true", "mousedown true true", "drop true true", "drop", "keyup true false", "keyup false false"]);
        assert_eq!(stage.value("heard").await, heard);
    })
    .await;
}
