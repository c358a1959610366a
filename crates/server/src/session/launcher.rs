//! The browsers of this machine, or one that runs elsewhere.

#[cfg(unix)]
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use backends::browsers::chromium::{self, HeaderMap};
#[cfg(unix)]
use backends::browsers::firefox;
#[cfg(target_os = "linux")]
use backends::browsers::webkit;
use backends::browsers::{Instead, NotFound, Places, about};
use base::Deadline;
use engine::backend::{Ability, BrowserKind};
use futures_util::future::BoxFuture;
use supervise::Supervisor;

use super::browsers::Launched;
use super::{LaunchRefused, Launcher, Wanted};
use crate::config::Options;

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
            let browser = &self.options.browser;
            match &browser.cdp_endpoint {
                Some(endpoint) if wanted.kind == BrowserKind::Chromium => {
                    Ok(chromium::attach(endpoint, HeaderMap::new(), deadline).await?)
                }
                // Each would fail in words of its own, or show itself to nobody.
                _ if !wanted.headless && !browser.display => Err(LaunchRefused::NoDisplay),
                _ => self.start(wanted, deadline).await,
            }
        })
    }

    fn instead_of(&self, ability: Ability, kind: BrowserKind) -> Option<Instead> {
        let privileged = self.options.browser.firefox_system_access;
        let about = about(kind);
        (!about.able(privileged).has(ability)).then(|| about.instead_of(ability))
    }
}

impl SystemLauncher {
    async fn start(&self, wanted: Wanted, deadline: Deadline) -> Launched {
        match wanted.kind {
            BrowserKind::Chromium => self.chromium(wanted, deadline).await,
            BrowserKind::Firefox => self.firefox(wanted, deadline).await,
            BrowserKind::Webkit => self.webkit(wanted, deadline).await,
        }
    }

    /// The program that was named, if it is this browser's.
    fn named(&self, kind: BrowserKind) -> Option<PathBuf> {
        let browser = &self.options.browser;
        browser.executable.clone().filter(|_| browser.kind == kind)
    }

    /// The arguments that were given, if they are this browser's.
    #[cfg(unix)]
    fn arguments(&self, kind: BrowserKind) -> Vec<OsString> {
        let browser = &self.options.browser;
        let given = browser.arguments.iter().filter(|_| browser.kind == kind);
        given.map(Into::into).collect()
    }

    async fn chromium(&self, wanted: Wanted, deadline: Deadline) -> Launched {
        let choice = chromium::Choice {
            executable: self.named(wanted.kind),
            channel: self.options.browser.channel,
            headed: !wanted.headless,
        };
        self.run(chromium::find(&choice, &self.places)?, wanted, deadline).await
    }

    #[cfg(unix)]
    async fn run(&self, executable: chromium::Executable, wanted: Wanted, deadline: Deadline) -> Launched {
        use chromium::{LaunchOptions, Sandbox};

        let options = LaunchOptions {
            executable,
            headless: wanted.headless,
            sandbox: if self.options.browser.no_sandbox { Sandbox::Off } else { Sandbox::On },
            args: self.arguments(wanted.kind),
            profiles: std::env::temp_dir(),
            confined: true,
        };
        Ok(chromium::launch(&self.supervisor, options, deadline).await?)
    }

    #[cfg(unix)]
    async fn firefox(&self, wanted: Wanted, deadline: Deadline) -> Launched {
        let choice = firefox::Choice { executable: self.named(wanted.kind) };
        let options = firefox::LaunchOptions {
            executable: firefox::find(&choice, &self.places)?,
            headless: wanted.headless,
            args: self.arguments(wanted.kind),
            profiles: std::env::temp_dir(),
            templates: self.places.own_cache().map(|cache| cache.join("firefox")),
            home: self.places.home.clone(),
            confined: true,
            system_access: self.options.browser.firefox_system_access,
        };
        Ok(firefox::launch(&self.supervisor, options, deadline).await?)
    }

    #[cfg(target_os = "linux")]
    async fn webkit(&self, wanted: Wanted, deadline: Deadline) -> Launched {
        let choice = webkit::Choice { executable: self.named(wanted.kind), headed: !wanted.headless };
        let options = webkit::LaunchOptions {
            executable: webkit::find(&choice, &self.places)?,
            headless: wanted.headless,
            args: self.arguments(wanted.kind),
            profiles: std::env::temp_dir(),
            cache: self.places.own_cache().map(|cache| cache.join("webkit")),
            confined: true,
        };
        Ok(webkit::launch(&self.supervisor, options, deadline).await?)
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_async, reason = "as where there is one")]
    async fn webkit(&self, _: Wanted, _: Deadline) -> Launched {
        let reason = "WebKit is driven on Linux only, where WebKitGTK is".to_owned();
        Err(LaunchRefused::Failed { reason, stderr: Vec::new() })
    }

    #[cfg(windows)]
    #[expect(clippy::unused_async, reason = "as where they can be")]
    async fn firefox(&self, _: Wanted, _: Deadline) -> Launched {
        let reason = "browsers can't be started on Windows yet".to_owned();
        Err(LaunchRefused::Failed { reason, stderr: Vec::new() })
    }

    #[cfg(windows)]
    async fn run(&self, _: chromium::Executable, _: Wanted, _: Deadline) -> Launched {
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

#[cfg(unix)]
impl From<firefox::LaunchFailed> for LaunchRefused {
    fn from(failed: firefox::LaunchFailed) -> Self {
        use firefox::LaunchFailed::{Ended, Profile, Refused, Spawn, TimedOut, Unfit};
        let reason = failed.to_string();
        let stderr = match failed {
            Ended { stderr, .. } | Refused { stderr, .. } | Unfit { stderr, .. } | TimedOut { stderr } => {
                stderr
            }
            Profile { .. } | Spawn(_) => Vec::new(),
        };
        Self::Failed { reason, stderr }
    }
}

#[cfg(target_os = "linux")]
impl From<webkit::LaunchFailed> for LaunchRefused {
    fn from(failed: webkit::LaunchFailed) -> Self {
        use webkit::LaunchFailed::{Display, Gone, NoDisplay, Profile, Refused, Silent, Spawn, TimeZone};
        let reason = failed.to_string();
        let stderr = match failed {
            Display { stderr } | Refused { stderr, .. } | Silent { stderr } => stderr,
            Gone(_) | NoDisplay | Profile { .. } | Spawn(_) | TimeZone(_) => Vec::new(),
        };
        Self::Failed { reason, stderr }
    }
}

impl From<chromium::AttachFailed> for LaunchRefused {
    fn from(failed: chromium::AttachFailed) -> Self {
        Self::Failed { reason: failed.to_string(), stderr: Vec::new() }
    }
}

impl From<NotFound> for LaunchRefused {
    fn from(missing: NotFound) -> Self {
        let looked = missing.looked.iter().map(|path| path.display().to_string()).collect();
        Self::NotFound { wanted: missing.wanted, looked, remedy: missing.remedy }
    }
}
