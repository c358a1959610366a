//! The tables: a selector finds these elements, in this order.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use engine::locator::Selector;
use serde_json::Value;

use crate::chromium::Chromium;

pub(crate) const PAGES: &[&str] = &["structure", "text", "forms", "shadow", "roles"];

/// The text of a file of the corpus.
pub(crate) fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/selectors").join(name);
    std::fs::read_to_string(&path).expect(name)
}

/// Selectors and the ids that they find, by section of the page's table.
pub(crate) fn cases(page: &str) -> Vec<(String, String)> {
    let sections: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(&file(&format!("{page}.toml"))).expect(page);
    sections.into_values().flatten().collect()
}

/// Runs every case of a page in `browser` and tells which failed.
pub(crate) fn failures(browser: &mut Chromium, page: &str) -> String {
    let mut failures = String::new();
    for (text, expected) in cases(page) {
        let selector = Selector::parse(&text).unwrap_or_else(|refused| panic!("{refused}"));
        let found = browser.evaluate(&expression(&selector));
        if found != Value::String(expected.clone()) {
            let _ = writeln!(failures, "{page}: {text}\n  expected {expected}\n  found    {found}");
        }
    }
    failures
}

/// The ids of what is found, provided that the first match and the count agree with them.
fn expression(selector: &Selector) -> String {
    let json = serde_json::to_string(selector).expect("JSON");
    format!(
        "(() => {{
            const selector = {json};
            const elements = injected.query(selector);
            if (injected.count(selector) !== elements.length) return 'another count';
            if (injected.queryFirst(selector) !== (elements[0] || null)) return 'another first';
            let ids = '';
            for (let index = 0; index < elements.length; index++) {{
                ids += (index ? ' ' : '') + (realGetAttribute.call(elements[index], 'id') || elements[index].tagName);
            }}
            return ids;
        }})()"
    )
}

/// A browser that can tell ids even when the page has replaced the functions for it.
pub(crate) fn launch() -> Chromium {
    let mut browser = Chromium::launch();
    browser.evaluate("window.realGetAttribute = Element.prototype.getAttribute; 0");
    browser
}

#[test]
fn each_selector_finds_what_its_table_says() {
    let mut browser = launch();
    let mut told = String::new();
    let mut count = 0;
    for page in PAGES {
        browser.load(&file(&format!("{page}.html")));
        told.push_str(&failures(&mut browser, page));
        count += cases(page).len();
    }
    assert!(count >= 550, "only {count} cases were run");
    assert!(told.is_empty(), "{told}");
}

#[test]
fn what_the_browser_cannot_read_is_refused_by_name() {
    let mut browser = launch();
    browser.load("<p>x</p>");
    for (text, expected) in [
        ("p:unheard-of", "the browser does not understand the CSS selector `p:unheard-of`"),
        ("p:has(:unheard-of):visible", "the browser does not understand the CSS selector `:unheard-of`"),
        ("xpath=//p[", "the browser does not understand the XPath `//p[`"),
        ("text=/(/", "the browser does not understand the regular expression /(/"),
    ] {
        let json = serde_json::to_string(&Selector::parse(text).expect(text)).expect("JSON");
        let told = browser.evaluate(&format!(
            "(() => {{ try {{ return injected.query({json}).length; }} catch (error) {{ return String(error); }} }})()"
        ));
        let told = told.as_str().unwrap_or_else(|| panic!("{text} was not refused: {told}")).to_owned();
        assert!(told.starts_with(&format!("InvalidSelector: {expected}")), "{text}: {told}");
    }
}
