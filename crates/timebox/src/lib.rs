//! `run_test` (seed B): a project's test suite, started from a fixed template, in a timebox, with artifacts.

pub mod extract;
pub mod failures;
pub mod runners;
