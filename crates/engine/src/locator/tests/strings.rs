//! Selector strings with engines and chains.

use super::check;

#[test]
fn a_part_without_an_engine_is_css_xpath_or_quoted_text() {
    check(&[
        ("button", "button"),
        ("  button  ", "button"),
        ("css=button", "button"),
        ("//button", "xpath=//button"),
        ("(//button)[1]", "xpath=(//button)[1]"),
        ("..", "xpath=.."),
        ("../a", "xpath=../a"),
        ("./a", "xpath=./a"),
        ("/html/body/div[1]", "xpath=/html/body/div[1]"),
        ("xpath=//a[text()=\"x >> y\"]", "xpath=//a[text()=\"x >> y\"]"),
        ("\"Log in\"", "text=\"Log in\""),
        ("'Log in'", "text=\"Log in\""),
        ("'it\\'s' >> b", "text=\"it's\" >> b"),
    ]);
}

#[test]
fn text_is_exact_in_quotes_and_contained_without() {
    check(&[
        ("text=Log in", "text=Log in"),
        ("text= Log in ", "text=Log in"),
        ("text=\"Log in\"", "text=\"Log in\""),
        ("text='Log \"in\"'", "text=\"Log \\\"in\\\"\""),
        ("text=it's", "text=it's"),
        ("text=it's >> b", "text=it's >> b"),
        ("text=\"a\" and b", "internal:text=\"\\\"a\\\" and b\"i"),
        ("text=:( >> b", "text=:( >> b"),
        ("text=/log\\s+in/i", "text=/log\\s+in/i"),
        ("text=/a >> b/", "text=/a >> b/"),
        ("text=/[/]/", "text=/[/]/"),
        ("text=/only one slash", "internal:text=\"/only one slash\"i"),
        ("text=a=b", "text=a=b"),
        ("text=\"a >> b\"", "text=\"a >> b\""),
        ("internal:text=\"Save\"i", "text=Save"),
        ("internal:text=\"Save\"s", "internal:text=\"Save\"s"),
        ("internal:text=\"Save\"", "internal:text=\"Save\"s"),
        ("internal:text=/a/u", "text=/a/u"),
        ("internal:text=\"a\\nb\"i", "internal:text=\"a\\nb\"i"),
    ]);
}

#[test]
fn ids_and_test_ids_are_exact() {
    check(&[
        ("id=main", "id=main"),
        ("id=\"main\"", "id=main"),
        ("data-testid=go", "data-testid=go"),
        ("data-test-id=go", "data-test-id=go"),
        ("data-test=go now", "data-test=go now"),
        ("data-testid=\"a >> b\"", "internal:attr=[data-testid=\"a >> b\"s]"),
        ("internal:testid=[data-testid=\"go\"s]", "internal:testid=[data-testid=\"go\"s]"),
        ("internal:testid=[data-testid=\"go\"]", "internal:testid=[data-testid=\"go\"s]"),
        ("internal:testid=[data-testid=/go/i]", "internal:testid=[data-testid=/go/i]"),
        ("internal:testid=[data-qa=\"go\"s]", "internal:attr=[data-qa=\"go\"s]"),
        ("internal:attr=[placeholder=\"Name\"i]", "internal:attr=[placeholder=\"Name\"i]"),
        ("internal:attr=[title=/x/]", "internal:attr=[title=/x/]"),
        ("internal:label=\"Email\"i", "internal:label=\"Email\"i"),
        ("internal:label=\"Email\"s", "internal:label=\"Email\"s"),
        ("internal:label=/e/", "internal:label=/e/"),
    ]);
}

