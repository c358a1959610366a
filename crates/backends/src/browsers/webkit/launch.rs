//! Starting WebKit: a process for each context, on a display of its own.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{self, BackendError, Gone};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use supervise::{SpawnError, Spec, Supervisor};
use tempfile::TempDir;

use super::display::Display;
use super::home::{DOWNLOADS, LEFT, LOCALES, furnish, is_time_zone, system_name};
use super::process::Process;
use super::running::Running;
use super::{Executable, confined, plugins, port};
use crate::browsers::process::{Kept, gone};
use crate::browsers::profile;
use crate::webkit::Started;
use crate::webkit::browser::{Browser, Launcher, Wish};

/// What to start and how.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The program.
    pub executable: Executable,
    /// On a display of ours that nobody sees.
    pub headless: bool,
    /// Flags of the user's, which come last and win.
    pub args: Vec<OsString>,
    /// The folder below which each process gets one of its own; made itself if it is missing, for nobody else's eyes.
    pub profiles: PathBuf,
    /// Where the next start finds what is the same for all of them; made if it is missing, for nobody else's eyes.
    pub cache: Option<PathBuf>,
    /// Nothing goes around the proxies of its contexts; who has none reaches nobody.
    pub confined: bool,
}

/// Why a browser was not started. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum LaunchFailed {
    /// There is no place for its files.
    #[error("the browser's folder in {} could not be made: {source}", folder.display())]
    Profile {
        /// Where.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is no program that makes a display.
    #[error(
        "there is no Xvfb, which WebKit draws on when nobody looks; install it (Debian: apt-get install xvfb), or run with a window"
    )]
    NoDisplay,
    /// The display did not start.
    #[error("the display (Xvfb) did not start{}", last_words(stderr))]
    Display {
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// The program was not started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// It started and refused what every WebKit can do.
    #[error("the browser can't be used: {reason}{}", last_words(stderr))]
    Refused {
        /// What it said, or lacks.
        reason: String,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// It started and said nothing in time, or ended.
    #[error("the browser did not answer{}", last_words(stderr))]
    Silent {
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// There is no such time zone.
    #[error("there is no time zone {0:?}")]
    TimeZone(String),
    /// It was closed, or the last of its processes has died.
    #[error("the browser is gone: {0}")]
    Gone(String),
}

fn last_words(stderr: &[String]) -> String {
    let last = stderr.iter().rev().find(|line| !line.trim().is_empty());
    last.map(|line| format!("; it last wrote {line:?}")).unwrap_or_default()
}

/// How long a process may take to answer.
const START: Duration = Duration::from_secs(30);
/// A port that somebody else took in between is given up for another so often.
const PORTS: usize = 5;

/// Starts a browser and waits until it answers.
///
/// # Errors
/// [`LaunchFailed`]; nothing of the browser is left then, neither a process nor its files.
pub async fn launch(
    supervisor: &Supervisor,
    options: LaunchOptions,
    deadline: Deadline,
) -> Result<Arc<dyn backend::Browser>, LaunchFailed> {
    let (headed, is_confined) = (!options.headless, options.confined);
    let plugins = plugin_list(options.cache.as_deref());
    let starter =
        Arc::new(Starter { supervisor: supervisor.clone(), options, plugins, running: Arc::default() });
    match starter.process(&Wish::default(), deadline).await {
        Ok(first) => {
            let browser = Browser::new(starter, first, headed, (!headed).then_some(LEFT));
            if is_confined {
                browser.end_first().await;
            }
            Ok(Arc::new(browser))
        }
        Err(error) => {
            starter.running.close().await;
            Err(error)
        }
    }
}

/// A folder that only we can look into. It is ours until somebody is started who takes it along.
fn folder(profiles: &Path) -> Result<TempDir, LaunchFailed> {
    profile::make(profiles).map_err(|source| LaunchFailed::Profile { folder: profiles.to_owned(), source })
}

/// Where the processes have their list of what plays media, if it can be kept; or else each makes its own.
fn plugin_list(cache: Option<&Path>) -> Option<PathBuf> {
    cache.map(plugins::list_in).transpose().unwrap_or_else(|error| {
        tracing::warn!(component = "browsers", event = "plugin_list_not_kept", %error);
        None
    })
}

/// Starts processes.
#[derive(Debug)]
struct Starter {
    supervisor: Supervisor,
    options: LaunchOptions,
    plugins: Option<PathBuf>,
    running: Arc<Running>,
}

impl Starter {
    async fn process(&self, wish: &Wish, deadline: Deadline) -> Result<Started, LaunchFailed> {
        if let Some(zone) = &wish.timezone
            && !is_time_zone(zone)
        {
            return Err(LaunchFailed::TimeZone(zone.clone()));
        }
        let mut stderr = Vec::new();
        for _ in 0..PORTS {
            let _beginning = self.running.begin().map_err(|gone| LaunchFailed::Gone(gone.why))?;
            match self.attempt(wish, deadline).await {
                Err(LaunchFailed::Silent { stderr: said }) if !deadline.has_passed() => stderr = said,
                started => return started,
            }
        }
        Err(LaunchFailed::Silent { stderr })
    }

    async fn attempt(&self, wish: &Wish, deadline: Deadline) -> Result<Started, LaunchFailed> {
        let failed = |source| LaunchFailed::Profile { folder: self.options.profiles.clone(), source };
        let display = self.display(deadline).await?;
        let home = folder(&self.options.profiles)?;
        let port = port::free().map_err(failed)?;
        furnish(home.path(), wish.locale.as_deref(), display.is_some()).map_err(failed)?;
        let spec = self.spec(home.path(), port, display.as_ref(), wish);
        let (tree, output) = self.supervisor.spawn(&spec).await?;
        let home = home.keep();
        let pid = tree.pid();
        let process = Arc::new(Process::keep(Kept::keep(tree, output), display));
        if let Err(gone) = self.running.add(&process) {
            process.end_now().await;
            return Err(LaunchFailed::Gone(gone.why));
        }
        let connecting = async {
            tokio::select! {
                stream = port::connect(port, pid, deadline) => stream,
                _ = gone(process.ending()) => None,
            }
        };
        let Some(stream) = connecting.await else {
            let stderr = process.last_lines();
            process.end_now().await;
            return Err(LaunchFailed::Silent { stderr });
        };
        let started = Started::connect(stream, wish.insecure, process.clone(), home.join(DOWNLOADS));
        match deadline.race(started).await {
            Ok(Ok(started)) => Ok(started),
            Ok(Err(unusable)) => {
                let stderr = process.last_lines();
                process.end_now().await;
                Err(LaunchFailed::Refused { reason: unusable.to_string(), stderr })
            }
            Err(_) => {
                let stderr = process.last_lines();
                process.end_now().await;
                Err(LaunchFailed::Silent { stderr })
            }
        }
    }

    /// A display of ours, unless somebody is to see the windows.
    async fn display(&self, deadline: Deadline) -> Result<Option<Display>, LaunchFailed> {
        if !self.options.headless {
            return Ok(None);
        }
        let program = self.options.executable.display.as_ref().ok_or(LaunchFailed::NoDisplay)?;
        let folder = folder(&self.options.profiles)?;
        Display::start(&self.supervisor, program, folder, deadline).await.map(Some)
    }

    fn spec(&self, home: &Path, port: u16, display: Option<&Display>, wish: &Wish) -> Spec {
        let mut args: Vec<OsString> = vec![
            "--automation".into(),
            // Popups are the page's decision, and told.
            "--javascript-can-open-windows-automatically=true".into(),
            "--enable-page-cache=false".into(),
        ];
        if let Some(zone) = &wish.timezone {
            args.push(format!("--time-zone={zone}").into());
        }
        let confining = confined::args(wish.proxy.as_ref(), self.options.confined);
        args.extend(confining.into_iter().map(OsString::from));
        args.extend(self.options.args.iter().cloned());
        let scratch = profile::temporary(home);
        let mut spec = Spec::new(&self.options.executable.path, home)
            .args(args)
            .env("WEBKIT_INSPECTOR_SERVER", format!("127.0.0.1:{port}"))
            // No buffers of a graphics card that is not there.
            .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_DATA_HOME", home.join("data"))
            .env("TMPDIR", &scratch)
            // Nothing of the desktop's is asked or started.
            .env("NO_AT_BRIDGE", "1")
            .env("GSETTINGS_BACKEND", "memory")
            .env("GIO_USE_VFS", "local")
            .env("GDK_BACKEND", "x11")
            .env_remove("LC_ALL")
            .env_remove("LANGUAGE")
            .remove_afterwards(home);
        let language = wish.locale.as_deref().map_or_else(|| "C.UTF-8".to_owned(), system_name);
        spec = spec.env("LANG", language);
        if wish.locale.is_some() {
            spec = spec.env("LOCPATH", home.join(LOCALES));
        }
        if let Some(scale) = wish.scale {
            spec = spec.env("GDK_SCALE", scale.to_string());
        }
        if let Some(plugins) = &self.plugins {
            spec = spec.env("GST_REGISTRY", plugins);
        }
        if let Some(display) = display {
            spec = spec
                .env("DISPLAY", &display.name)
                .env("XAUTHORITY", &display.authority)
                .env("XDG_RUNTIME_DIR", &scratch)
                // What nobody sees is drawn by the browser itself, and handed to the display once.
                .env("GDK_RENDERING", "image")
                .env_remove("WAYLAND_DISPLAY");
        }
        spec
    }
}

impl Launcher for Starter {
    fn start(&self, wish: Wish) -> BoxFuture<'_, Result<Started, BackendError>> {
        async move {
            self.process(&wish, Deadline::after(START)).await.map_err(|error| match error {
                LaunchFailed::Gone(why) => BackendError::BrowserGone(why),
                error => BackendError::Refused {
                    request: "to start a process for the context".to_owned(),
                    reason: error.to_string(),
                },
            })
        }
        .boxed()
    }

    fn gone(&self) -> BoxFuture<'_, Gone> {
        gone(self.running.ending()).boxed()
    }

    fn end(&self, deadline: Deadline) -> BoxFuture<'_, ()> {
        async move {
            let _ = deadline.race(self.running.close()).await;
        }
        .boxed()
    }
}
