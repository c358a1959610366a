//! Questions as the engine asks them, and input as a back end gives it.

use engine::injected::watch_token;
use serde_json::{Value, json};

use crate::chromium::Chromium;

/// The needs of a click.
pub(crate) const CLICK: &[&str] = &["visible", "enabled", "stable", "hit"];
/// The needs of writing.
pub(crate) const WRITE: &[&str] = &["visible", "enabled", "editable"];

/// A page with the watch and the injected script, as it was after `html`.
pub(crate) fn page(html: &str) -> Chromium {
    let mut browser = Chromium::launch();
    show(&mut browser, html);
    browser
}

/// Another document, in the same page.
pub(crate) fn show(browser: &mut Chromium, html: &str) {
    browser.load(html);
    browser.evaluate(&format!("{} 0", engine::injected::watch()));
    browser.evaluate(&format!("window.injected = {}; 0", engine::injected::script()));
}

impl Chromium {
    /// Asks a method of the injected script.
    pub(crate) fn ask(&mut self, method: &str, question: &Value) -> Value {
        self.evaluate(&format!("injected.{method}({question})"))
    }

    /// Asks for the element that `css` finds, for half a second at most.
    pub(crate) fn prepare(&mut self, css: &str, more: Value) -> Value {
        let mut question = json!({ "at": { "selector": [["css", [css]]] }, "wait": 500, "watch": watch_token(), "scroll": true });
        let Value::Object(more) = more else { panic!("{more}") };
        question.as_object_mut().unwrap().extend(more);
        self.ask("prepare", &question)
    }

    /// A click of the mouse.
    pub(crate) fn click_at(&mut self, point: &Value) {
        self.mouse("mouseMoved", point);
        self.mouse("mousePressed", point);
        self.mouse("mouseReleased", point);
    }

    pub(crate) fn mouse(&mut self, kind: &str, point: &Value) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event =
            json!({"type": kind, "x": point["x"], "y": point["y"], "button": button, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", &event);
    }
}
