//! `run_test` (seed B): a project's test suite, started from a fixed template, in a timebox, with artifacts.
//!
//! [`runners`] has the templates, [`controller`] the two time limits, [`Timebox::run`] does one run, [`Runs`] keeps
//! those of a server. A run's output goes to raw.log as it comes (`recorder`, `raw_log`); when it is over, `extract`
//! finds what matters in it, `failures` what failed, `census` whether anything ran, and `report` and `summary` tell it.
//!
//! Left to others: what an agent may ask and how the answer travels (`server`), how processes end (`supervise`).

pub mod census;
pub mod controller;
pub mod extract;
pub mod failures;
mod folder;
mod hiding;
mod last_line;
mod raw_log;
mod recorder;
mod report;
mod request;
mod run;
pub mod runners;
mod runs;
mod summary;
mod time;
mod timebox;

pub use report::{Artifacts, Leftovers, Report, Status};
pub use request::Request;
pub use run::NotStarted;
pub use runs::{Leash, Outcome, Run, RunId, Runs};
pub use timebox::Timebox;
