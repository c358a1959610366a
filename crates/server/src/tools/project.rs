//! The project that the agent works on: its workspace, and what belongs to it.
//!
//! Clients start servers in odd folders (`/`, the home, System32), and a client never restarts a server that died at
//! start. So a folder that nobody named is a guess: it is opened at the first call, after the client had its chance to
//! name a better one, and a guess that can't be a project is told in that call's answer.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base::{Deadline, Workspace, WorkspaceRefused};
use futures_util::future::BoxFuture;
use supervise::Supervisor;
use timebox::{Run, Runs, Timebox};

use super::{ErrorCode, Failure, test};
use crate::config::Options;
use crate::ending::{Close, Closed};

pub(crate) const WORKSPACE_REFUSED: ErrorCode = ErrorCode::new(
    "workspace_refused",
    "the folder that the server runs in can't be the project's; the message says how to name the right one",
);

/// An open project.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) workspace: Workspace,
    /// The test runs in it.
    pub(crate) runs: Runs,
}

/// The one project of a server, opened once.
#[derive(Debug)]
pub(crate) struct ProjectSlot {
    options: Arc<Options>,
    home: Option<PathBuf>,
    path: Option<OsString>,
    supervisor: Supervisor,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    project: Option<Arc<Project>>,
    roots: Option<Vec<PathBuf>>,
}

impl ProjectSlot {
    pub(super) fn new(
        options: Arc<Options>,
        home: Option<&Path>,
        path: Option<OsString>,
        supervisor: Supervisor,
    ) -> Self {
        Self { options, home: home.map(Path::to_owned), path, supervisor, state: Mutex::default() }
    }

    /// Whether the client should be asked for its folders: nobody named one, and it was not asked yet.
    pub(crate) fn wants_roots(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.options.workspace_is_a_guess && state.project.is_none() && state.roots.is_none()
    }

    /// What the client named, in its order. The first that can be a project is taken, if none is open yet.
    pub(crate) fn offer_roots(&self, roots: Vec<PathBuf>) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).roots = Some(roots);
    }

    /// The project; opened by the first who asks.
    ///
    /// # Errors
    /// [`WorkspaceRefused`] when its folder can't be one.
    pub(crate) fn open(&self) -> Result<Arc<Project>, WorkspaceRefused> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(project) = &state.project {
            return Ok(project.clone());
        }
        let home = self.home.as_deref();
        let offered = state.roots.iter().flatten().find_map(|root| Workspace::open(root, home).ok());
        let workspace = match offered {
            Some(workspace) => workspace,
            None => Workspace::open(&self.options.workspace, home)?,
        };
        tracing::info!(component = "server", event = "workspace_opened", path = %workspace.root().display());
        let ladder = test::ladder(&self.options);
        let timebox = Timebox::new(self.supervisor.clone(), workspace.clone(), ladder, self.path.clone())
            .hiding(self.options.app.secrets.clone());
        Ok(state.project.insert(Arc::new(Project { workspace, runs: Runs::new(timebox) })).clone())
    }

    fn opened(&self) -> Option<Arc<Project>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).project.clone()
    }
}

impl From<WorkspaceRefused> for Failure {
    fn from(refused: WorkspaceRefused) -> Self {
        Self::new(WORKSPACE_REFUSED, refused.to_string()).suggest(
            "start the server with `--workspace` and the project's folder, or with that as its folder",
        )
    }
}

impl Close for ProjectSlot {
    fn name(&self) -> &'static str {
        "test runs"
    }

    fn close(&self, deadline: Deadline) -> BoxFuture<'_, Closed> {
        Box::pin(async move {
            let Some(project) = self.opened() else { return Closed::default() };
            let open: Vec<_> = project.runs.all().filter(|run| !run.is_over()).collect();
            project.runs.close(deadline).await;
            let (over, running): (Vec<_>, Vec<_>) = open.into_iter().partition(|run| run.is_over());
            let named = |runs: Vec<Arc<Run>>| runs.iter().map(|run| format!("run {}", run.id())).collect();
            Closed { stopped: named(over), resisted: named(running) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(workspace: &Path, guess: bool) -> ProjectSlot {
        let options =
            Options { workspace: workspace.to_owned(), workspace_is_a_guess: guess, ..Options::default() };
        ProjectSlot::new(Arc::new(options), None, None, Supervisor::with_watchdog("none"))
    }

    #[test]
    fn a_guess_gives_way_to_the_clients_first_folder_that_can_be_a_project() {
        let (cwd, root) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let slot = slot(cwd.path(), true);
        assert!(slot.wants_roots());
        slot.offer_roots(vec!["/".into(), "/no/such".into(), root.path().to_owned()]);
        assert!(!slot.wants_roots(), "the client is asked once");
        let real = root.path().canonicalize().unwrap();
        assert_eq!(slot.open().unwrap().workspace.root(), real);
        slot.offer_roots(vec![cwd.path().to_owned()]);
        assert_eq!(slot.open().unwrap().workspace.root(), real, "an open project stays");
    }

    #[test]
    fn a_folder_that_was_named_is_taken_and_nobody_is_asked() {
        let cwd = tempfile::tempdir().unwrap();
        let slot = slot(cwd.path(), false);
        assert!(!slot.wants_roots());
        assert_eq!(slot.open().unwrap().workspace.root(), cwd.path().canonicalize().unwrap());
    }

    #[test]
    fn a_guess_that_cannot_be_a_project_is_refused_until_the_client_names_one() {
        let root = tempfile::tempdir().unwrap();
        let slot = slot(Path::new("/"), true);
        assert!(matches!(slot.open(), Err(WorkspaceRefused::TooBroad { .. })));
        slot.offer_roots(vec![root.path().to_owned()]);
        assert!(slot.open().is_ok());
    }
}
