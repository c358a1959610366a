//! What hands do besides what the suite asks.

use engine::backend::{InputEvent, Modifiers, Point};
use serde_json::json;

use crate::stage::on_stage;

const NONE: Modifiers = Modifiers { alt: false, control: false, meta: false, shift: false };

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finger_touches_and_clicks() {
    on_stage(async |stage| {
        stage.show("<body style='margin:0'><div style='width:200px;height:50px;background:red'></div><script>window.heard = []; for (const kind of ['touchstart', 'touchend', 'click']) document.querySelector('div').addEventListener(kind, event => heard.push(kind + ' ' + event.isTrusted))</script>").await;
        stage.raw.input(vec![InputEvent::Tap { at: Point { x: 20.0, y: 20.0 }, modifiers: NONE }]).await.unwrap();
        assert_eq!(stage.value("heard").await, json!(["touchstart true", "touchend true", "click true"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn things_are_dragged_in_a_frame_of_another_site() {
    on_stage(async |stage| {
        stage.site.page("/inner", "<!doctype html><body style='margin:0'><div id=a draggable=true style='width:50px;height:50px;background:red'></div><div style='height:60px'></div><div id=z style='width:100px;height:50px;background:blue'></div>\
            <script>const heard = []; a.ondragstart = event => { event.dataTransfer.setData('text/plain', 'it'); heard.push('start') }; z.ondragover = event => event.preventDefault(); z.ondrop = event => heard.push('drop ' + event.dataTransfer.getData('text/plain')); a.ondragend = () => { heard.push('end'); parent.postMessage(heard, '*') }</script>");
        let there = stage.site.url_on("localhost", "/inner");
        stage.show(&format!("<script>window.told = new Promise(done => {{ onmessage = event => done(event.data) }})</script><iframe id=f style='width:300px;height:300px' src='{there}'></iframe>")).await;
        let at = |name: &str| crate::stage::target(&format!("frameLocator('#f').locator('{name}')"));
        stage.page.drag(&at("#a"), &at("#z"), NONE, &crate::stage::scope()).await.unwrap();
        assert_eq!(stage.value("told").await, json!(["start", "drop it", "end"]));
    })
    .await;
}
