//! Starting a Firefox of our own, with a profile that goes with it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::Deadline;
use engine::backend;
use supervise::{SpawnError, Spec, Supervisor};
use wire::bidi::CallError;
use wire::transport::endpoint::{ConnectError, Endpoint, HeaderMap};
use wire::transport::websocket;

use super::prepare::prepare_later;
use super::template::Template;
use super::{Executable, confined, home, prefs};
use crate::bidi::browser::{Browser, Manner, OpenFailed};
use crate::browsers::process::{Kept, last_words};
use crate::browsers::{Process as _, profile};

/// What it writes to its standard error when its socket is open.
const LISTENING: &str = "WebDriver BiDi listening on ";

/// The version that everything here is tried with.
const TRIED: &str = "Firefox 153";

/// What to start and how.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The program.
    pub executable: Executable,
    /// Without a window.
    pub headless: bool,
    /// Flags of the user's, which come last.
    pub args: Vec<OsString>,
    /// The folder below which the profile is made; made itself if it is missing, for nobody else's eyes.
    pub profiles: PathBuf,
    /// The folder in which a profile is kept that new ones are copied from; made when there is none for this program. Without
    /// it every profile is a new one.
    pub templates: Option<PathBuf>,
    /// The user's home, whose fonts pages may use. The browser has one of its own.
    pub home: Option<PathBuf>,
    /// Nothing goes around the proxies of its contexts; who has none reaches nobody.
    pub confined: bool,
    /// We may run scripts in the browser itself, for what its protocol can't do otherwise.
    pub system_access: bool,
}

