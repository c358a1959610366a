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
