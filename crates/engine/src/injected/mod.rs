//! The script that does the engine's work inside each document, assembled from one file per noun.
//!
//! It is evaluated once per document in a world of its own, so that the page can neither see nor break it. The files
//! share one function's scope and are put together in the order of [`PARTS`]; each opens with what it defines. No
//! tool chain beyond this crate is needed.

/// The files, in the order in which they are put together.
const PARTS: &[(&str, &str)] = &[
    ("natives.js", include_str!("natives.js")),
    ("dom.js", include_str!("dom.js")),
    ("text.js", include_str!("text.js")),
    ("css.js", include_str!("css.js")),
    ("xpath.js", include_str!("xpath.js")),
    ("attributes.js", include_str!("attributes.js")),
    ("byrole.js", include_str!("byrole.js")),
    ("query.js", include_str!("query.js")),
    ("generate.js", include_str!("generate.js")),
    ("describe.js", include_str!("describe.js")),
];

/// The whole script: an expression whose value is the object that the engine talks to.
pub fn script() -> String {
    let mut script = String::from("(() => {\n'use strict';\nconst injected = {};\n");
    for (name, text) in PARTS {
        script.push_str("// ");
        script.push_str(name);
        script.push('\n');
        script.push_str(text);
    }
    script.push_str("return injected;\n})()");
    script
}
