//! Our types against the browser's own description of its protocol (`/json/protocol`): every command, parameter, answer
//! and event that we name must exist under that name, what we send must be complete, and what may be absent must be
//! optional here.
//!
//! The definitions are read from the source, where the macros of `types/define.rs` keep them in one shape.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use wire::transport::endpoint::{Endpoint, HeaderMap};

/// Marked as deprecated by the browser, and used all the same.
const DEPRECATED: &[(&str, &str)] = &[
    ("Network.emulateNetworkConditions", "known by every Chromium in use; its successors are experimental"),
    ("Runtime.executionContextDestroyed executionContextId", "read where the unique id is missing"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_we_call_things_is_what_the_browser_calls_them() {
    let protocol = common::in_time(async {
        let listening = common::Listening::start().await;
        let endpoint = Endpoint::parse(&listening.address, HeaderMap::new()).unwrap();
        let protocol = endpoint.get("json/protocol").await.unwrap();
        listening.stop().await;
        serde_json::from_slice::<Value>(&protocol).unwrap()
    })
    .await;
    let (mut complaints, mut checked) = (Vec::new(), 0);
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/cdp/types")).unwrap() {
        let path = file.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let domains = protocol["domains"].as_array().unwrap();
        let Some(domain) =
            domains.iter().find(|domain| domain["domain"].as_str().unwrap().to_lowercase() == stem)
        else {
            assert!(["define", "ids", "mod"].contains(&stem.as_str()), "{stem} is no domain");
            continue;
        };
        let source = Source::read(&std::fs::read_to_string(&path).unwrap());
        checked += source.definitions.len();
        for definition in &source.definitions {
            check(definition, &source, domain, &mut complaints);
        }
    }
    assert!(checked > 150, "only {checked} definitions were found: the shape of the source has changed");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A field as our source has it.
#[derive(Debug, Clone)]
struct Field {
    name: String,
    optional: bool,
}

/// A command or an event.
#[derive(Debug)]
struct Definition {
    kind: String,
    method: String,
    response: Option<String>,
    fields: Vec<Field>,
}

#[derive(Debug)]
struct Source {
    definitions: Vec<Definition>,
    structs: BTreeMap<String, Vec<Field>>,
}

impl Source {
    fn read(text: &str) -> Self {
        let text = Regex::new(r"///?.*").unwrap().replace_all(text, "");
        let block = r"\{([^{}]*)\}";
        let definition = Regex::new(&format!(
            r#"(command|event)! \{{\s*\w+ = "([\w.]+)"(?:\s*=> (\w+))?\s*(?:{block})?\s*(?:optional {block})?\s*\}}"#
        ))
        .unwrap();
        let definitions = definition.captures_iter(&text).map(|found| {
            let group = |number| found.get(number).map_or("", |group| group.as_str());
            Definition {
                kind: group(1).to_owned(),
                method: group(2).to_owned(),
                response: found.get(3).map(|name| name.as_str().to_owned()),
                fields: [fields(group(4), false), fields(group(5), true)].concat(),
            }
        });
        let structs = Regex::new(&format!(r"pub struct (\w+) {block}")).unwrap();
        let structs =
            structs.captures_iter(&text).map(|found| (found[1].to_owned(), fields(&found[2], false)));
        Self { definitions: definitions.collect(), structs: structs.collect() }
    }
}

fn fields(block: &str, optional: bool) -> Vec<Field> {
    static FIELD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"((?:#\[[^\]]*\]\s*)*)(?:pub )?(?:r#)?(\w+): ([\w:]+)").unwrap());
    static RENAMED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"rename = "(\w+)""#).unwrap());
    let read = FIELD.captures_iter(block).map(|found| Field {
        name: RENAMED.captures(&found[1]).map_or_else(|| camel_case(&found[2]), |name| name[1].to_owned()),
        optional: optional || &found[3] == "Option" || found[1].contains("default"),
    });
    read.collect()
}

fn camel_case(name: &str) -> String {
    let words = name.split('_').enumerate().map(|(at, word)| match at {
        0 => word.to_owned(),
        _ => word[..1].to_uppercase() + &word[1..],
    });
    words.collect()
}

fn check(ours: &Definition, source: &Source, domain: &Value, complaints: &mut Vec<String>) {
    let (prefix, name) = ours.method.split_once('.').unwrap();
    assert_eq!(prefix, domain["domain"], "{} is in the wrong file", ours.method);
    let theirs = domain[format!("{}s", ours.kind)].as_array().into_iter().flatten();
    let Some(theirs) = theirs.into_iter().find(|theirs| theirs["name"] == name) else {
        return complaints.push(format!("the browser knows no {} {}", ours.kind, ours.method));
    };
    note_deprecation(theirs, &ours.method, complaints);
    let sent = ours.kind == "command";
    check_fields(&ours.method, &ours.fields, &theirs["parameters"], sent, complaints);
    // Answers that are defined in another domain's file are checked there.
    if let Some(answer) = ours.response.as_ref().and_then(|name| source.structs.get(name)) {
        check_fields(&format!("{} =>", ours.method), answer, &theirs["returns"], false, complaints);
    }
}

fn check_fields(of: &str, ours: &[Field], theirs: &Value, sent: bool, complaints: &mut Vec<String>) {
    let theirs: Vec<&Value> = theirs.as_array().into_iter().flatten().collect();
    let optional = |field: &Value| field["optional"] == true;
    for our in ours {
        let Some(their) = theirs.iter().find(|their| their["name"] == our.name.as_str()) else {
            complaints.push(format!("{of} has no {}", our.name));
            continue;
        };
        note_deprecation(their, &format!("{of} {}", our.name), complaints);
        if optional(their) && !our.optional && !sent {
            complaints.push(format!("{of}: {} may be absent", our.name));
        }
    }
    for their in theirs.iter().filter(|their| sent && !optional(their)) {
        if !ours.iter().any(|our| their["name"] == our.name.as_str() && !our.optional) {
            complaints.push(format!("{of} needs {}", their["name"]));
        }
    }
}

fn note_deprecation(theirs: &Value, what: &str, complaints: &mut Vec<String>) {
    if theirs["deprecated"] == true && !DEPRECATED.iter().any(|(known, _)| *known == what) {
        complaints.push(format!("{what} is deprecated"));
    }
}
