//! The engine's own corpora, which every browser must agree with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A page and its snapshot.
#[derive(Deserialize)]
pub(crate) struct Pictured {
    pub(crate) name: String,
    pub(crate) html: String,
    /// Options of the injected script; such pages have cases of their own.
    pub(crate) options: Option<IgnoredAny>,
    pub(crate) yaml: String,
}

#[derive(Deserialize)]
struct Pages {
    page: Vec<Pictured>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../engine/tests")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file of the corpus of selectors.
pub(crate) fn selectors(name: &str) -> String {
    read(&folder().join("selectors").join(name))
}

/// Selectors and the ids of what they find on this page.
pub(crate) fn selector_table(page: &str) -> Vec<(String, String)> {
    let sections: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(&selectors(&format!("{page}.toml"))).unwrap();
    sections.into_values().flatten().collect()
}

/// The pages of a file of the corpus of snapshots.
pub(crate) fn snapshots(name: &str) -> Vec<Pictured> {
    let text = read(&folder().join("accessibility/snapshots").join(format!("{name}.toml")));
    toml::from_str::<Pages>(&text).unwrap().page
}

/// The ref on the line of a snapshot that has `text`.
pub(crate) fn ref_of(yaml: &str, text: &str) -> String {
    let line = yaml.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text} in\n{yaml}"));
    let behind = line.split("[ref=").nth(1).unwrap_or_else(|| panic!("no ref in {line}"));
    behind.split(']').next().unwrap().to_owned()
}
