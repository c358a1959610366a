//! The selector that is given for an element, and the line that shows it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use engine::locator::{Language, Selector};

use crate::corpus::{PAGES, file, launch};

#[test]
fn every_element_gets_a_selector_that_finds_it_alone() {
    let mut browser = launch();
    let mut told = String::new();
    for page in PAGES.iter().chain(&["generate"]) {
        browser.load(&file(&format!("{page}.html")));
        let texts = browser.evaluate(
            "window.elements = injected.query([['css', ['*']]]); window.elements.map(element => injected.generate(element))",
        );
        let texts: Vec<String> = serde_json::from_value(texts).expect("strings");
        assert!(texts.len() > 30, "{page} has only {} elements", texts.len());
        for (index, text) in texts.iter().enumerate() {
            let selector = Selector::parse(text).unwrap_or_else(|refused| panic!("{page}: {refused}"));
            assert_eq!(
                Selector::parse(&selector.code(Language::TypeScript)).as_ref(),
                Ok(&selector),
                "{text}"
            );
            let json = serde_json::to_string(&selector).expect("JSON");
            let alone = browser.evaluate(&format!(
                "(() => {{ const found = injected.query({json}); return found.length === 1 && found[0] === elements[{index}]; }})()"
            ));
            if alone != true {
                let _ = writeln!(told, "{page}: {text}");
            }
        }
    }
    assert!(told.is_empty(), "these find something else:\n{told}");
}

#[test]
fn the_selector_is_the_one_that_a_person_would_write() {
    let expected: BTreeMap<String, String> = toml::from_str(&file("generate.toml")).expect("generate.toml");
    let mut browser = launch();
    browser.load(&file("generate.html"));
    let mut told = String::new();
    for (id, code) in expected {
        let css = Selector::parse(&format!("id={id}")).expect("an id");
        let json = serde_json::to_string(&css).expect("JSON");
        let text = browser.evaluate(&format!("injected.generate(injected.queryFirst({json}))"));
        let selector = Selector::parse(text.as_str().expect("a selector")).expect("a selector");
        let generated = selector.code(Language::TypeScript);
        if generated != code {
            let _ = writeln!(told, "{id}\n  expected  {code}\n  generated {generated}");
        }
    }
    assert!(told.is_empty(), "{told}");
}

#[test]
fn a_test_id_attribute_of_the_session_is_used() {
    let mut browser = launch();
    browser.load("<button data-qa='go' data-testid='no'>Go</button>");
    let text = browser.evaluate(
        "injected.testIdAttribute = 'data-qa'; injected.generate(document.querySelector('button'))",
    );
    let selector = Selector::parse(text.as_str().expect("a selector")).expect("a selector");
    assert_eq!(selector.code(Language::TypeScript), "getByTestId('go')");
}

#[test]
fn a_preview_is_one_short_line() {
    let mut browser = launch();
    for (html, preview) in [
        (
            "<button class='primary' onclick='x()'>Save\n  it</button>",
            "<button class=\"primary\">Save it</button>",
        ),
        ("<input type=text value='a\"b' disabled>", "<input type=\"text\" value=\"a&quot;b\" disabled/>"),
        ("<div style='color:red'><p></p></div>", "<div>…</div>"),
        ("<a href='/one'><b>One</b> two</a>", "<a href=\"/one\">One two</a>"),
        ("<i a=1 b=2 c=3 d=4 e=5 f=6 g=7></i>", "<i a=\"1\" b=\"2\" c=\"3\" d=\"4\" e=\"5\" f=\"6\" …></i>"),
    ] {
        browser.load(html);
        assert_eq!(browser.evaluate("injected.preview(document.body.firstElementChild)"), preview);
    }
    browser.load(&format!("<p title='{0}'>{0}</p>", "word ".repeat(100)));
    let long = browser.evaluate("injected.preview(document.body.firstElementChild)");
    assert!(long.as_str().expect("a line").chars().count() < 130, "{long}");
}
