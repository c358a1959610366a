//! What every handler may use besides its arguments. Small on purpose: a handler's needs are visible here.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use base::{Deadline, Workspace, WorkspaceRefused};
use futures_util::future::BoxFuture;
use supervise::Supervisor;
use timebox::{Run, Runs, Timebox};

use super::test;
use crate::config::Options;
use crate::ending::{Close, Closed};

/// The server's shared parts, one of each for its whole life. Clones are the same parts.
#[derive(Debug, Clone)]
pub(crate) struct Services {
    pub(crate) options: Arc<Options>,
    pub(crate) workspace: Workspace,
    /// The test runs of this server.
    pub(crate) runs: Arc<Runs>,
}

/// Why the server's parts can't be put together.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServicesRefused {
    #[error(transparent)]
    Workspace(#[from] WorkspaceRefused),
    #[error("this program can't find itself: {0}")]
    Supervisor(#[source] std::io::Error),
}

impl Services {
    /// Opens the workspace that the options name.
    ///
    /// # Errors
    /// [`ServicesRefused`] when it can't be the agent's project: no folder, the root, or the user's `home`.
    pub(crate) fn open(
        options: Options,
        home: Option<&Path>,
        path: Option<OsString>,
    ) -> Result<Self, ServicesRefused> {
        let workspace = Workspace::open(&options.workspace, home)?;
        let supervisor = Supervisor::of_this_program().map_err(ServicesRefused::Supervisor)?;
        let timebox = Timebox::new(supervisor, workspace.clone(), test::ladder(&options), path);
        Ok(Self { options: Arc::new(options), workspace, runs: Arc::new(Runs::new(timebox)) })
    }
}

impl Close for Runs {
    fn name(&self) -> &'static str {
        "test runs"
    }

    fn close(&self, deadline: Deadline) -> BoxFuture<'_, Closed> {
        Box::pin(async move {
            let open: Vec<_> = self.all().filter(|run| !run.is_over()).collect();
            Runs::close(self, deadline).await;
            let (over, running): (Vec<_>, Vec<_>) = open.into_iter().partition(|run| run.is_over());
            let named = |runs: Vec<Arc<Run>>| runs.iter().map(|run| format!("run {}", run.id())).collect();
            Closed { stopped: named(over), resisted: named(running) }
        })
    }
}
