//! What a browser is known not to do, with the reason and what its user gets instead.

use serde::Deserialize;

const TEXT: &str = include_str!("expectations.toml");

/// A case that a browser fails.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Expected {
    /// `family: the case's name`.
    pub(crate) case: String,
    /// The browser.
    pub(crate) browser: String,
    /// Why, and what its user gets instead.
    pub(crate) reason: String,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    fails: Vec<Expected>,
}

pub(crate) fn all() -> Vec<Expected> {
    toml::from_str::<File>(TEXT).unwrap().fails
}

/// Why this browser fails that case, if it is known to.
pub(crate) fn reason(browser: &str, family: &str, case: &str) -> Option<String> {
    let name = format!("{family}: {case}");
    all()
        .into_iter()
        .find(|expected| expected.browser == browser && expected.case == name)
        .map(|found| found.reason)
}
