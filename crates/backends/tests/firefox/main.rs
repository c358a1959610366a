//! What the engine suite does not ask of Firefox: dragging, fingers, prints, windows, proxies, and the way into the browser
//! itself.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

// What a hand drags in Chromium, it drags in Firefox.
#[path = "../actions/dragging.rs"]
mod dragging;
mod hands;
mod privileged;
mod stage;
mod ways;
