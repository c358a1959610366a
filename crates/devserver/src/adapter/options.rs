//! What the adapter is asked to do.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::Readiness;
use crate::contract::Verb;

/// The longest that a dev server may take to become ready: the contract gives `--start` 30 s, and stopping one that
/// does not come up is part of them.
pub const MOST_READY: Duration = Duration::from_secs(23);

/// One call of the adapter.
#[derive(Debug, Clone)]
pub struct Options {
    /// What to do.
    pub verb: Verb,
    /// When the server is ready.
    pub ready: Readiness,
    /// How long it may take; at most [`MOST_READY`].
    pub ready_timeout: Duration,
    /// The port it must have; any free one otherwise.
    pub port: Option<u16>,
    /// The project's folder.
    pub folder: PathBuf,
    /// The dev server's command and its arguments.
    pub command: Vec<OsString>,
    /// Where the adapter keeps what it knows: a folder that is ours alone, made if it does not exist.
    pub state_root: PathBuf,
    /// Our own program, whose `main` begins with [`super::keep_if_asked`].
    pub program: PathBuf,
}
