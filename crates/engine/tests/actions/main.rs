//! The injected script's part in actions, in a real Chromium: what a user could act on, where, and when it is over.
//!
//! The engine's own part, with real input through a back end, is tested in crates/backends/tests/actions.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy knows only functions marked as tests, not their helpers"
)]

#[path = "../accessibility/chromium.rs"]
#[allow(dead_code, reason = "the accessibility tests use more of it")]
mod chromium;
mod fields;
mod guard;
mod hand;
mod obstacles;
mod points;
mod watch;
