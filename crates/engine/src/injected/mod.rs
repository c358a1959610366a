//! The script that does the engine's work inside each document, assembled from one file per noun.
//!
//! It is evaluated once per document in a world of its own, so that the page can neither see nor break it. The files
//! share one function's scope and are put together in the order of [`PARTS`]; each opens with what it defines. No
//! tool chain beyond this crate is needed.

/// The files, in the order in which they are put together.
const PARTS: &[(&str, &str)] = &[
    ("caches.js", include_str!("caches.js")),
    ("flattree.js", include_str!("flattree.js")),
    ("visibility.js", include_str!("visibility.js")),
    ("aria.js", include_str!("aria.js")),
    ("focusable.js", include_str!("focusable.js")),
    ("implicit.js", include_str!("implicit.js")),
    ("roles.js", include_str!("roles.js")),
    ("content.js", include_str!("content.js")),
    ("generated.js", include_str!("generated.js")),
    ("labels.js", include_str!("labels.js")),
    ("names.js", include_str!("names.js")),
    ("values.js", include_str!("values.js")),
    ("descriptions.js", include_str!("descriptions.js")),
    ("states.js", include_str!("states.js")),
    ("refs.js", include_str!("refs.js")),
    ("nodes.js", include_str!("nodes.js")),
    ("folding.js", include_str!("folding.js")),
    ("marks.js", include_str!("marks.js")),
    ("yaml.js", include_str!("yaml.js")),
    ("budget.js", include_str!("budget.js")),
    ("snapshot.js", include_str!("snapshot.js")),
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
