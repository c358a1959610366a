//! Each statement in both languages.

use std::time::Duration;

use super::*;
use crate::action::{Choose, Click};
use crate::backend::{Modifiers, MouseButton, Point};
use crate::locator::{Language, Selector};

fn save() -> Selector {
    Selector::parse("role=button[name=\"Save\"]").unwrap()
}

fn name() -> Selector {
    Selector::parse("internal:label=\"Name\"i").unwrap()
}

fn click(how: Click) -> Statement {
    Statement::Click { locator: save(), how }
}

fn both(statement: &Statement) -> [String; 2] {
    [Language::TypeScript, Language::Python].map(|language| statement.code(language))
}

const SAVE_TS: &str = "page.getByRole('button', { name: 'Save', exact: true })";
const SAVE_PY: &str = "page.get_by_role(\"button\", name=\"Save\", exact=True)";

#[test]
fn clicks_say_what_is_unusual_about_them() {
    let modifiers = Modifiers { shift: true, control: true, alt: true, meta: false };
    let cases = [
        (Click::default(), "click()", "click()"),
        (Click { count: 2, ..Click::default() }, "dblclick()", "dblclick()"),
        (Click { count: 3, ..Click::default() }, "click({ clickCount: 3 })", "click(click_count=3)"),
        (
            Click { button: MouseButton::Right, modifiers, ..Click::default() },
            "click({ button: 'right', modifiers: ['Alt', 'ControlOrMeta', 'Shift'] })",
            "click(button=\"right\", modifiers=[\"Alt\", \"ControlOrMeta\", \"Shift\"])",
        ),
        (
            Click {
                position: Some(Point { x: 10.0, y: 4.5 }),
                delay: Duration::from_millis(300),
                ..Click::default()
            },
            "click({ position: { x: 10, y: 4.5 }, delay: 300 })",
            "click(position={\"x\": 10, \"y\": 4.5}, delay=300)",
        ),
    ];
    for (how, typescript, python) in cases {
        let expected = [format!("await {SAVE_TS}.{typescript};"), format!("{SAVE_PY}.{python}")];
        assert_eq!(both(&click(how)), expected);
    }
}

#[test]
fn texts_are_quoted_for_each_language() {
    let statement = Statement::Fill { locator: name(), text: "it's \"5 \\ 6\"\n\u{1}".to_owned() };
    let [typescript, python] = both(&statement);
    assert_eq!(typescript, r#"await page.getByLabel('Name').fill('it\'s "5 \\ 6"\n\u0001');"#);
    assert_eq!(python, r#"page.get_by_label("Name").fill("it's \"5 \\ 6\"\n\u0001")"#);
}

#[test]
fn options_are_chosen_as_each_language_names_them() {
    let choose = |options| both(&Statement::SelectOption { locator: name(), options });
    let [typescript, python] = choose(vec![Choose::Either("de".to_owned())]);
    assert_eq!(typescript, "await page.getByLabel('Name').selectOption('de');");
    assert_eq!(python, "page.get_by_label(\"Name\").select_option(\"de\")");
    let [typescript, python] = choose(vec![Choose::Label("A".to_owned()), Choose::Index(2)]);
    assert_eq!(typescript, "await page.getByLabel('Name').selectOption([{ label: 'A' }, { index: 2 }]);");
    assert_eq!(python, "page.get_by_label(\"Name\").select_option(label=\"A\", index=2)");
    let [typescript, python] = choose(Vec::new());
    assert_eq!(typescript, "await page.getByLabel('Name').selectOption([]);");
    assert_eq!(python, "page.get_by_label(\"Name\").select_option([])");
}

#[test]
fn every_other_statement_has_its_line() {
    let path = |text: &str| text.to_owned();
    let statements = [
        Statement::Goto { url: path("http://localhost:3000/?a=1") },
        Statement::GoBack,
        Statement::GoForward,
        Statement::Reload,
        Statement::Hover { locator: name(), position: None, modifiers: Modifiers::default() },
        Statement::PressSequentially { locator: name(), text: path("abc"), delay: Duration::from_millis(20) },
        Statement::Press { locator: name(), key: path("Enter") },
        Statement::SetChecked { locator: name(), checked: true },
        Statement::SetChecked { locator: name(), checked: false },
        Statement::SetInputFiles { locator: name(), files: vec![path("a.txt")] },
        Statement::SetInputFiles { locator: name(), files: vec![path("a.txt"), path("b.txt")] },
        Statement::SetChosenFiles { files: vec![path("a.txt")] },
        Statement::DragTo { from: name(), to: save() },
        Statement::KeyboardPress { key: path("Control+A") },
        Statement::KeyboardDown { key: "Shift" },
        Statement::KeyboardUp { key: "Shift" },
        Statement::KeyboardType { text: path("hello") },
        Statement::Wait(Wait::Time(Duration::from_millis(1500))),
        Statement::Wait(Wait::Text { text: path("Saved"), gone: false }),
        Statement::Wait(Wait::Text { text: path("Loading"), gone: true }),
        Statement::Wait(Wait::Element { locator: name(), state: "attached" }),
        Statement::Wait(Wait::Url(path("**/done"))),
        Statement::Wait(Wait::Load("networkidle")),
        Statement::Evaluate { locator: None, function: path("() => document.title") },
        Statement::Evaluate { locator: None, function: path("document.title") },
        Statement::Evaluate { locator: Some(name()), function: path("element => element.value") },
        Statement::Screenshot { locator: None, path: Some(path("page.png")), full_page: true },
        Statement::Screenshot { locator: Some(name()), path: None, full_page: false },
        Statement::SetViewportSize { width: 1280, height: 720 },
        Statement::Dialog { accept: true, text: Some(path("yes")) },
        Statement::Dialog { accept: false, text: None },
        Statement::Close,
    ];
    let lines: Vec<String> = statements.iter().map(|statement| both(statement).join("\n")).collect();
    insta::assert_snapshot!(lines.join("\n\n"));
}

#[test]
fn a_locator_leads_through_frames() {
    let locator = Selector::parse("#f >> internal:control=enter-frame >> role=button").unwrap();
    let [typescript, python] = both(&Statement::Click { locator, how: Click::default() });
    assert_eq!(typescript, "await page.locator('#f').contentFrame().getByRole('button').click();");
    assert_eq!(python, "page.locator(\"#f\").content_frame.get_by_role(\"button\").click()");
}
