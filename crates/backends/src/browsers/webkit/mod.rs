//! WebKit: the `MiniBrowser` that comes with WebKitGTK, one process for each context, each on a display of its own where
//! nobody is to see it.

mod confined;
mod display;
mod find;
mod home;
mod launch;
mod plugins;
mod pointer;
mod port;
mod process;
mod running;

pub use find::{Choice, Executable, find};
pub use launch::{LaunchFailed, LaunchOptions, launch};
