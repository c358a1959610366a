//! Hands: keys, wheels, fingers, drags, files.

use engine::backend::*;
use serde_json::json;

use crate::site::{Site, html};
use crate::tab::*;

fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

const NONE: Modifiers = Modifiers { alt: false, control: false, meta: false, shift: false };

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_wheels_and_fingers_do_what_they_do() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<body style='margin:0;height:3000px'><textarea style='width:200px;height:50px'></textarea>\
            <div style='width:200px;height:50px;background:red'></div><script>log = [];\
            for (const kind of ['touchstart', 'touchend', 'click', 'contextmenu', 'dblclick']) \
              document.querySelector('div').addEventListener(kind, event => log.push(kind));</script>"));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        tab.click(20.0, 20.0).await;
        let key = |key: &str, code: &str, key_code, text: Option<&str>| Key {
            key: key.to_owned(),
            code: code.to_owned(),
            key_code,
            location: 0,
            text: text.map(str::to_owned),
        };
        let press = |key: Key, modifiers| {
            [
                InputEvent::KeyDown { key: key.clone(), repeat: false, modifiers },
                InputEvent::KeyUp { key, modifiers: NONE },
            ]
        };
        let control = Modifiers { control: true, ..NONE };
        let mut keys = Vec::new();
        keys.extend(press(key("a", "KeyA", 65, Some("a")), NONE));
        keys.extend(press(key("Enter", "Enter", 13, Some("\r")), NONE));
        keys.extend(press(key("b", "KeyB", 66, Some("b")), NONE));
        tab.page.input(keys).await.unwrap();
        assert_eq!(tab.evaluate("document.querySelector('textarea').value").await, json!("a\nb"));
        let mut keys = press(key("a", "KeyA", 65, Some("a")), control).to_vec();
        keys.extend(press(key("Backspace", "Backspace", 8, None), NONE));
        tab.page.input(keys).await.unwrap();
        assert_eq!(tab.evaluate("document.querySelector('textarea').value").await, json!(""));

        tab.page.input(vec![InputEvent::Tap { at: at(20.0, 70.0), modifiers: NONE }]).await.unwrap();
        assert_eq!(tab.evaluate("log").await, json!(["touchstart", "touchend", "click"]));
        let (button, modifiers, at) = (MouseButton::Right, NONE, at(20.0, 70.0));
        tab.page
            .input(vec![
                InputEvent::Down { at, button, clicks: 1, modifiers },
                InputEvent::Up { at, button, clicks: 1, modifiers },
            ])
            .await
            .unwrap();
        assert_eq!(tab.evaluate("log.at(-1)").await, json!("contextmenu"));
        let mut twice = click(at.x, at.y);
        twice.push(InputEvent::Down { at, button: MouseButton::Left, clicks: 2, modifiers });
        twice.push(InputEvent::Up { at, button: MouseButton::Left, clicks: 2, modifiers });
        tab.page.input(twice).await.unwrap();
        assert_eq!(tab.evaluate("log.at(-1)").await, json!("dblclick"));
        tab.page.input(vec![InputEvent::Wheel { at, dx: 0.0, dy: 300.0, modifiers }]).await.unwrap();
        let scrolled = "new Promise(yes => { const look = () => scrollY > 0 ? yes(true) : requestAnimationFrame(look); look() })";
        assert_eq!(tab.evaluate(scrolled).await, json!(true));
    })
    .await;
}

