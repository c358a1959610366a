//! Whole pages and the YAML that agents read.

use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::chromium::Chromium;
use crate::corpus::{files, parse};

#[derive(Deserialize)]
struct Pages {
    page: Vec<Page>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    name: String,
    html: String,
    /// Options of `injected.snapshot`; `root` is a CSS selector here.
    #[serde(default)]
    options: Map<String, Value>,
    yaml: String,
}

/// A snapshot in a document whose script is fresh, so that refs count from one.
fn snapshot(browser: &mut Chromium, page: &Page) -> Value {
    browser.load(&page.html);
    let options = serde_json::to_string(&page.options).unwrap();
    browser.evaluate(&format!(
        "(() => {{ const fresh = {}; const options = {options}; \
         if (options.root) options.root = document.querySelector(options.root); \
         return fresh.snapshot(options); }})()",
        engine::injected::script()
    ))
}

#[test]
fn pages_read_as_expected() {
    let mut browser = Chromium::launch();
    let mut wrong = String::new();
    let mut count = 0;
    for path in files("snapshots") {
        for page in parse::<Pages>(&path).page {
            count += 1;
            let told = snapshot(&mut browser, &page);
            let yaml = told["yaml"].as_str().unwrap();
            if yaml != page.yaml.trim_end() {
                writeln!(wrong, "## {}\n{yaml}\n-- instead of\n{}", page.name, page.yaml).unwrap();
            }
        }
    }
    assert!(count >= 60, "{count} pages");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_lines_say_what_the_yaml_says() {
    let mut browser = Chromium::launch();
    for path in files("snapshots") {
        for page in parse::<Pages>(&path).page {
            if page.options.contains_key("depth") {
                continue;
            }
            let told = snapshot(&mut browser, &page);
            let lines = told["lines"].as_array().unwrap();
            let yaml: Vec<&str> = told["yaml"].as_str().unwrap().lines().collect();
            assert_eq!(lines.len(), yaml.len(), "{}", page.name);
            let parsed = engine::snapshot::parse(told["yaml"].as_str().unwrap());
            let given: Vec<engine::snapshot::Line> = serde_json::from_value(told["lines"].clone()).unwrap();
            assert_eq!(parsed, given, "{}", page.name);
            for (line, text) in lines.iter().zip(yaml) {
                let indent = "  ".repeat(usize::try_from(line["depth"].as_u64().unwrap()).unwrap());
                let plain = format!("{indent}- {}", line["line"].as_str().unwrap());
                assert!(text == plain || text == format!("{plain}:"), "{text} is not {plain}");
            }
        }
    }
}
