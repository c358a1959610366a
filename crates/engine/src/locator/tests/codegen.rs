//! Selectors as code.

use crate::locator::{Language, Selector};

#[test]
fn a_selector_becomes_code_in_both_languages_and_the_code_means_the_same() {
    let table = [
        ("getByRole('button', { name: 'Save' })", "get_by_role(\"button\", name=\"Save\")"),
        (
            "getByRole('button', { name: 'Save', exact: true })",
            "get_by_role(\"button\", name=\"Save\", exact=True)",
        ),
        (
            "getByRole('button', { name: /sa/i })",
            "get_by_role(\"button\", name=re.compile(r\"sa\", re.IGNORECASE))",
        ),
        ("getByRole('checkbox', { checked: false })", "get_by_role(\"checkbox\", checked=False)"),
        (
            "getByRole('heading', { level: 2, includeHidden: true })",
            "get_by_role(\"heading\", level=2, include_hidden=True)",
        ),
        ("getByText('it\\'s')", "get_by_text(\"it's\")"),
        ("getByText('Save', { exact: true })", "get_by_text(\"Save\", exact=True)"),
        ("getByLabel('Email')", "get_by_label(\"Email\")"),
        ("getByPlaceholder('Name')", "get_by_placeholder(\"Name\")"),
        ("getByAltText('Logo')", "get_by_alt_text(\"Logo\")"),
        ("getByTitle('T')", "get_by_title(\"T\")"),
        ("getByTestId('go')", "get_by_test_id(\"go\")"),
        ("locator('div > p').first()", "locator(\"div > p\").first"),
        ("locator('p').last()", "locator(\"p\").last"),
        ("locator('p').nth(2)", "locator(\"p\").nth(2)"),
        ("locator('id=main')", "locator(\"id=main\")"),
        ("locator('xpath=//a')", "locator(\"xpath=//a\")"),
        ("locator('text=\"a\"')", "locator(\"text=\\\"a\\\"\")"),
        ("locator('li').filter({ hasText: 'x' })", "locator(\"li\").filter(has_text=\"x\")"),
        (
            "locator('li').filter({ hasNotText: /x/ })",
            "locator(\"li\").filter(has_not_text=re.compile(r\"x\"))",
        ),
        (
            "locator('li').filter({ has: page.getByRole('link') })",
            "locator(\"li\").filter(has=page.get_by_role(\"link\"))",
        ),
        (
            "locator('li').filter({ hasNot: page.locator('b') })",
            "locator(\"li\").filter(has_not=page.locator(\"b\"))",
        ),
        ("locator('li').filter({ visible: true })", "locator(\"li\").filter(visible=True)"),
        ("locator('a').and(page.locator('b'))", "locator(\"a\").and_(page.locator(\"b\"))"),
        ("locator('a').or(page.locator('b'))", "locator(\"a\").or_(page.locator(\"b\"))"),
        (
            "locator('a').locator(page.locator('b').first())",
            "locator(\"a\").locator(page.locator(\"b\").first)",
        ),
        ("locator('#f').contentFrame().getByText('x')", "locator(\"#f\").content_frame.get_by_text(\"x\")"),
    ];
    for (typescript, python) in table {
        let selector = Selector::parse(typescript).expect(typescript);
        assert_eq!(selector.code(Language::TypeScript), typescript);
        assert_eq!(selector.code(Language::Python), python);
        assert_eq!(Selector::parse(python).as_ref(), Ok(&selector), "{python}");
    }
}

#[test]
fn operators_that_the_call_syntax_lacks_become_regular_expressions() {
    let table = [
        ("role=button[name=\"Save.\"i]", "getByRole('button', { name: /^Save\\.$/i })"),
        ("role=button[name^=\"Sa\"]", "getByRole('button', { name: /^Sa/ })"),
        ("role=button[name$=\"ve\"]", "getByRole('button', { name: /ve$/ })"),
        ("role=button[name*=\"av\"]", "getByRole('button', { name: /av/ })"),
        ("role=button[name~=\"Save\"]", "getByRole('button', { name: /(^|\\s)Save(\\s|$)/ })"),
    ];
    for (text, code) in table {
        assert_eq!(Selector::parse(text).expect(text).code(Language::TypeScript), code);
    }
}