const DRAGGABLE: &str = "<body style='margin:0'>\
  <div id=a draggable=true style='position:absolute;left:0;top:0;width:100px;height:100px;background:red'></div>\
  <div id=b style='position:absolute;left:300px;top:0;width:100px;height:100px;background:blue'></div>\
  <script>log = []; const a = document.querySelector('#a'), b = document.querySelector('#b');\
  a.ondragstart = event => { log.push('start'); event.dataTransfer.setData('text/plain', 'cargo') };\
  a.ondragend = () => log.push('end');\
  b.ondragenter = event => { log.push('enter'); event.preventDefault() };\
  b.ondragover = event => { log.at(-1) == 'over' || log.push('over'); event.preventDefault() };\
  b.ondrop = async event => { event.preventDefault(); const t = event.dataTransfer; \
    log.push('drop ' + t.getData('text/plain')); for (const f of t.files) log.push(f.name + ' ' + await f.text()) };</script>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drag_has_all_its_events() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html(DRAGGABLE));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        for _ in 0..2 {
            tab.evaluate("log = []").await;
            in_time(tab.page.drag(vec![at(50.0, 50.0), at(350.0, 50.0)], NONE)).await.unwrap();
            assert_eq!(tab.evaluate("log").await, json!(["start", "enter", "over", "drop cargo", "end"]));
        }
        // A drag that is given up half-way, wherever that is, holds nothing.
        for patience in [1, 3, 6, 10, 20, 40] {
            let until = std::time::Duration::from_millis(patience);
            let _ =
                tokio::time::timeout(until, tab.page.drag(vec![at(50.0, 50.0), at(350.0, 50.0)], NONE)).await;
            in_time(tab.page.drag(vec![at(50.0, 50.0), at(350.0, 50.0)], NONE)).await.unwrap();
            assert_eq!(
                tab.evaluate("log.slice(-3)").await,
                json!(["over", "drop cargo", "end"]),
                "{patience}"
            );
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drags_and_file_choosers_work_in_a_frame_in_another_process() {
    with_browser(async |browser| {
        let site = Site::start().await;
        let frame =
            "<style>iframe{position:absolute;border:0;left:100px;top:100px;width:500px;height:300px}</style>";
        site.at("/", html(&format!("{frame}<iframe src='{}'></iframe>", site.elsewhere("/inner"))));
        let input = "<input type=file style='position:absolute;left:0;top:200px;width:200px;height:40px'>";
        site.at("/inner", html(&format!("{DRAGGABLE}{input}")));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        let inner = tab.child().await;
        // Until it is on the screen, input goes past it; the engine waits for that (`injected/drawn.js`).
        let painted = "new Promise(yes => { const look = () => performance.getEntriesByType('paint').length ? yes(true) : setTimeout(look, 5); look() })";
        assert_eq!(tab.evaluate_in(&inner, painted).await, true);
        in_time(tab.page.drag(vec![at(150.0, 150.0), at(450.0, 150.0)], NONE)).await.unwrap();
        let log = tab.evaluate_in(&inner, "log").await;
        assert_eq!(log, json!(["start", "enter", "over", "drop cargo", "end"]));
        tab.click(120.0, 310.0).await;
        let input = tab
            .wait(|event| match event {
                PageEvent::FileChooser { input, .. } => Some(input.clone()),
                _ => None,
            })
            .await;
        assert_eq!(input.unwrap().frame, inner);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_nothing_is_dragged_a_drag_is_a_mouse_that_moves() {
    with_browser(async |browser| {
        let site = Site::start().await;
        site.at("/", html("<body style='margin:0;height:400px'><script>log = [];\
            for (const kind of ['mousedown', 'mousemove', 'mouseup']) document.addEventListener(kind, event => \
            { if (event.buttons || kind != 'mousemove') log.at(-1) == kind || log.push(kind) })</script>"));
        site.at("/prevented", html(&format!("{DRAGGABLE}<script>a.ondragstart = event => event.preventDefault();\
            document.onmouseup = () => log.push('up')</script>")));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        in_time(tab.page.drag(vec![at(50.0, 50.0), at(100.0, 80.0), at(350.0, 50.0)], NONE)).await.unwrap();
        assert_eq!(tab.evaluate("log").await, json!(["mousedown", "mousemove", "mouseup"]));
        tab.go(&site.url("/prevented")).await;
        in_time(tab.page.drag(vec![at(50.0, 50.0), at(350.0, 50.0)], NONE)).await.unwrap();
        assert_eq!(tab.evaluate("log").await, json!(["up"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_and_texts_are_dropped_from_outside() {
    with_browser(async |browser| {
        let site = Site::start().await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        std::fs::write(&file, "inside").unwrap();
        site.at("/", html(DRAGGABLE));
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        let data = vec![("text/plain".to_owned(), "hello".to_owned())];
        tab.page.drop_from_outside(at(350.0, 50.0), Dropped { files: vec![file], data }).await.unwrap();
        let done = "new Promise(yes => { const look = () => log.length > 3 ? yes(log) : setTimeout(look, 5); look() })";
        assert_eq!(tab.evaluate(done).await, json!(["enter", "over", "drop hello", "a.txt inside"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_chooser_is_told_instead_of_shown_and_its_input_filled() {
    with_browser(async |browser| {
        let site = Site::start().await;
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<_> = ["a.txt", "b.txt"].iter().map(|name| folder.path().join(name)).collect();
        files.iter().for_each(|file| std::fs::write(file, "x").unwrap());
        site.at(
            "/",
            html("<input type=file multiple style='position:absolute;left:0;top:0;width:200px;height:40px'>"),
        );
        let (_room, mut tab) = tab(&browser).await;
        tab.go(&site.url("/")).await;
        tab.click(20.0, 20.0).await;
        let (input, multiple) = tab
            .wait(|event| match event {
                PageEvent::FileChooser { input, multiple } => Some((input.clone(), *multiple)),
                _ => None,
            })
            .await;
        assert!(multiple);
        tab.page.set_files(&input.unwrap(), files).await.unwrap();
        let names = "[...document.querySelector('input').files].map(file => file.name)";
        assert_eq!(tab.evaluate(names).await, json!(["a.txt", "b.txt"]));
    })
    .await;
}
