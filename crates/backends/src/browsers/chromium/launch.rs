//! Starting a Chromium of our own, on a pipe, with a profile that goes with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::Deadline;
use engine::backend;
use supervise::{Descriptors, SpawnError, Spec, Supervisor};
use wire::cdp::types::browser::Version;
use wire::cdp::{CallError, Connection};
use wire::transport::pipe;

use super::{Agent, Executable, Launch, Sandbox, flags};
use crate::browsers::process::{Kept, last_words};
use crate::browsers::{Process as _, profile};
use crate::cdp::browser::Browser;

/// What to start and how.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The program.
    pub executable: Executable,
    /// Without a window.
    pub headless: bool,
    /// The confinement of renderers. Chromium refuses to run confined as root, so for root it is off all the same.
    pub sandbox: Sandbox,
    /// Flags of the user's, which come last and win.
    pub args: Vec<OsString>,
    /// The folder below which the profile is made; made itself if it is missing, for nobody else's eyes. A short path:
    /// the browser makes sockets below it, whose names have at most 107 bytes.
    pub profiles: PathBuf,
    /// Nothing goes around the proxies of its contexts, which are on this machine; who has none reaches nobody else.
    pub confined: bool,
}

/// Why a browser was not started. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum LaunchFailed {
    /// There is no place for its profile.
    #[error("the profile's folder {} could not be made: {source}", folder.display())]
    Profile {
        /// Where.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There are no descriptors left.
    #[error("the pipe to the browser could not be made: {0}")]
    Pipe(#[source] std::io::Error),
    /// The program was not started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// It started and ended at once.
    #[error("the browser ended before it answered: {why}{}", last_words(stderr))]
    Ended {
        /// How it ended.
        why: String,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// It started and refused what every Chromium can do.
    #[error("the browser does not answer like a Chromium: {reason}{}", last_words(stderr))]
    Refused {
        /// What it said.
        reason: String,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// It started and said nothing in time.
    #[error("the browser did not answer in time{}", last_words(stderr))]
    TimedOut {
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
}

/// Starts a browser and waits until it answers.
///
/// # Errors
/// [`LaunchFailed`]; nothing of the browser is left then, neither a process nor its profile.
pub async fn launch(
    supervisor: &Supervisor,
    options: LaunchOptions,
    deadline: Deadline,
) -> Result<Arc<dyn backend::Browser>, LaunchFailed> {
    let headed = !options.headless && !options.executable.shell;
    let pair = pipe::pair().map_err(LaunchFailed::Pipe)?;
    let profile = profile::make(&options.profiles)
        .map_err(|source| LaunchFailed::Profile { folder: options.profiles.clone(), source })?;
    let spec = spec(&options, profile.path());
    let descriptors = Descriptors::new().pass(3, pair.browser_reads).pass(4, pair.browser_writes);
    // Until the tree is there the profile is ours: a start that fails or is given up takes it along.
    let (tree, output) = supervisor.spawn_passing(&spec, descriptors).await?;
    // From here on the tree's last will sees to its removal, which our own death does not prevent.
    let _ = profile.keep();
    let process = Arc::new(Kept::keep(tree, output));
    let (connection, events) = Connection::open(pair.inbound, pair.outbound);
    let path = &options.executable.path;
    let agent = |version: &Version| Agent::with_window(&version.user_agent, &version.product, path);
    let opened = deadline.race(Browser::open(connection, events, Some(process.clone()), headed, agent)).await;
    match opened {
        Ok(Ok(browser)) => Ok(Arc::new(browser)),
        Ok(Err(error)) => Err(ended(&process, error, deadline).await),
        Err(_) => {
            let stderr = process.last_lines();
            process.stop(deadline).await;
            Err(LaunchFailed::TimedOut { stderr })
        }
    }
}

async fn ended(process: &Kept, error: CallError, deadline: Deadline) -> LaunchFailed {
    if !matches!(error, CallError::Closed { .. }) {
        process.stop(deadline).await;
        return LaunchFailed::Refused { reason: error.to_string(), stderr: process.last_lines() };
    }
    process.abandoned();
    let gone = process.gone().await;
    LaunchFailed::Ended { why: gone.why, stderr: gone.stderr }
}

fn spec(options: &LaunchOptions, folder: &Path) -> Spec {
    let root = rustix::process::geteuid().is_root();
    let sandbox = if root { Sandbox::Off } else { options.sandbox };
    if root && options.sandbox == Sandbox::On {
        tracing::warn!(
            component = "chromium",
            event = "sandbox_off",
            "renderers are not confined: Chromium refuses to run as root otherwise"
        );
    }
    let launch = Launch {
        profile: folder.to_owned(),
        headless: options.headless,
        sandbox,
        confined: options.confined,
        extra: options.args.clone(),
    };
    let scratch = profile::temporary(folder);
    let spec = Spec::new(&options.executable.path, folder)
        .args(flags(&options.executable, &launch))
        .env("TMPDIR", &scratch)
        // Reports of crashes do not go by the profile.
        .env("CHROME_CONFIG_HOME", &scratch)
        .remove_afterwards(folder);
    // A window needs the user's own sockets for its display and its sound.
    if options.headless { spec.env("XDG_RUNTIME_DIR", &scratch) } else { spec }
}
