//! What every handler may use besides its arguments. Small on purpose: a handler's needs are visible here.

use std::path::Path;
use std::sync::Arc;

use base::{Workspace, WorkspaceRefused};

use crate::config::Options;

/// The server's shared parts, one of each for its whole life. Clones are the same parts.
#[derive(Debug, Clone)]
pub(crate) struct Services {
    pub(crate) options: Arc<Options>,
    pub(crate) workspace: Workspace,
}

impl Services {
    /// Opens the workspace that the options name.
    ///
    /// # Errors
    /// [`WorkspaceRefused`] when it can't be the agent's project: no folder, the root, or the user's `home`.
    pub(crate) fn open(options: Options, home: Option<&Path>) -> Result<Self, WorkspaceRefused> {
        let workspace = Workspace::open(&options.workspace, home)?;
        Ok(Self { options: Arc::new(options), workspace })
    }
}
