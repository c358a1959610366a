//! The fixed templates: which command a runner and a scope become (B2.1–B2.5, BP1, BP2).
//!
//! A caller chooses a runner and a scope; program, options and environment are ours. What the caller writes, the
//! target, ends up in exactly one argument that no runner can take for an option. Each runner is one value in one file,
//! gathered in [`RUNNERS`]; docs/runners.md is made from that slice.
//!
//! Left to others: whether a path lies in the workspace (`base`), starting the command and ending it (the executor).

mod cargo;
mod command;
mod dart;
mod dotnet;
mod flutter;
mod go;
mod gradle;
mod jest;
mod jvm;
mod maven;
mod nextest;
mod node;
mod phpunit;
mod playwright;
mod program;
mod pytest;
mod rspec;
mod rust;
mod target;
mod vitest;

pub use command::{CommandLine, CommandRefused, Runner, Scope};
pub use program::{Found, NotInstalled};

/// Every runner there is, in the order in which they are shown.
pub const RUNNERS: &[&Runner] = &[
    &flutter::FLUTTER,
    &dart::DART,
    &cargo::CARGO,
    &nextest::NEXTEST,
    &pytest::PYTEST,
    &go::GO,
    &vitest::VITEST,
    &jest::JEST,
    &playwright::PLAYWRIGHT,
    &node::NODE,
    &maven::MAVEN,
    &gradle::GRADLE,
    &dotnet::DOTNET,
    &rspec::RSPEC,
    &phpunit::PHPUNIT,
];

/// A runner was asked for that has no template (B2.2, B7.1).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no runner {asked:?}; use one of {}", names())]
pub struct UnknownRunner {
    /// What was asked for.
    pub asked: String,
}

/// Finds a runner by its exact name.
///
/// # Errors
/// [`UnknownRunner`] names those that exist.
pub fn find(name: &str) -> Result<&'static Runner, UnknownRunner> {
    let found = RUNNERS.iter().find(|runner| runner.name == name);
    found.copied().ok_or_else(|| UnknownRunner { asked: base::clip::head(name, 60).into_owned() })
}

fn names() -> String {
    let names: Vec<&str> = RUNNERS.iter().map(|runner| runner.name).collect();
    names.join(", ")
}
