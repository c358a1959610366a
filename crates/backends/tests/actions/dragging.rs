//! Dragging within the page, and dropping from outside of it.

use engine::backend::Dropped;
use serde_json::json;

use crate::stage::{on_stage, scope, target};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn things_are_dragged_by_html_and_by_mouse() {
    on_stage(async |stage| {
        stage.show("<div id=a draggable=true style='width:50px;height:50px;background:red'></div><div style='height:200px'></div><div id=z style='width:100px;height:100px;background:blue'></div>\
            <script>window.heard = []; a.ondragstart = event => { event.dataTransfer.setData('text/plain', 'it'); heard.push('start') }; z.ondragover = event => event.preventDefault(); z.ondrop = event => heard.push('drop ' + event.dataTransfer.getData('text/plain')); a.ondragend = () => heard.push('end')</script>").await;
        stage.page.drag(&target("#a"), &target("#z"), &scope()).await.unwrap();
        assert_eq!(stage.value("heard").await, json!(["start", "drop it", "end"]));
        stage.show("<div id=a style='position:absolute;left:0;top:0;width:50px;height:50px;background:red'></div><div id=z style='position:absolute;left:300px;top:300px;width:100px;height:100px'></div>\
            <script>let held; window.moves = 0; a.onpointerdown = () => held = true; onpointermove = event => { if (held) { moves++; a.style.left = event.clientX - 25 + 'px'; a.style.top = event.clientY - 25 + 'px' } }; onpointerup = () => held = false</script>").await;
        stage.page.drag(&target("#a"), &target("#z"), &scope()).await.unwrap();
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
        stage.page.drag(&target("#a"), &target("#f >> internal:control=enter-frame >> #z"), &scope()).await.unwrap();
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
