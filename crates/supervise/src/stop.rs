//! Stopping is a ladder with a proof: TERM, a grace, KILL, and a report of what that took.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How patiently a tree is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    /// How long processes may take to end after TERM. Zero means KILL at once.
    pub grace: Duration,
    /// How long KILL is repeated before what still lives is reported as a survivor.
    pub kill: Duration,
}

impl Default for Ladder {
    fn default() -> Self {
        Self { grace: Duration::from_secs(1), kill: Duration::from_secs(2) }
    }
}

/// A process as a person would recognise it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Its command line, cut to a readable length.
    pub command: String,
}

/// What it took to end a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum EndedBy {
    /// It ended within the grace.
    Term,
    /// It outlived the grace.
    Kill,
}

/// A process that lived when the stop began, and that does not any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Which one.
    #[serde(flatten)]
    pub process: Process,
    /// What it took.
    pub by: EndedBy,
}

/// What a stop found and did. An empty report means that nothing lived any more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopReport {
    /// What lived when the stop began or appeared while it ran, and was ended.
    pub ended: Vec<Ended>,
    /// What could not be ended: processes of another user, or stuck in the kernel.
    pub survivors: Vec<Process>,
}

impl StopReport {
    /// The processes that outlived the grace and had to be killed.
    pub fn resisted(&self) -> impl Iterator<Item = &Process> {
        self.ended.iter().filter(|ended| ended.by == EndedBy::Kill).map(|ended| &ended.process)
    }
}
