//! The browsers: where each is found on this machine, and how it wants to be started. What differs between browsers of
//! one protocol is a value here, never a condition elsewhere.

mod about;
pub mod chromium;
pub mod firefox;
mod install;
mod owned;
mod places;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod profile;
#[cfg(target_os = "linux")]
pub mod webkit;

pub use about::{About, Instead, about};
pub(crate) use owned::Process;
pub use places::{NotFound, Places};
