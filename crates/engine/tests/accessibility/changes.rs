//! From the page to the engine and back to the agent: lines that are read, written and compared.

use engine::snapshot::{Diff, Line, yaml};

use crate::chromium::Chromium;

fn read(browser: &mut Chromium) -> (Vec<Line>, String) {
    let told = browser.evaluate("injected.snapshot()");
    let lines = serde_json::from_value(told["lines"].clone()).unwrap();
    (lines, told["yaml"].as_str().unwrap().to_owned())
}

const TODOS: &str = "<h1>Todos</h1><ul id=list><li><label><input type=checkbox id=milk> Milk</label> <button>Delete</button></ul>\
    <p id=left>1 item left</p>";

#[test]
fn the_engine_writes_the_same_yaml_as_the_page() {
    let mut browser = Chromium::launch();
    browser.load(TODOS);
    let (lines, text) = read(&mut browser);
    assert_eq!(yaml(&lines), text);
}

#[test]
fn what_an_action_changed_is_a_few_lines() {
    let mut browser = Chromium::launch();
    browser.load(TODOS);
    let (before, _) = read(&mut browser);
    browser.evaluate(
        "milk.checked = true; left.textContent = '0 items left'; \
         list.insertAdjacentHTML('beforeend', '<li>Eggs <button>Delete</button>'); 0",
    );
    let (after, _) = read(&mut browser);
    let diff = Diff::between(&before, &after);
    assert_eq!(diff.apply(&before), after);
    insta::assert_snapshot!(diff.render(&before), @r#"
      list [ref=e2]
        listitem
    ~     checkbox "Milk" [checked] [ref=e3]
    +   listitem
    +     text: Eggs
    +     button "Delete" [ref=e5]
    ~ paragraph: 0 items left
    "#);
}

#[test]
fn a_toast_beside_the_page_doesnt_repeat_the_page() {
    let mut browser = Chromium::launch();
    browser.load(&format!("<div>{TODOS}</div>"));
    let (before, _) = read(&mut browser);
    browser.evaluate("document.body.insertAdjacentHTML('beforeend', '<div role=alert>Saved</div>'); 0");
    let (after, _) = read(&mut browser);
    let diff = Diff::between(&before, &after);
    assert_eq!(diff.apply(&before), after);
    insta::assert_snapshot!(diff.render(&before), @r#"
    + generic [ref=e5]
    + alert [ref=e6]: Saved
    "#);
}
