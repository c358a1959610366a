//! Whose a session or a run is.

use std::sync::Arc;

/// Somebody who calls. Clones are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Subject(
    /// The token's `sub`; none for whoever is on this machine, over stdio or without authorization.
    Option<Arc<str>>,
);

impl Subject {
    /// The one whom an access token names.
    pub(super) fn named(sub: &str) -> Self {
        Self(Some(sub.into()))
    }

    /// For tests: somebody of this name.
    #[cfg(test)]
    pub(crate) fn of(name: &str) -> Self {
        Self::named(name)
    }

    /// The name, for rooms that need no more than to tell two apart; empty for whoever is on this machine, which no
    /// token's is.
    pub(crate) fn name(&self) -> Arc<str> {
        self.0.clone().unwrap_or_default()
    }

    /// Whether a token named it.
    pub(crate) fn is_named(&self) -> bool {
        self.0.is_some()
    }
}
