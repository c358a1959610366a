//! The call syntax, in TypeScript and in Python.

use super::check;

#[test]
fn roles_and_texts_in_typescript() {
    check(&[
        ("getByRole('button')", "role=button"),
        ("page.getByRole('button')", "role=button"),
        ("await page.getByRole('button');", "role=button"),
        ("this.page.getByRole('button')", "role=button"),
        ("getByRole('button', { name: 'Save' })", "role=button[name*=\"Save\"i]"),
        ("getByRole('button', { name: 'Save', exact: true })", "role=button[name=\"Save\"]"),
        ("getByRole(\"button\", {name:/save/i})", "role=button[name=/save/i]"),
        ("getByRole(`button`, { \"name\": `Save`, })", "role=button[name*=\"Save\"i]"),
        ("getByRole('button', { name: undefined })", "role=button"),
        (
            "getByRole('checkbox', { checked: true, disabled: false })",
            "role=checkbox[checked=true][disabled=false]",
        ),
        ("getByRole('heading', { level: 2 })", "role=heading[level=2]"),
        ("getByRole('option', { selected: true })", "role=option[selected=true]"),
        (
            "getByRole('button', { pressed: true, expanded: false })",
            "role=button[pressed=true][expanded=false]",
        ),
        ("getByRole('button', { includeHidden: true })", "role=button[include-hidden=true]"),
        ("getByRole('button', { description: 'x' })", "role=button[description*=\"x\"i]"),
        ("getByText('Save')", "text=Save"),
        ("getByText('Save', { exact: true })", "internal:text=\"Save\"s"),
        ("getByText(/a\\/b/)", "text=/a\\/b/"),
        ("getByText(new RegExp('a/b', 'i'))", "text=/a\\/b/i"),
        ("getByText('it\\'s \\u00e9 \\x41 \\u{1F600}')", "text=it's é A 😀"),
        ("getByLabel('Email')", "internal:label=\"Email\"i"),
        ("getByPlaceholder('Name', { exact: true })", "internal:attr=[placeholder=\"Name\"s]"),
        ("getByAltText('Logo')", "internal:attr=[alt=\"Logo\"i]"),
        ("getByTitle(/x/)", "internal:attr=[title=/x/]"),
        ("getByTestId('go')", "internal:testid=[data-testid=\"go\"s]"),
        ("getByTestId(/go/)", "internal:testid=[data-testid=/go/]"),
    ]);
}

#[test]
fn locators_filters_and_picks() {
    check(&[
        ("locator('button')", "button"),
        ("locator('a >> text=b')", "a >> text=b"),
        ("page\n  .locator('ul')\n  .locator('li')", "ul >> li"),
        ("locator('li', { hasText: 'x' })", "li >> internal:has-text=\"x\"i"),
        ("locator('li', { hasNotText: /x/ })", "li >> internal:has-not-text=/x/"),
        ("locator('li', { has: page.getByRole('link') })", "li >> internal:has=\"role=link\""),
        ("locator('li').filter({ hasNot: getByText('x') })", "li >> internal:has-not=\"text=x\""),
        (
            "getByRole('listitem').filter({ hasText: 'a', visible: true })",
            "role=listitem >> internal:has-text=\"a\"i >> visible=true",
        ),
        ("locator('li').first()", "li >> nth=0"),
        ("locator('li').last()", "li >> nth=-1"),
        ("locator('li').nth(3)", "li >> nth=3"),
        ("locator('li').nth(-2)", "li >> nth=-2"),
        ("locator('a').and(page.locator('b'))", "a >> internal:and=\"b\""),
        ("locator('a').or(locator('b'))", "a >> internal:or=\"b\""),
        ("locator('a').locator(page.locator('b').first())", "a >> internal:chain=\"b >> nth=0\""),
        ("locator(page.locator('b').first())", "b >> nth=0"),
        ("locator('a').describe('the link')", "a"),
        ("locator('a') >> text=b", "a >> text=b"),
    ]);
}

#[test]
fn frames_are_entered_and_left() {
    check(&[
        ("frameLocator('#f').getByText('x')", "#f >> internal:control=enter-frame >> text=x"),
        ("locator('#f').contentFrame().locator('b')", "#f >> internal:control=enter-frame >> b"),
        (
            "frameLocator('iframe').first().locator('b')",
            "iframe >> nth=0 >> internal:control=enter-frame >> b",
        ),
        ("frameLocator('iframe').owner()", "iframe"),
        (
            "frameLocator('#a').frameLocator('#b').locator('c')",
            "#a >> internal:control=enter-frame >> #b >> internal:control=enter-frame >> c",
        ),
        ("page.frame_locator(\"#f\").get_by_text(\"x\")", "#f >> internal:control=enter-frame >> text=x"),
        ("page.locator(\"#f\").content_frame.locator(\"b\")", "#f >> internal:control=enter-frame >> b"),
    ]);
}

#[test]
fn the_same_in_python() {
    check(&[
        ("get_by_role(\"button\", name=\"Save\")", "role=button[name*=\"Save\"i]"),
        ("page.get_by_role(\"button\", name=\"Save\", exact=True)", "role=button[name=\"Save\"]"),
        (
            "get_by_role(\"button\", name=re.compile(r\"save\\d\", re.IGNORECASE))",
            "role=button[name=/save\\d/i]",
        ),
        ("get_by_role(\"button\", name=re.compile(\"a/b\", re.I | re.M))", "role=button[name=/a\\/b/im]"),
        (
            "get_by_role(\"button\", include_hidden=True, disabled=False)",
            "role=button[disabled=false][include-hidden=true]",
        ),
        ("get_by_role(\"button\", name=None)", "role=button"),
        ("get_by_text(\"Save\", exact=True)", "internal:text=\"Save\"s"),
        ("get_by_text(re.compile(\"(?i)save\"))", "text=/save/i"),
        ("get_by_label('Email')", "internal:label=\"Email\"i"),
        ("get_by_placeholder('Name')", "internal:attr=[placeholder=\"Name\"i]"),
        ("get_by_alt_text('Logo')", "internal:attr=[alt=\"Logo\"i]"),
        ("get_by_title('T')", "internal:attr=[title=\"T\"i]"),
        ("get_by_test_id('go')", "internal:testid=[data-testid=\"go\"s]"),
        ("locator(\"li\", has_text=\"x\")", "li >> internal:has-text=\"x\"i"),
        ("locator(\"li\").filter(has_not=page.locator(\"b\"))", "li >> internal:has-not=\"b\""),
        ("locator(\"li\").first", "li >> nth=0"),
        ("locator(\"li\").last", "li >> nth=-1"),
        ("locator(\"li\").nth(1)", "li >> nth=1"),
        ("locator(\"a\").and_(page.locator(\"b\"))", "a >> internal:and=\"b\""),
        ("locator(\"a\").or_(page.locator(\"b\"))", "a >> internal:or=\"b\""),
    ]);
}
