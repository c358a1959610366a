//! When a dev server counts as ready.

use regex::Regex;
use serde::{Deserialize, Serialize};

/// What is waited for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Readiness {
    /// Its port answers: the one that it was given, the one of the URL that it prints, or whichever it listens on.
    #[default]
    Port,
    /// This URL answers (`{port}` is the port), or this path of the server's own URL.
    Url(String),
    /// A line of its output matches this regular expression. If its first group is a port or a URL, that is taken.
    Log(String),
}

/// Something that can't be waited for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadReadiness {
    /// Neither a path nor an http URL.
    #[error("{0} is neither an http:// URL nor a path (/health); for https wait for a log line or the port")]
    Url(String),
    /// Not a regular expression.
    #[error("not a regular expression: {0}")]
    Log(String),
}

impl Readiness {
    /// Looks at it before anything is started.
    ///
    /// # Errors
    /// [`BadReadiness`] when it can't be waited for.
    pub fn check(&self) -> Result<(), BadReadiness> {
        match self {
            Self::Port => Ok(()),
            Self::Url(url) if url.starts_with('/') => Ok(()),
            Self::Url(url) => {
                let parsed = url::Url::parse(&url.replace("{port}", "1"));
                let usable = parsed.is_ok_and(|parsed| parsed.scheme() == "http" && parsed.has_host());
                if usable { Ok(()) } else { Err(BadReadiness::Url(url.clone())) }
            }
            Self::Log(pattern) => {
                let bad = |error: regex::Error| BadReadiness::Log(error.to_string());
                Regex::new(pattern).map(drop).map_err(bad)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_waited_for_is_taken() {
        for good in ["/health", "http://localhost:{port}/", "http://127.0.0.1:3000"] {
            assert_eq!(Readiness::Url(good.to_owned()).check(), Ok(()), "{good}");
        }
        for bad in ["https://localhost:3000", "localhost:3000", "", "ftp://x"] {
            assert!(Readiness::Url(bad.to_owned()).check().is_err(), "{bad}");
        }
        assert!(Readiness::Log("ready in \\d+".to_owned()).check().is_ok());
        assert!(Readiness::Log("(".to_owned()).check().is_err());
    }
}
