//! The engine's traits over the remote-inspector socket of WebKitGTK.
//!
//! A context is a process of its own ([`context`]) and has pages ([`pages`], [`page`]); what happens in a page is read by one
//! task ([`pump`]). Input, dialogs, files and windows go through the automation session ([`automation`]), everything else
//! through the page's inspector. There is one world of scripts only, the page's own: what the engine needs there is put in
//! before any script of the page's ([`bootstrap`]).

mod automation;
mod bodies;
mod bootstrap;
pub(crate) mod browser;
mod console;
mod context;
mod cookies;
mod dialogs;
mod documents;
mod downloads;
mod drag;
mod elements;
mod endless;
mod equip;
mod evaluate;
mod exchanges;
mod files;
mod frames;
mod input;
mod keeper;
mod keys;
mod life;
mod navigate;
mod network;
mod page;
mod pages;
mod permissions;
mod popups;
mod pump;
mod reasons;
mod refusal;
mod said;
mod screenshot;
mod spot;
mod started;
mod viewport;
mod views;

pub(crate) use started::{Carrier, Started};
pub(crate) use viewport::Around;
