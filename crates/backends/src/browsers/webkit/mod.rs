//! WebKit: the `MiniBrowser` that comes with WebKitGTK, one process for each context, on a display of ours where nobody is to
//! see it.

mod confined;
mod display;
mod find;
mod home;
mod launch;
mod plugins;
mod pointer;
mod port;
mod process;

pub use find::{Choice, Executable, find};
pub use launch::{LaunchFailed, LaunchOptions, launch};