#[test]
fn a_role_comes_with_name_and_states() {
    check(&[
        ("role=button", "role=button"),
        ("role=Button", "role=button"),
        ("role=button[name=\"Save\"]", "role=button[name=\"Save\"]"),
        ("role=button[name='Save']", "role=button[name=\"Save\"]"),
        ("role=button[name=\"Save\"i]", "role=button[name=\"Save\"i]"),
        ("role=button[name=\"Save\" i]", "role=button[name=\"Save\"i]"),
        ("role=button[name=\"Save\"s]", "role=button[name=\"Save\"]"),
        ("role=button[name*=\"av\"]", "role=button[name*=\"av\"]"),
        ("role=button[name^=\"Sa\"i]", "role=button[name^=\"Sa\"i]"),
        ("role=button[name$=\"ve\"]", "role=button[name$=\"ve\"]"),
        ("role=button[name~=\"Save\"]", "role=button[name~=\"Save\"]"),
        ("role=button[name|=\"Save\"]", "role=button[name|=\"Save\"]"),
        ("role=button[name=/save >> all/i]", "role=button[name=/save >> all/i]"),
        ("role=button[name=\"a]b\"]", "role=button[name=\"a]b\"]"),
        ("role=button[name=\"a >> b\"] >> b", "role=button[name=\"a >> b\"] >> b"),
        ("role=checkbox[checked]", "role=checkbox[checked=true]"),
        ("role=checkbox[checked=false]", "role=checkbox[checked=false]"),
        ("role=checkbox[checked=\"mixed\"]", "role=checkbox[checked=mixed]"),
        ("role=checkbox[ checked = mixed ]", "role=checkbox[checked=mixed]"),
        ("role=button[pressed=mixed]", "role=button[pressed=mixed]"),
        ("role=button[disabled]", "role=button[disabled=true]"),
        ("role=button[expanded=false]", "role=button[expanded=false]"),
        ("role=option[selected]", "role=option[selected=true]"),
        ("role=heading[level=2]", "role=heading[level=2]"),
        ("role=heading[level=\"2\"]", "role=heading[level=2]"),
        ("role=button[include-hidden]", "role=button[include-hidden=true]"),
        ("role=button[include-hidden=false]", "role=button"),
        ("role=button[description=\"now\"]", "role=button[description=\"now\"]"),
        ("role=heading[level=1][name=\"A\"]", "role=heading[name=\"A\"][level=1]"),
        ("internal:role=button[name=\"Save\"i]", "role=button[name*=\"Save\"i]"),
        ("internal:role=button[name=\"Save\"s]", "role=button[name=\"Save\"]"),
        ("internal:role=button[name=/s/]", "role=button[name=/s/]"),
    ]);
}

#[test]
fn steps_are_chained_and_narrowed() {
    check(&[
        ("a>>b", "a >> b"),
        ("a >> nth=0", "a >> nth=0"),
        ("a >> nth=-1", "a >> nth=-1"),
        ("a >> visible=true", "a >> visible=true"),
        ("a >> visible=false", "a >> visible=false"),
        ("a >> has-text=x", "a >> internal:has-text=\"x\"i"),
        ("a >> has-text=\"x\"", "a >> internal:has-text=\"x\"i"),
        ("a >> has-text=/x/i", "a >> internal:has-text=/x/i"),
        ("a >> has-not-text=x", "a >> internal:has-not-text=\"x\"i"),
        ("a >> has=\"b\"", "a >> internal:has=\"b\""),
        ("a >> internal:has=\"b >> text=\\\"c\\\"\"", "a >> internal:has=\"b >> text=\\\"c\\\"\""),
        ("a >> has-not=\"b\"", "a >> internal:has-not=\"b\""),
        ("a >> internal:and=\"b\"", "a >> internal:and=\"b\""),
        ("a >> internal:or=\"b\"", "a >> internal:or=\"b\""),
        ("a >> internal:chain=\"b >> nth=0\"", "a >> internal:chain=\"b >> nth=0\""),
        ("iframe >> internal:control=enter-frame >> b", "iframe >> internal:control=enter-frame >> b"),
        ("a >> > b", "a >> > b"),
        ("a >> ..", "a >> xpath=.."),
        ("[title=\"a >> b\"] >> c", "[title=\"a >> b\"] >> c"),
    ]);
}

#[test]
fn a_captured_step_is_the_one_that_has_the_rest() {
    check(&[
        ("*css=a >> b", "a >> internal:has=\"b\""),
        ("x >> *css=a >> b >> c", "x >> a >> internal:has=\"b >> c\""),
        ("*text=a >> b", "text=a >> internal:has=\"b\""),
        ("*css=a", "a"),
        ("a >> *css=b", "a >> b"),
        ("* >> b", "* >> b"),
    ]);
}
