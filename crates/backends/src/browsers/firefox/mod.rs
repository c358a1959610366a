//! Firefox as distributions and Mozilla ship it, driven over WebDriver BiDi. Playwright's is a patched build with a
//! protocol of its own, and is not looked for.

#[cfg(unix)]
mod confined;
mod find;
#[cfg(unix)]
mod home;
#[cfg(unix)]
mod launch;
#[cfg(unix)]
mod prefs;
#[cfg(unix)]
mod prepare;
#[cfg(unix)]
mod template;

pub use find::{Choice, Executable, find};
#[cfg(unix)]
pub use launch::{LaunchFailed, LaunchOptions, launch};
#[cfg(unix)]
pub use prepare::prepare;
