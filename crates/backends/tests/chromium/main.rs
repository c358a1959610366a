//! The engine's traits over the DevTools protocol, against the real chromium-headless-shell.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(dead_code, reason = "a kit for the tests to come")]

mod first;
mod site;
mod tab;
