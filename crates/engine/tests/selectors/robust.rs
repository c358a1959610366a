//! Pages that break the language under us, and pages that are large.

use crate::corpus::{failures, file, launch};

/// What patched pages do: old libraries replace these, and a form's control can hide any property of its form.
const VANDALISM: &str = "
    const broken = () => { throw new Error('broken by the page'); };
    for (const name of ['querySelectorAll', 'querySelector', 'matches', 'getAttribute', 'hasAttribute', 'closest']) {
        Element.prototype[name] = broken;
        Document.prototype[name] = broken;
        DocumentFragment.prototype[name] = broken;
    }
    for (const name of ['compareDocumentPosition', 'contains', 'getRootNode']) Node.prototype[name] = broken;
    for (const name of ['parentNode', 'firstChild', 'nextSibling', 'textContent', 'nodeType', 'nodeValue', 'ownerDocument']) {
        Object.defineProperty(Node.prototype, name, { get: broken, configurable: true });
    }
    for (const name of ['shadowRoot', 'localName', 'attributes', 'nextElementSibling']) {
        Object.defineProperty(Element.prototype, name, { get: broken, configurable: true });
    }
    Document.prototype.evaluate = broken;
    RegExp.prototype.test = broken;
    Array.from = broken;
    window.Map = window.Set = window.RegExp = window.ShadowRoot = window.CSS = undefined;
    0";

#[test]
fn a_page_that_breaks_its_prototypes_breaks_no_selector() {
    let mut told = String::new();
    for page in ["text", "forms", "shadow"] {
        let mut browser = launch();
        browser.load(&file(&format!("{page}.html")));
        // Visibility is asked of the real functions; here it only has to answer.
        browser
            .evaluate("injected.isVisible = element => realGetAttribute.call(element, 'id') !== 'hidden'; 0");
        browser.evaluate(VANDALISM);
        told.push_str(&failures(&mut browser, page));
    }
    assert!(told.is_empty(), "{told}");
}

#[test]
fn a_large_page_is_searched_whole() {
    let mut browser = launch();
    let row = |index: usize| {
        format!(
            "<tr id=r{index}><td>Cell {index}</td><td><a href=#>Link {index}</a></td><td><button>Button {index}</button></td>\
             <td><label>Field {index} <input placeholder=p{index}></label></td></tr>"
        )
    };
    let table: String = (0..2500).map(row).collect();
    let deep = "<div>".repeat(300) + "bottom" + &"</div>".repeat(300);
    browser.load(&format!("<h1>Large</h1><table>{table}</table>{deep}"));
    for (text, expected) in [
        ("text=Cell 1777", 1),
        ("text=\"Cell 1777\"", 1),
        ("text=/Cell 177[0-9]/", 10),
        ("text=bottom", 1),
        ("getByLabel('Field 1777')", 1),
        ("tr:has-text('Cell 1777') button", 1),
        ("tr >> has-text=Cell 1777 >> button", 1),
        ("tr:has(button:text-is('Button 1777'))", 1),
        ("role=heading[name=\"Large\"]", 1),
        ("role=button[name=\"Button 1777\"]", 1),
        ("getByRole('textbox', { name: 'Field 1777' })", 1),
    ] {
        let selector = engine::locator::Selector::parse(text).expect(text);
        let json = serde_json::to_string(&selector).expect("JSON");
        let answer = browser.evaluate(&format!("injected.query({json}).length"));
        assert_eq!(answer, expected, "{text}");
    }
}
