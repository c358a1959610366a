//! One process tree, from spawn to proven gone.
//!
//! [`Supervisor::spawn`] starts a program and hands out its [`Tree`] and its [`Output`]. [`Tree::stop`] ends the
//! whole tree, descendants that left the process group included, and answers what it took. A tree whose owner
//! forgets it, panics or dies by SIGKILL is ended all the same:
//!
//! - On Unix every tree has a small [`watchdog`] process between us and it: a re-exec of this binary that is the
//!   subreaper of the tree, so that no double fork and no `setsid` hides a descendant, and that holds one end of a
//!   socket whose other end is ours. When our end closes, for whatever reason, it ends the tree.
//! - On Windows the tree lives in a job object that the system ends when our handle closes.
//!
//! What a tree leaves behind in the file system goes with it ([`Spec::remove_afterwards`]), and on Unix a program can be
//! given more descriptors than the first three ([`Supervisor::spawn_passing`]). What must be said before an abandoned tree
//! is ended, the watchdog says ([`Spec::farewell`]).
//!
//! What the output means, how long a program may run and why it is stopped is the caller's business.

mod farewell;
pub mod output;
mod recorded;
mod spec;
mod stop;
mod tree;
#[cfg(unix)]
pub mod watchdog;
mod will;

#[cfg(unix)]
#[path = "unix/mod.rs"]
mod platform;
#[cfg(windows)]
#[path = "windows.rs"]
mod platform;

pub use output::{Output, Stream};
#[cfg(unix)]
pub use platform::start::Descriptors;
pub use recorded::{Recorded, descendants};
pub use spec::Spec;
pub use stop::{Ended, EndedBy, Ladder, Process, StopReport};
pub use tree::{Exit, SpawnError, Supervisor, Tree, leftovers, sweep_leftovers};
