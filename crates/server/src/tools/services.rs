//! What every handler may use besides its arguments. Small on purpose: a handler's needs are visible here.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use base::WorkspaceRefused;
use engine::backend::BrowserKind;
use supervise::Supervisor;

use super::project::{Project, ProjectSlot};
use crate::config::Options;
use crate::metrics::Metrics;
use crate::session::{Boundary, Browsers, Limits, Sessions, SystemLauncher};

/// The server's shared parts, one of each for its whole life. Clones are the same parts.
#[derive(Debug, Clone)]
pub(crate) struct Services {
    pub(crate) options: Arc<Options>,
    pub(crate) slot: Arc<ProjectSlot>,
    pub(crate) sessions: Sessions,
    pub(crate) supervisor: Supervisor,
    pub(crate) metrics: Metrics,
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
    /// Puts the parts together. Runners are looked for on `path`.
    ///
    /// # Errors
    /// [`ServicesRefused`] when the workspace was named and can't be the agent's project: no folder, the root, or
    /// the user's `home`.
    pub(crate) fn new(
        options: Options,
        home: Option<&Path>,
        path: Option<OsString>,
    ) -> Result<Self, ServicesRefused> {
        let supervisor = Supervisor::of_this_program().map_err(ServicesRefused::Supervisor)?;
        let options = Arc::new(options);
        let launcher = SystemLauncher::new(options.clone(), supervisor.clone(), home.map(Path::to_owned));
        let metrics = Metrics::default();
        let browsers = Browsers::new(Arc::new(launcher), metrics.clone());
        let sessions = Sessions::new(limits(&options), boundary(&options), browsers);
        let slot = Arc::new(ProjectSlot::new(options.clone(), home, path, supervisor.clone()));
        let services = Self { options, slot, sessions, supervisor, metrics };
        if !services.options.workspace_is_a_guess {
            services.project()?;
        }
        Ok(services)
    }

    /// The agent's project.
    ///
    /// # Errors
    /// [`WorkspaceRefused`] when the folder that the server was started in can't be one.
    pub(crate) fn project(&self) -> Result<Arc<Project>, WorkspaceRefused> {
        self.slot.open()
    }
}

fn boundary(options: &Options) -> Boundary {
    // A browser that runs elsewhere can't come back to a port of this machine.
    let elsewhere = options.browser.cdp_endpoint.as_ref().map(|_| BrowserKind::Chromium);
    Boundary::new(options.egress.rules.clone(), options.egress.strict_loopback, elsewhere)
}

fn limits(options: &Options) -> Limits {
    let browser = &options.browser;
    Limits {
        idle: browser.idle_limit,
        idle_with_app: browser.idle_limit_with_app,
        lifetime: browser.lifetime,
        most: browser.most_sessions,
    }
}
