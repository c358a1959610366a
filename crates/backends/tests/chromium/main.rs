//! The engine's traits over the DevTools protocol, against the real chromium-headless-shell.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod console;
mod contexts;
mod dialogs;
mod frames;
mod input;
mod life;
mod navigation;
mod network;
mod pictures;
mod popups;
mod scripts;
mod site;
mod tab;
