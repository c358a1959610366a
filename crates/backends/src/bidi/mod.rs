//! The engine's traits over WebDriver BiDi.
//!
//! A [`browser`] has contexts (the protocol's user contexts), a [`context`] has pages, a [`page`] has frames. Events and
//! answers come in one order, so the [`listener`] hears everything that happened before an answer before its caller does;
//! only requests are told late, so pages say themselves that they have [`asked`] for one.
//! The injected script lives in a sandbox of each document.

mod asked;
mod bodies;
pub(crate) mod browser;
mod console;
mod context;
mod dialogs;
mod documents;
mod downloads;
mod drag;
mod elements;
mod evaluate;
mod exchanges;
mod frame;
mod frames;
mod input;
mod keys;
mod life;
mod listener;
mod names;
mod navigate;
mod network;
mod page;
mod pages;
mod permissions;
mod realms;
mod reasons;
mod refusal;
mod screenshot;
mod settings;
mod spot;
mod storage;
mod system;
mod traffic;
mod worlds;
