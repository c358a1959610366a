//! The attempts that a browser does not even make, with the reason.

use std::sync::LazyLock;

use serde::Deserialize;

const TEXT: &str = include_str!("silent.toml");

/// An attempt of which a browser sends nothing, to the proxy neither.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Silent {
    /// The attempt's name.
    pub(crate) attempt: String,
    /// The browsers.
    pub(crate) browsers: Vec<String>,
    /// Why.
    pub(crate) reason: String,
    /// It depends on what else the browser has to do; then both are right.
    #[serde(default)]
    pub(crate) at_times: bool,
}

#[derive(Deserialize)]
struct File {
    silent: Vec<Silent>,
}

static ALL: LazyLock<Vec<Silent>> = LazyLock::new(|| toml::from_str::<File>(TEXT).unwrap().silent);

pub(crate) fn all() -> &'static [Silent] {
    &ALL
}

/// What is known of an attempt in a browser.
pub(crate) fn find(browser: &str, attempt: &str) -> Option<&'static Silent> {
    let known =
        |silent: &&Silent| silent.attempt == attempt && silent.browsers.iter().any(|name| name == browser);
    all().iter().find(known)
}
