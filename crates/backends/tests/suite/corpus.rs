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

/// A snippet of the corpus of roles, names and states.
#[derive(Deserialize)]
struct Snippet {
    html: String,
}

#[derive(Deserialize)]
struct Snippets {
    case: Vec<Snippet>,
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

/// A part of the corpora, small enough for one test.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// Snippets of every role.
    Roles,
    /// Snippets of names, descriptions, states and what is hidden.
    NamesAndStates,
    /// Whole pages.
    Pages,
}

impl Part {
    pub(crate) const ALL: &[Self] = &[Self::Roles, Self::NamesAndStates, Self::Pages];
}

/// The pages of a part, each once, without those whose frames have to be filled in.
pub(crate) fn pages(part: Part) -> Vec<String> {
    let snippets = |roles: bool| -> Vec<String> {
        let is_wanted = |path: &PathBuf| path.to_string_lossy().ends_with("roles.toml") == roles;
        let tables = files("accessibility/corpus").into_iter().filter(is_wanted);
        tables
            .flat_map(|path| toml::from_str::<Snippets>(&read(&path)).unwrap().case)
            .map(|snippet| snippet.html)
            .collect()
    };
    let whole = || -> Vec<String> {
        let pages = files("accessibility/snapshots").into_iter();
        let pages = pages.flat_map(|path| toml::from_str::<Pages>(&read(&path)).unwrap().page);
        pages.filter(|page| page.options.is_none()).map(|page| page.html).collect()
    };
    let pages = match part {
        Part::Roles => snippets(true),
        Part::NamesAndStates => snippets(false),
        Part::Pages => whole(),
    };
    let mut seen = std::collections::BTreeSet::new();
    pages.into_iter().filter(|html| !html.contains("<iframe") && seen.insert(html.clone())).collect()
}

/// The tables in a folder.
fn files(name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder().join(name)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// The ref on the line of a snapshot that has `text`.
pub(crate) fn ref_of(yaml: &str, text: &str) -> String {
    let line = yaml.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text} in\n{yaml}"));
    let behind = line.split("[ref=").nth(1).unwrap_or_else(|| panic!("no ref in {line}"));
    behind.split(']').next().unwrap().to_owned()
}
