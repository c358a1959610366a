//! The browsers, started as they are for sessions that are confined.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use backends::browsers::{Places, chromium, firefox, webkit};
use base::Deadline;
use engine::backend::Browser;
use supervise::Supervisor;

const START: Duration = Duration::from_secs(60);

/// Debian's, which is no shell.
const FULL: &str = "/usr/bin/chromium";

/// A browser as it is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The headless shell.
    Chromium,
    /// The full browser, which guesses what its user will want next.
    FullChromium,
    Firefox,
    Webkit,
}

impl Mode {
    pub(crate) const ALL: &[Self] = &[Self::Chromium, Self::FullChromium, Self::Firefox, Self::Webkit];

    /// As silent.toml calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::FullChromium => "full chromium",
            Self::Firefox => "firefox",
            Self::Webkit => "webkit",
        }
    }
}

/// Starts one whose profile is below `folder`, confined or as it comes.
pub(crate) async fn start(mode: Mode, confined: bool, folder: &Path) -> Arc<dyn Browser> {
    let supervisor = Supervisor::with_watchdog(testkit::bins().watchdog());
    let places = Places::of_environment(|name| std::env::var_os(name), None);
    let (profiles, deadline) = (folder.to_owned(), Deadline::after(START));
    match mode {
        Mode::Chromium | Mode::FullChromium => {
            let executable = (mode == Mode::FullChromium).then(|| FULL.into());
            let choice = chromium::Choice { executable, ..chromium::Choice::default() };
            let options = chromium::LaunchOptions {
                executable: chromium::find(&choice, &places).unwrap(),
                headless: true,
                sandbox: chromium::Sandbox::On,
                // There is nobody whose click the attempts could wait for.
                args: vec!["--disable-popup-blocking".into()],
                profiles,
                confined,
            };
            chromium::launch(&supervisor, options, deadline).await.unwrap()
        }
        Mode::Firefox => {
            let options = firefox::LaunchOptions {
                executable: firefox::find(&firefox::Choice::default(), &places).unwrap(),
                headless: true,
                args: Vec::new(),
                profiles,
                // Of its own: the browser that makes it may not go around anything, either.
                templates: Some(folder.join("templates")),
                home: None,
                confined,
                system_access: false,
            };
            firefox::prepare(&supervisor, &options, deadline).await.unwrap();
            firefox::launch(&supervisor, options, deadline).await.unwrap()
        }
        Mode::Webkit => {
            let options = webkit::LaunchOptions {
                executable: webkit::find(&webkit::Choice::default(), &places).unwrap(),
                headless: true,
                args: Vec::new(),
                profiles,
                cache: Some(folder.join("cache")),
                confined,
            };
            webkit::launch(&supervisor, options, deadline).await.unwrap()
        }
    }
}
