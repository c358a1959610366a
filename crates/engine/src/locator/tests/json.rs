//! The form for the injected script.

use crate::locator::Selector;

#[test]
fn the_json_form_is_short_and_complete() {
    let table = [
        ("button.a", r#"[["css",["button.a"]]]"#),
        ("b:not(.c, .d)", r#"[["css",["b:not(.c, .d)"]]]"#),
        ("a, b:not(.c)", r#"[["css",["a, b:not(.c)",[["","a"],["","b:not(.c)"]]]]]"#),
        ("a > b", r#"[["css",["a > b",[["","a",">","b"]]]]]"#),
        ("> b", r#"[["css",[null,[[">","b"]]]]]"#),
        ("a:has(b)", r#"[["css",["a:has(b)",[["",["a",["has",[["","b"]]]]]]]]]"#),
        ("a:has(:has(b))", r#"[["css",[null,[["",["a",["has",[["",["",["has",[["","b"]]]]]]]]]]]]]"#),
        ("a.b:visible:not(.c)", r#"[["css",[null,[["",["a.b:not(.c)",["visible"]]]]]]]"#),
        (":scope > :text(\"x\")", r#"[["css",[null,[["",["",["scope"]],">",["",["text","x"]]]]]]]"#),
        (":nth-match(a, 2)", r#"[["css",[null,[["",["",["nth-match",[["","a"]],2]]]]]]]"#),
        (":text-matches(\"x\", \"i\")", r#"[["css",[null,[["",["",["text-matches","x","i"]]]]]]]"#),
        ("//a >> nth=1", r#"[["xpath","//a"],["nth",1]]"#),
        ("text=x", r#"[["text",["~","x"]]]"#),
        ("text=\"x\"", r#"[["own-text","x"]]"#),
        ("text=/x/i", r#"[["text",["/","x","i"]]]"#),
        ("id=x", r#"[["attribute","id",["=","x"]]]"#),
        ("getByTestId('x')", r#"[["test-id",["=","x"]]]"#),
        ("getByLabel('x')", r#"[["label",["~","x"]]]"#),
        (
            "role=button[name=\"x\"i][disabled]",
            r#"[["role",{"role":"button","name":["=","x","i"],"disabled":true}]]"#,
        ),
        (
            "role=checkbox[checked=mixed][include-hidden]",
            r#"[["role",{"role":"checkbox","checked":"mixed","hidden":true}]]"#,
        ),
        ("a >> has-text=x >> visible=true", r#"[["css",["a"]],["has-text",["~","x"]],["visible",true]]"#),
        ("a >> has=\"b\"", r#"[["css",["a"]],["has",[["css",["b"]]]]]"#),
    ];
    for (text, json) in table {
        let selector = Selector::parse(text).expect(text);
        assert_eq!(serde_json::to_string(&selector).expect(text), json, "{text}");
    }
}

#[test]
fn each_document_gets_its_own_selector() {
    let selector =
        Selector::parse("frameLocator('#a').frameLocator('#b').locator('c >> d')").expect("parses");
    let documents: Vec<String> = selector.by_document().iter().map(ToString::to_string).collect();
    assert_eq!(documents, ["#a", "#b", "c >> d"]);
}