/// Why a browser was not started. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum LaunchFailed {
    /// There is no place for its profile.
    #[error("the profile in {} could not be made: {source}", folder.display())]
    Profile {
        /// Where.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
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
    /// It started and refused what every Firefox can do.
    #[error("the browser does not answer like a Firefox: {reason}{}", last_words(stderr))]
    Refused {
        /// What it said.
        reason: String,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// It started, and does not know a part of the protocol that everything is built on.
    #[error(
        "Firefox {version} can't be used: {reason}. It is probably too old; {TRIED} is known to work: update it, or \
         name another one with --executable-path"
    )]
    Unfit {
        /// Which it is.
        version: String,
        /// What it refused.
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

/// Why a browser that runs can't be used.
enum Useless {
    Ended(backend::Gone),
    Connect(ConnectError),
    Open(OpenFailed),
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
    let template = options
        .templates
        .as_deref()
        .map(|folder| Template::of(folder, &options.executable, options.confined));
    let used = template.as_ref().filter(|template| template.is_there());
    let started = start(supervisor, &options, used, deadline).await;
    match (started, used, &template) {
        // What it died of may lie in the template.
        (Err(LaunchFailed::Ended { .. }), Some(used), _) => {
            used.discard();
            start(supervisor, &options, None, deadline).await
        }
        (Ok(browser), None, Some(_)) => {
            prepare_later(supervisor, &options);
            Ok(browser)
        }
        (started, _, _) => started,
    }
}

/// Starts a browser with a profile of its own, a copy of `template` if there is one.
async fn start(
    supervisor: &Supervisor,
    options: &LaunchOptions,
    template: Option<&Template>,
    deadline: Deadline,
) -> Result<Arc<dyn backend::Browser>, LaunchFailed> {
    let made = |source| LaunchFailed::Profile { folder: options.profiles.clone(), source };
    let profile = profile::make(&options.profiles).map_err(made)?;
    if let Some(template) = template {
        copy(template, profile.path()).await;
    }
    home::make(profile.path(), options.home.as_deref()).map_err(made)?;
    std::fs::write(profile.path().join("user.js"), prefs::user_js(options.confined)).map_err(made)?;
    let spec = spec(options, profile.path()).remove_afterwards(profile.path());
    // Until the tree is there the profile is ours: a start that fails or is given up takes it along.
    let (tree, output) = supervisor.spawn(&spec).await?;
    // From here on the tree's last will sees to its removal, which our own death does not prevent.
    let profile = profile.keep();
    let process = Arc::new(Kept::keep(tree, output));
    Ok(Arc::new(opened(&process, options, &profile, deadline).await?))
}

/// Copies a template into a profile. Whatever is missing there, Firefox makes anew.
async fn copy(template: &Template, profile: &Path) {
    let (template, profile) = (template.clone(), profile.to_owned());
    match tokio::task::spawn_blocking(move || template.fill(&profile)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(component = "browsers", event = "template_not_copied", %error),
        Err(error) => tracing::warn!(component = "browsers", event = "template_not_copied", %error),
    }
}

/// The browser of a process that was just started; one that can't be used is ended.
pub(super) async fn opened(
    process: &Arc<Kept>,
    options: &LaunchOptions,
    profile: &Path,
    deadline: Deadline,
) -> Result<Browser, LaunchFailed> {
    match deadline.race(open(process, options, profile)).await {
        Ok(Ok(browser)) => Ok(browser),
        Ok(Err(useless)) => Err(ended(process, useless, deadline).await),
        Err(_) => {
            let stderr = process.last_lines();
            process.stop(deadline).await;
            Err(LaunchFailed::TimedOut { stderr })
        }
    }
}

async fn open(process: &Arc<Kept>, options: &LaunchOptions, profile: &Path) -> Result<Browser, Useless> {
    let address = |line: &str| Some(line.split_once(LISTENING)?.1.trim().to_owned());
    let address = process.said(address).await.map_err(Useless::Ended)?;
    let endpoint =
        Endpoint::parse(&format!("{address}/session"), HeaderMap::new()).map_err(Useless::Connect)?;
    let halves = websocket::connect(&endpoint).await.map_err(Useless::Connect)?;
    let manner = Manner {
        headed: !options.headless,
        system_access: options.system_access,
        folder: profile.join("downloads"),
    };
    Browser::open(halves, process.clone(), manner).await.map_err(Useless::Open)
}

async fn ended(process: &Kept, useless: Useless, deadline: Deadline) -> LaunchFailed {
    let reason = match useless {
        Useless::Ended(gone) => return LaunchFailed::Ended { why: gone.why, stderr: gone.stderr },
        Useless::Open(OpenFailed { error: CallError::Closed { .. }, .. }) => {
            process.abandoned();
            let gone = process.gone().await;
            return LaunchFailed::Ended { why: gone.why, stderr: gone.stderr };
        }
        Useless::Connect(error) => error.to_string(),
        Useless::Open(OpenFailed { version: Some(version), error }) => {
            process.stop(deadline).await;
            return LaunchFailed::Unfit { version, reason: error.to_string(), stderr: process.last_lines() };
        }
        Useless::Open(OpenFailed { error, .. }) => error.to_string(),
    };
    process.stop(deadline).await;
    LaunchFailed::Refused { reason, stderr: process.last_lines() }
}

/// How it is started with the profile in `folder`.
pub(super) fn spec(options: &LaunchOptions, folder: &Path) -> Spec {
    let scratch = profile::temporary(folder);
    let mut args: Vec<OsString> = Vec::new();
    if options.headless {
        args.push("--headless".into());
    }
    // A template may be of a newer version that was there before; it is asked about otherwise.
    let usual = ["--remote-debugging-port=0", "--no-remote", "--allow-downgrade", "--profile"];
    args.extend(usual.map(OsString::from));
    args.push(folder.into());
    if options.system_access {
        args.push("--remote-allow-system-access".into());
    }
    args.extend(options.args.iter().cloned());
    let spec = Spec::new(&options.executable.path, folder)
        .args(args)
        .env("TMPDIR", &scratch)
        .env("MOZ_DATA_REPORTING", "0");
    let spec = home::settle(spec, folder, &options.executable.path);
    let spec = if options.confined { confined::surround(spec) } else { spec };
    // A window needs the user's own sockets for its display and its sound.
    if options.headless { spec.env("XDG_RUNTIME_DIR", &scratch) } else { spec }
}
