//! The injected script's idea of roles, names, descriptions, states and snapshots, in a real Chromium.
//!
//! The cases are data: `corpus/*.toml` has snippets with what one marked element is (by the specifications), compared
//! with the script and with the browser's own accessibility tree; `differences.toml` has the reason wherever those two
//! disagree. `snapshots/*.toml` has whole pages with the YAML that agents read.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy knows only functions marked as tests, not their helpers"
)]

mod changes;
mod chromium;
mod corpus;
mod refs;
mod snapshots;
