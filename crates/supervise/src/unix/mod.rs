//! Trees on Unix: each below its own watchdog.

mod handle;
pub(crate) mod kin;
pub(crate) mod marks;
mod others;
pub(crate) mod start;
#[cfg_attr(target_os = "linux", path = "table_linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "table_ps.rs")]
mod table;

pub(crate) use handle::{Handle, spawn};
pub(crate) use marks::{leftovers, sweep_leftovers};
pub(crate) use others::{Asked, descendants, signal, start_of};
pub(crate) use start::Descriptors;
