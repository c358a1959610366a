//! Words that every crate speaks: how long a call may last, who may cancel it, what it was doing, how a text is
//! cut to a budget or made plain, which values are never shown, which paths lie inside the workspace, and how a task
//! that works through its events is followed.
//!
//! Nothing here starts a process, opens a socket or writes a file. The one look at the file system is the
//! workspace's, which must resolve symbolic links to know where a path really leads.

pub mod clip;
pub mod deadline;
pub mod follow;
pub mod plain;
pub mod scope;
pub mod secret;
pub mod workspace;

pub use deadline::{Deadline, DeadlinePassed};
pub use follow::{Followers, Following, followers};
pub use scope::{Activity, CallLog, CallScope, LogLine};
pub use secret::{Secret, Secrets};
pub use workspace::{PathRefused, Workspace, WorkspacePath, WorkspaceRefused};
