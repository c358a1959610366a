//! What was decided at start about where browsers may go.

use egress::{Allowed, Rules};

use super::given::Given;
use super::refusal::ConfigError;
use super::settings::browser::CDP_ENDPOINT;
use super::settings::egress as settings;

/// Where browsers may go.
#[derive(Debug, Clone, Default)]
pub(crate) struct EgressOptions {
    pub(crate) rules: Rules,
    /// On this machine only the session's app is reached.
    pub(crate) strict_loopback: bool,
}

impl EgressOptions {
    pub(super) fn resolve(given: &Given, warnings: &mut Vec<String>) -> Result<Self, ConfigError> {
        let strict_loopback = given.switch(&settings::STRICT_LOOPBACK)?.unwrap_or(false);
        let options = Self { rules: Rules::new(allowed(given)?, strict_loopback), strict_loopback };
        if let Some(elsewhere) = given.get(&CDP_ENDPOINT) {
            not_beside_a_fleet(given, strict_loopback)?;
            warnings.push(format!(
                "{}: where a browser that runs elsewhere goes is not bounded by this server; confine it where it runs",
                elsewhere.source
            ));
        }
        Ok(options)
    }
}

fn allowed(given: &Given) -> Result<Vec<Allowed>, ConfigError> {
    let Some(value) = given.get(&settings::ALLOWED_HOSTS) else { return Ok(Vec::new()) };
    let list = value.list();
    if list.is_empty() {
        return Err(value.refuse("a list of at least one host; leave it out to reach every public one"));
    }
    let entry =
        |text: &String| text.parse().map_err(|why| ConfigError::NotAnEntry { at: value.source.clone(), why });
    list.iter().map(entry).collect()
}

/// A boundary that somebody asked for must not be dropped in silence.
fn not_beside_a_fleet(given: &Given, strict_loopback: bool) -> Result<(), ConfigError> {
    let strict = given.get(&settings::STRICT_LOOPBACK).filter(|_| strict_loopback);
    match given.get(&settings::ALLOWED_HOSTS).or(strict) {
        None => Ok(()),
        Some(value) => Err(value.refuse(
            "possible beside --cdp-endpoint: a browser that runs elsewhere can't reach this server's proxy; \
             confine it where it runs, and leave this out",
        )),
    }
}
