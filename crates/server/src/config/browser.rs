//! What was decided at start about browsers and their sessions.

use std::path::PathBuf;
use std::time::Duration;

use backends::browsers::about;
use backends::browsers::chromium::Channel;
use engine::backend::BrowserKind;
use engine::locator::Language;

use super::given::{Environment, Given, Value};
use super::refusal::ConfigError;
use super::settings::browser as settings;
use crate::session::Wanted;
use crate::tools::Word;

/// How browsers are started, how sessions live, and what their tools answer.
#[derive(Debug, Clone)]
pub(crate) struct BrowserOptions {
    pub(crate) kind: BrowserKind,
    pub(crate) headless: bool,
    /// It is headless only because there is no display and nobody said otherwise.
    pub(crate) no_display: bool,
    /// There is one for windows.
    pub(crate) display: bool,
    /// The program of `kind`; the other browsers are looked for.
    pub(crate) executable: Option<PathBuf>,
    pub(crate) channel: Option<Channel>,
    /// A browser that runs elsewhere, instead of one of ours.
    pub(crate) cdp_endpoint: Option<String>,
    /// Firefox's privileged scope is open to the server.
    pub(crate) firefox_system_access: bool,
    pub(crate) no_sandbox: bool,
    /// Further arguments of the browser's own; only `kind` gets them.
    #[cfg_attr(windows, expect(dead_code, reason = "browsers can't be started there yet"))]
    pub(crate) arguments: Vec<String>,
    pub(crate) isolation: Isolation,
    pub(crate) prelaunch: Prelaunch,
    pub(crate) idle_limit: Duration,
    /// The same for sessions with a dev server.
    pub(crate) idle_limit_with_app: Duration,
    pub(crate) lifetime: Duration,
    pub(crate) most_sessions: usize,
    pub(crate) action_limit: Duration,
    pub(crate) navigation_limit: Duration,
    /// The language of the code lines in results, if there are any.
    pub(crate) codegen: Option<Language>,
    pub(crate) viewport: (u32, u32),
    pub(crate) user_agent: Option<String>,
    pub(crate) ignore_https_errors: bool,
    /// The attribute that holds test ids, if it is not `data-testid`.
    pub(crate) test_id_attribute: Option<String>,
    /// Where the files of results go; a folder of the workspace if nobody said.
    pub(crate) output: Option<PathBuf>,
}

/// What sessions share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Isolation {
    /// One browser process; each session has a context of its own in it.
    Shared,
    /// Nothing: each session has its own process.
    Process,
}

/// When the browser is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prelaunch {
    /// With the client if nobody sees it, with the first session if it has a window.
    Auto,
    Always,
    Never,
}

impl Default for BrowserOptions {
    fn default() -> Self {
        Self {
            kind: BrowserKind::Chromium,
            headless: true,
            no_display: false,
            display: false,
            executable: None,
            channel: None,
            cdp_endpoint: None,
            firefox_system_access: false,
            no_sandbox: false,
            arguments: Vec::new(),
            isolation: Isolation::Shared,
            prelaunch: Prelaunch::Auto,
            idle_limit: Duration::from_secs(300),
            idle_limit_with_app: Duration::from_secs(600),
            lifetime: Duration::from_secs(3600),
            most_sessions: 10,
            action_limit: Duration::from_secs(5),
            navigation_limit: Duration::from_secs(60),
            codegen: Some(Language::TypeScript),
            viewport: (1280, 720),
            user_agent: None,
            ignore_https_errors: false,
            test_id_attribute: None,
            output: None,
        }
    }
}

