//! The engine's traits over the browsers' protocols, and the browsers themselves: where they are, and how they are
//! started.

#[cfg(unix)]
mod bidi;
pub mod browsers;
mod cdp;
mod cookies;
#[cfg(unix)]
mod doors;
#[cfg(unix)]
mod dragged;
#[cfg(unix)]
mod files;
mod formatting;
mod sync;
mod usual;
#[cfg(target_os = "linux")]
mod webkit;
