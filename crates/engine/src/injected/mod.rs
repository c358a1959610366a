//! The script that does the engine's work inside each document, assembled from one file per noun.
//!
//! It is evaluated once per document in a world of its own, so that the page can neither see nor break it. The files
//! share one function's scope and are put together in the order of `PARTS`; each opens with what it defines. No
//! tool chain beyond this crate is needed.

use std::sync::LazyLock;

/// The files, in the order in which they are put together.
const PARTS: &[(&str, &str)] = &[
    ("natives.js", include_str!("natives.js")),
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
    ("snapshot.js", include_str!("snapshot.js")),
    ("dom.js", include_str!("dom.js")),
    ("text.js", include_str!("text.js")),
    ("css.js", include_str!("css.js")),
    ("xpath.js", include_str!("xpath.js")),
    ("attributes.js", include_str!("attributes.js")),
    ("byrole.js", include_str!("byrole.js")),
    ("query.js", include_str!("query.js")),
    ("generate.js", include_str!("generate.js")),
    ("describe.js", include_str!("describe.js")),
    ("locate.js", include_str!("locate.js")),
    ("read.js", include_str!("read.js")),
    ("wait.js", include_str!("wait.js")),
    ("clock.js", include_str!("clock.js")),
    ("drawn.js", include_str!("drawn.js")),
    ("watching.js", include_str!("watching.js")),
    ("hit.js", include_str!("hit.js")),
    ("scroll.js", include_str!("scroll.js")),
    ("moving.js", include_str!("moving.js")),
    ("guard.js", include_str!("guard.js")),
    ("quiet.js", include_str!("quiet.js")),
    ("fields.js", include_str!("fields.js")),
    ("fill.js", include_str!("fill.js")),
    ("choose.js", include_str!("choose.js")),
    ("prepare.js", include_str!("prepare.js")),
    ("frames.js", include_str!("frames.js")),
    ("files.js", include_str!("files.js")),
];

/// The whole script: an expression whose value is the object that the engine talks to.
pub fn script() -> String {
    let mut script = String::from("(() => {\n'use strict';\nconst injected = {};\n");
    for (_, text) in PARTS {
        compact(text, &mut script);
    }
    script.push_str("return injected;\n})()");
    script
}

/// The whole script, for documents whose test ids are in `attribute` instead of `data-testid`.
pub fn with_test_ids(script: &str, attribute: &str) -> String {
    let attribute = serde_json::Value::from(attribute);
    format!("Object.assign({script}, {{ testIdAttribute: {attribute} }})")
}

/// One of the files that are functions of their own, as a document has to read it.
pub(crate) fn compacted(text: &str) -> String {
    let mut script = String::new();
    compact(text, &mut script);
    script.truncate(script.trim_end().len());
    script
}

/// Adds `text` as each document has to read it: without comments of their own lines and indentation, and in ASCII, which
/// a browser reads in half the time. What is not ASCII stands in strings, patterns and comments, where an escape means
/// the same.
fn compact(text: &str, script: &mut String) {
    for line in text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//")) {
        for character in line.chars() {
            if character.is_ascii() {
                script.push(character);
            } else {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    script.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        script.push('\n');
    }
}

/// The watch (watch.js): a script that every back end runs in the page's own world of every document, before any of the
/// page's. It is the same for all contexts, so that a browser need not be told for each.
pub fn watch() -> &'static str {
    static SCRIPT: LazyLock<String> = LazyLock::new(|| {
        let function = compacted(include_str!("watch.js"));
        format!("({function})({});", serde_json::Value::from(watch_token()))
    });
    &SCRIPT
}

/// The secret by which the watch knows who asks: pages do not know it.
pub fn watch_token() -> &'static str {
    static TOKEN: LazyLock<String> = LazyLock::new(|| uuid::Uuid::new_v4().simple().to_string());
    &TOKEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_document_reads_is_ascii_and_has_no_comments() {
        let script = script();
        assert!(script.is_ascii());
        assert!(!script.lines().any(|line| line.trim_start().starts_with("//")));
    }

    #[test]
    fn no_name_is_defined_twice() {
        let mut defined = std::collections::BTreeMap::new();
        for (file, text) in PARTS {
            for line in text.lines() {
                let rest =
                    ["function ", "const ", "let ", "class "].iter().find_map(|word| line.strip_prefix(word));
                let Some(rest) = rest else { continue };
                let name: String =
                    rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '$').collect();
                if name.is_empty() {
                    continue;
                }
                let before = defined.insert(name.clone(), file);
                assert_eq!(before, None, "{name} of {file} is also {before:?}'s");
            }
        }
        assert!(defined.len() > 50);
    }
}
