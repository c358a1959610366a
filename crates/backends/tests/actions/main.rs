//! What a hand does to a page, from the engine through the DevTools protocol to a real Chromium and back.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clicks;
mod dragging;
mod fields;
mod frames;
mod settling;
mod stage;
mod uploads;
