//! The browsers: where each is found on this machine, and how it wants to be started. What differs between browsers of
//! one protocol is a value here, never a condition elsewhere.

pub mod chromium;
mod places;

pub use places::Places;
