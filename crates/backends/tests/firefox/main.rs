//! What the engine suite does not ask of Firefox: fingers, prints, windows, proxies, and the way into the browser
//! itself.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod hands;
mod privileged;
mod stage;
mod ways;
