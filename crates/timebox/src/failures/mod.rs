//! What failed, read off a runner's output: test, file, line and message.
//!
//! Each runner's way of telling a failure has its reader in a file of its own; all are fed line by line, with clean
//! lines (no escape sequences, no carriage returns), and keep no more than a bounded number of bounded failures,
//! however long the output. Recorded output of real runs is in `tests/recorded`, what was found in it in `tests/snapshots`.
//!
//! Left to others: getting the lines, cleaning them (`extract`), and knowing whether the run failed at all. A reader
//! believes the output; whether it matters is the exit code's business.

mod collect;
pub(crate) mod dart;
pub(crate) mod dotnet;
mod generic;
pub(crate) mod go;
pub(crate) mod gradle;
pub(crate) mod jest;
pub(crate) mod libtest;
pub(crate) mod nextest;
pub(crate) mod node;
pub(crate) mod phpunit;
pub(crate) mod playwright;
pub(crate) mod pytest;
pub(crate) mod rspec;
mod rustc;
mod stack;
pub(crate) mod surefire;
pub(crate) mod vitest;
mod whereabouts;

use std::path::Path;

use serde::Serialize;

/// One thing that failed: a test, or whatever kept tests from running.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Failure {
    /// The test's full name; missing when it is no test that failed (a file that does not compile).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The file, relative to the workspace if it lies there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What went wrong, cut to a budget.
    pub message: String,
}

impl Failure {
    /// The test and its place, in one line.
    pub fn title(&self) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => Some(format!("{file}:{line}")),
            (Some(file), None) => Some(file.clone()),
            (None, _) => None,
        };
        match (&self.test, place) {
            (Some(test), Some(place)) => format!("{test} ({place})"),
            (Some(only), None) => only.clone(),
            (None, Some(only)) => only,
            (None, None) => "unknown place".to_owned(),
        }
    }
}

/// The failures of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Failures {
    /// The first ones, in the order in which the runner told them.
    pub list: Vec<Failure>,
    /// How many more there were.
    pub left_out: usize,
}

impl Failures {
    /// The same, with the files inside `root` written relative to it, as the agent knows them; also those that the
    /// runner named without their folder.
    #[must_use]
    pub fn relative_to(mut self, root: &Path) -> Self {
        for failure in &mut self.list {
            if let Some(file) = &mut failure.file {
                let path = Path::new(file.as_str());
                let inside = path.strip_prefix(root).or_else(|_| path.strip_prefix(".")).unwrap_or(path);
                *file = inside.to_string_lossy().into_owned();
            }
        }
        whereabouts::complete(&mut self.list, root);
        self
    }
}

/// Reads one runner's output.
pub trait Extractor: Send {
    /// Takes the next line: clean, without its line break.
    fn line(&mut self, line: &str);

    /// The output is over: what failed?
    fn finish(self: Box<Self>) -> Failures;
}

/// Reads a whole output at once.
pub fn find<'a>(mut extractor: Box<dyn Extractor>, lines: impl IntoIterator<Item = &'a str>) -> Failures {
    for line in lines {
        extractor.line(line);
    }
    extractor.finish()
}

/// A runner's own reader, with the generic one beside it for output in which the former recognises nothing: a runner
/// that crashed, a build that broke, a version that writes otherwise.
pub(crate) struct WithFallback<E> {
    own: E,
    generic: generic::Generic,
}

impl<E: Extractor + Default + 'static> WithFallback<E> {
    pub(crate) fn boxed() -> Box<dyn Extractor> {
        Box::new(Self { own: E::default(), generic: generic::Generic::default() })
    }
}

impl<E: Extractor> Extractor for WithFallback<E> {
    fn line(&mut self, line: &str) {
        self.own.line(line);
        self.generic.line(line);
    }

    fn finish(self: Box<Self>) -> Failures {
        let own = Box::new(self.own).finish();
        if own.list.is_empty() { Box::new(self.generic).finish() } else { own }
    }
}
