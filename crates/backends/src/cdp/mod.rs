//! The engine's traits over the Chrome DevTools Protocol.
//!
//! A [`browser`] has contexts, a [`context`] has pages, a [`page`] has frames, and each frame lives in a session. New
//! pages, frames and workers stand still until [`settings`] has told them how to be; what happens in a page is read by
//! one task, [`pump`].

mod bodies;
pub(crate) mod browser;
pub(crate) mod console;
mod context;
mod dialogs;
mod documents;
mod downloads;
mod drag;
mod elements;
mod evaluate;
mod exchanges;
mod extras;
mod frames;
mod input;
mod life;
mod navigate;
mod network;
mod page;
mod pages;
mod pump;
mod refusal;
mod screens;
mod screenshot;
mod settings;
mod storage;
mod telling;
mod worlds;
