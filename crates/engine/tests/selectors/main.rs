//! Selectors in a real Chromium: what each finds, and which one is given for an element.
//!
//! The cases are data, for every browser's suite: each `*.toml` has the selectors for the page of the same name and the ids of what
//! they find; `generate.toml` has elements and the code that addresses them.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy knows only functions marked as tests, not their helpers"
)]

mod candidates;
#[path = "../accessibility/chromium.rs"]
#[allow(dead_code, reason = "the accessibility tests use more of it")]
mod chromium;
mod corpus;
mod generated;
mod robust;