impl BrowserOptions {
    /// The browser of sessions that ask for no other.
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted { kind: self.kind, headless: self.headless }
    }

    /// Whether the browser is started before a session needs it.
    pub(crate) fn launches_early(&self) -> bool {
        match self.prelaunch {
            // A browser that no session shares can't be started for all of them.
            _ if self.isolation == Isolation::Process => false,
            Prelaunch::Auto => self.headless,
            Prelaunch::Always => true,
            Prelaunch::Never => false,
        }
    }

    pub(super) fn resolve(given: &Given, environment: &Environment) -> Result<Self, ConfigError> {
        let usual = Self::default();
        let asked = given.switch(&settings::HEADLESS)?;
        let display = has_display(environment);
        let idle = given.millis(&settings::SESSION_TIMEOUT)?;
        let kind = given.word(&settings::BROWSER)?.unwrap_or(usual.kind);
        only_chromiums(given, kind)?;
        Ok(Self {
            kind,
            headless: asked.unwrap_or(!display),
            no_display: asked.is_none() && !display,
            display,
            executable: executable(given, kind)?,
            channel: given.word(&settings::CHANNEL)?,
            cdp_endpoint: given.text(&settings::CDP_ENDPOINT)?,
            firefox_system_access: given
                .switch(&settings::FIREFOX_SYSTEM_ACCESS)?
                .unwrap_or(usual.firefox_system_access),
            no_sandbox: given.switch(&settings::NO_SANDBOX)?.unwrap_or(usual.no_sandbox),
            arguments: given.get(&settings::BROWSER_ARGS).map(Value::arguments).unwrap_or_default(),
            isolation: given.word(&settings::ISOLATION)?.unwrap_or(usual.isolation),
            prelaunch: given.word(&settings::PRELAUNCH)?.unwrap_or(usual.prelaunch),
            idle_limit: idle.unwrap_or(usual.idle_limit),
            idle_limit_with_app: idle.unwrap_or(usual.idle_limit_with_app),
            lifetime: given.millis(&settings::SESSION_MAX_LIFETIME)?.unwrap_or(usual.lifetime),
            most_sessions: given
                .integer(&settings::MAX_SESSIONS)?
                .and_then(|most| usize::try_from(most).ok())
                .unwrap_or(usual.most_sessions),
            action_limit: given.millis(&settings::TIMEOUT_ACTION)?.unwrap_or(usual.action_limit),
            navigation_limit: given.millis(&settings::TIMEOUT_NAVIGATION)?.unwrap_or(usual.navigation_limit),
            codegen: given.word(&settings::CODEGEN)?.unwrap_or(usual.codegen),
            viewport: viewport(given)?.unwrap_or(usual.viewport),
            user_agent: given.text(&settings::USER_AGENT)?,
            ignore_https_errors: given
                .switch(&settings::IGNORE_HTTPS_ERRORS)?
                .unwrap_or(usual.ignore_https_errors),
            test_id_attribute: test_id_attribute(given)?,
            output: given.path(&settings::OUTPUT_DIR)?,
        })
    }
}

/// Whether a window could be shown. Only Unix systems other than macOS run without one in good order.
fn has_display(environment: &Environment) -> bool {
    let named = |name| environment.get(name).is_some();
    cfg!(any(windows, target_os = "macos")) || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

/// What only a Chromium can follow is no use beside another browser, and must not be dropped in silence.
fn only_chromiums(given: &Given, kind: BrowserKind) -> Result<(), ConfigError> {
    let chromiums = [&settings::CHANNEL, &settings::CDP_ENDPOINT].into_iter().find_map(|own| given.get(own));
    match (chromiums, given.get(&settings::BROWSER)) {
        (Some(own), Some(browser)) if kind != BrowserKind::Chromium => Err(ConfigError::Clash {
            at: own.source.clone(),
            of: BrowserKind::Chromium.word(),
            other: browser.source.to_string(),
            asked: kind.word(),
        }),
        _ => Ok(()),
    }
}

/// The program that was named, unless it is plainly another browser's.
fn executable(given: &Given, kind: BrowserKind) -> Result<Option<PathBuf>, ConfigError> {
    let Some(program) = given.path(&settings::EXECUTABLE_PATH)? else { return Ok(None) };
    match (about(kind).plainly_another(&program), given.get(&settings::EXECUTABLE_PATH)) {
        (Some(other), Some(named)) => Err(ConfigError::AnotherBrowser {
            at: named.source.clone(),
            program,
            is: other.kind.word(),
            asked: kind.word(),
        }),
        _ => Ok(Some(program)),
    }
}

/// `1280x720`.
fn viewport(given: &Given) -> Result<Option<(u32, u32)>, ConfigError> {
    let Some(value) = given.get(&settings::VIEWPORT_SIZE) else { return Ok(None) };
    let size = given.read(&settings::VIEWPORT_SIZE, |text| {
        let (width, height) = text.split_once(['x', 'X', ','])?;
        let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=10_000).contains(side));
        Some((side(width)?, side(height)?))
    });
    size.map_err(|_| value.refuse("a size such as 1280x720"))
}

/// A name that an attribute can have in HTML.
fn test_id_attribute(given: &Given) -> Result<Option<String>, ConfigError> {
    let Some(value) = given.get(&settings::TEST_ID_ATTRIBUTE) else { return Ok(None) };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let name = given.read(&settings::TEST_ID_ATTRIBUTE, |text| {
        (!text.is_empty() && text.chars().all(is_part)).then(|| text.to_owned())
    });
    name.map_err(|_| value.refuse("the name of an attribute, such as data-qa"))
}

impl Word for BrowserKind {
    const WORDS: &'static [(&'static str, Self)] =
        &[("chromium", Self::Chromium), ("firefox", Self::Firefox), ("webkit", Self::Webkit)];
}

impl Word for Channel {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("chromium", Self::Chromium),
        ("chrome", Self::Chrome),
        ("chrome-beta", Self::ChromeBeta),
        ("chrome-dev", Self::ChromeDev),
        ("msedge", Self::Msedge),
    ];
}

impl Word for Isolation {
    const WORDS: &'static [(&'static str, Self)] = &[("shared", Self::Shared), ("process", Self::Process)];
}

impl Word for Prelaunch {
    const WORDS: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("always", Self::Always), ("never", Self::Never)];
}

impl Word for Option<Language> {
    const WORDS: &'static [(&'static str, Self)] =
        &[("typescript", Some(Language::TypeScript)), ("python", Some(Language::Python)), ("none", None)];
}
