//! A run that was asked for, after everything about it was checked.

use base::WorkspacePath;

use crate::controller::Limits;
use crate::runners::{Runner, Scope};

/// What to run and within which limits.
#[derive(Debug, Clone)]
pub struct Request {
    /// By which template.
    pub runner: &'static Runner,
    /// Which tests.
    pub scope: Scope,
    /// For how long.
    pub limits: Limits,
    /// How much of the log's end is looked at for the summary.
    pub max_output_bytes: u64,
    /// Where the report goes; a fresh folder if nobody cares.
    pub report_dir: Option<WorkspacePath>,
}
