//! The browsers of this machine, or one that runs elsewhere.

use std::path::PathBuf;
use std::sync::Arc;

use backends::browsers::Places;
use backends::browsers::chromium::{self, Choice, Executable, HeaderMap};
use base::Deadline;
use engine::backend::BrowserKind;
use futures_util::future::BoxFuture;
use supervise::Supervisor;

use super::browsers::Launched;
use super::{LaunchRefused, Launcher, Wanted};
use crate::config::Options;
use crate::tools::Word;

/// Starts the browsers that are installed here.
#[derive(Debug)]
pub(crate) struct SystemLauncher {
    options: Arc<Options>,
    #[cfg_attr(windows, expect(dead_code, reason = "browsers can't be started there yet"))]
    supervisor: Supervisor,
    places: Places,
}

impl SystemLauncher {
    /// Looks for browsers where the environment says.
    pub(crate) fn new(options: Arc<Options>, supervisor: Supervisor, home: Option<PathBuf>) -> Self {
        let places = Places::of_environment(|name| std::env::var_os(name), home);
        Self { options, supervisor, places }
    }
}

impl Launcher for SystemLauncher {
    fn launch(&self, wanted: Wanted, deadline: Deadline) -> BoxFuture<'_, Launched> {
        Box::pin(async move {
            if wanted.kind != BrowserKind::Chromium {
                return Err(LaunchRefused::Unsupported { wanted: wanted.kind.word() });
            }
            match &self.options.browser.cdp_endpoint {
                Some(endpoint) => Ok(chromium::attach(endpoint, HeaderMap::new(), deadline).await?),
                None => self.start(wanted, deadline).await,
            }
        })
    }
}

impl SystemLauncher {
    async fn start(&self, wanted: Wanted, deadline: Deadline) -> Launched {
        let browser = &self.options.browser;
        let choice = Choice {
            executable: browser.executable.clone(),
            channel: browser.channel,
            headed: !wanted.headless,
        };
        self.run(chromium::find(&choice, &self.places)?, wanted, deadline).await
    }

    #[cfg(unix)]
    async fn run(&self, executable: Executable, wanted: Wanted, deadline: Deadline) -> Launched {
        use chromium::{LaunchOptions, Sandbox};

        let browser = &self.options.browser;
        let options = LaunchOptions {
            executable,
            headless: wanted.headless,
            sandbox: if browser.no_sandbox { Sandbox::Off } else { Sandbox::On },
            args: browser.arguments.iter().map(Into::into).collect(),
            profiles: std::env::temp_dir(),
            proxy: None,
        };
        Ok(chromium::launch(&self.supervisor, options, deadline).await?)
    }

    #[cfg(windows)]
    async fn run(&self, _: Executable, _: Wanted, _: Deadline) -> Launched {
        let reason = "browsers can't be started on Windows yet; use --cdp-endpoint".to_owned();
        Err(LaunchRefused::Failed { reason, stderr: Vec::new() })
    }
}

#[cfg(unix)]
impl From<chromium::LaunchFailed> for LaunchRefused {
    fn from(failed: chromium::LaunchFailed) -> Self {
        use chromium::LaunchFailed::{Ended, Pipe, Profile, Refused, Spawn, TimedOut};
        let reason = failed.to_string();
        let stderr = match failed {
            Ended { stderr, .. } | Refused { stderr, .. } | TimedOut { stderr } => stderr,
            Pipe(_) | Profile { .. } | Spawn(_) => Vec::new(),
        };
        Self::Failed { reason, stderr }
    }
}

impl From<chromium::AttachFailed> for LaunchRefused {
    fn from(failed: chromium::AttachFailed) -> Self {
        Self::Failed { reason: failed.to_string(), stderr: Vec::new() }
    }
}

impl From<chromium::NotFound> for LaunchRefused {
    fn from(missing: chromium::NotFound) -> Self {
        let looked = missing.looked.iter().map(|path| path.display().to_string()).collect();
        Self::NotFound { wanted: missing.wanted, looked, remedy: missing.remedy }
    }
}
