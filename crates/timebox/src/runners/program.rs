//! Where a runner's program is found.
//!
//! A project's own program comes first, because it is the version that the project is tested with. Nothing here ever
//! downloads one (`npx` would), and nothing outside the repository is taken for the project's own.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use base::Workspace;

/// One place where a runner's program may be.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) place: Place,
    /// Arguments that lead to the runner when the program is not the runner itself: `bundle exec rspec`.
    pub(super) leading: &'static [&'static str],
    /// Whether this place counts in this workspace.
    pub(super) counts: fn(&Workspace) -> bool,
}

pub(super) enum Place {
    /// A path relative to the workspace, or to a folder above it inside the same repository.
    Project,
    /// A name on `PATH`.
    Path,
}

/// A program that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its full path.
    pub program: PathBuf,
    /// Arguments that come before the runner's own.
    pub leading: &'static [&'static str],
}

/// The runner's program is neither in the project nor on `PATH`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{runner} needs `{program}`, which was found neither in the project nor on PATH; {install}")]
pub struct NotInstalled {
    /// The runner's name.
    pub runner: &'static str,
    /// The program that was looked for last.
    pub program: &'static str,
    /// What to do about it.
    pub install: &'static str,
}

impl Program {
    pub(super) const fn in_project(name: &'static str) -> Self {
        Self { name, place: Place::Project, leading: &[], counts: |_| true }
    }

    pub(super) const fn on_path(name: &'static str) -> Self {
        Self { name, place: Place::Path, leading: &[], counts: |_| true }
    }

    fn locate(&self, workspace: &Workspace, path: Option<&OsStr>) -> Option<PathBuf> {
        match self.place {
            Place::Path => which::which_in(self.name, path, workspace.root()).ok(),
            // `which` adds .exe, .cmd and .bat where the system does, and looks for the permission to execute.
            Place::Project => project_folders(workspace)
                .find_map(|folder| which::which_in(folder.join(self.name), path, folder).ok()),
        }
    }
}

pub(super) fn find(programs: &[Program], workspace: &Workspace, path: Option<&OsStr>) -> Option<Found> {
    let counting = programs.iter().filter(|program| (program.counts)(workspace));
    counting
        .map(|program| (program.leading, program.locate(workspace, path)))
        .find_map(|(leading, found)| found.map(|program| Found { program, leading }))
}

/// The workspace and the folders above it up to the repository's top: in a monorepo, `node_modules` or `gradlew` may
/// lie above the package. Outside a repository only the workspace counts, lest a stranger's `/tmp/node_modules` does.
fn project_folders(workspace: &Workspace) -> impl Iterator<Item = &Path> {
    let top = workspace.root().ancestors().position(|folder| folder.join(".git").exists()).unwrap_or(0);
    workspace.root().ancestors().take(top + 1)
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let here = if matches!(self.place, Place::Project) { "./" } else { "" };
        write!(f, "{here}{}", self.name)?;
        self.leading.iter().try_for_each(|word| write!(f, " {word}"))
    }
}
