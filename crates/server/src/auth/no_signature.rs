//! Without the feature `oauth` no signature is right; `--oauth-issuer` is refused before it comes to that.

/// Does nothing.
pub(super) fn provide() {}
