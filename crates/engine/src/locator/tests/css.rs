//! CSS, standard and extended.

use super::check;

#[test]
fn standard_css_stays_what_it_is() {
    check(&[
        ("div.card#main", "div.card#main"),
        ("div > p + a ~ b", "div > p + a ~ b"),
        ("div>p+a~b", "div > p + a ~ b"),
        ("a,b , c", "a, b, c"),
        ("*", "*"),
        ("*.a", "*.a"),
        ("svg|rect", "svg|rect"),
        ("my-element", "my-element"),
        (".a\\:b", ".a\\:b"),
        ("#\\31 23", "#\\31 23"),
        (".größe", ".größe"),
        ("li:nth-child(2n + 1 of .a)", "li:nth-child(2n + 1 of .a)"),
        ("input:checked:not(:disabled)", "input:checked:not(:disabled)"),
        ("a:hover", "a:hover"),
        (":lang(en)", ":lang(en)"),
        (":root", ":root"),
        ("section\n  p", "section p"),
        ("> p", "> p"),
        ("~ p", "~ p"),
        (":scope > p", ":scope > p"),
    ]);
}

#[test]
fn attribute_values_need_no_quotes() {
    check(&[
        ("[a]", "[a]"),
        ("[a=b]", "[a=\"b\"]"),
        ("[a='b']", "[a=\"b\"]"),
        ("[ a = \"b\" i ]", "[a=\"b\" i]"),
        ("[a=\"b\"S]", "[a=\"b\" s]"),
        ("[tabindex=0]", "[tabindex=\"0\"]"),
        ("a[href=/x/y?z=1]", "a[href=\"/x/y?z=1\"]"),
        ("[a^=b][c$=d][e*=f][g~=h][i|=j]", "[a^=\"b\"][c$=\"d\"][e*=\"f\"][g~=\"h\"][i|=\"j\"]"),
        ("[a=\"x\\\"y\"]", "[a=\"x\\\"y\"]"),
        ("[a='x\"y']", "[a=\"x\\\"y\"]"),
        ("[xlink|href]", "[xlink|href]"),
        ("[data-x=\"]\"]", "[data-x=\"]\"]"),
    ]);
}

#[test]
fn extensions_are_taken_out_of_css() {
    check(&[
        ("a:has-text(\"x\")", "a:has-text(\"x\")"),
        ("a:has-text('x')", "a:has-text(\"x\")"),
        ("a:has-text(Log in)", "a:has-text(\"Log in\")"),
        ("a:has-text(x (y))", "a:has-text(\"x (y)\")"),
        (":text(\"x\")", ":text(\"x\")"),
        (":text-is(\"x\")", ":text-is(\"x\")"),
        (":text-matches(\"x+\", \"i\")", ":text-matches(\"x+\", \"i\")"),
        (":text-matches(\"x+\")", ":text-matches(\"x+\", \"\")"),
        (":text-matches(/x+/i)", ":text-matches(\"x+\", \"i\")"),
        ("a:visible", "a:visible"),
        ("a:visible.b", "a.b:visible"),
        ("a:has(b, > c)", "a:has(b, > c)"),
        ("a:has(b:has-text(\"x\"))", "a:has(b:has-text(\"x\"))"),
        (":is(a, b) c", ":is(a, b) c"),
        (":where(a, b)", ":is(a, b)"),
        ("a:not(:visible)", "a:not(:visible)"),
        (":nth-match(a, 2)", ":nth-match(a, 2)"),
        (":nth-match(a, b:is(c, d), 3)", ":nth-match(a, b:is(c, d), 3)"),
        (":nth-match( :text(\"a, 1\") , 2 )", ":nth-match(:text(\"a, 1\"), 2)"),
    ]);
}
