//! What holds while the server runs.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use tracing::Level;

use super::{AppOptions, BrowserOptions, EgressOptions, ServiceOptions};
use crate::tools::{Cap, Family, Spelling, Word};

/// Everything that was decided at start.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) transport: Transport,
    pub(crate) workspace: PathBuf,
    /// Nobody named the workspace: it is the folder that the client happened to start us in.
    pub(crate) workspace_is_a_guess: bool,
    pub(crate) families: Vec<Family>,
    pub(crate) caps: Vec<Cap>,
    pub(crate) spelling: Spelling,
    pub(crate) structured_results: bool,
    /// The runners that `run_test` may start, by name; empty means all.
    pub(crate) runners: Vec<String>,
    pub(crate) kill_grace: Duration,
    pub(crate) app: AppOptions,
    pub(crate) browser: BrowserOptions,
    pub(crate) egress: EgressOptions,
    /// Over HTTP only.
    pub(crate) service: ServiceOptions,
    pub(crate) log_level: Level,
    /// What was odd about the settings but no reason to refuse them, for the log.
    pub(crate) warnings: Vec<String>,
}

/// How clients reach the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http { host: IpAddr, port: u16 },
}

/// What holds when nothing was said.
impl Default for Options {
    fn default() -> Self {
        Self {
            transport: Transport::Stdio,
            workspace: PathBuf::from("."),
            workspace_is_a_guess: false,
            families: Family::WORDS.iter().map(|(_, family)| *family).collect(),
            caps: Vec::new(),
            spelling: Spelling::Snake,
            structured_results: false,
            runners: Vec::new(),
            kill_grace: Duration::from_secs(1),
            app: AppOptions::default(),
            browser: BrowserOptions::default(),
            egress: EgressOptions::default(),
            service: ServiceOptions::default(),
            log_level: Level::INFO,
            warnings: Vec::new(),
        }
    }
}

/// The words of `--transport`, before host and port are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Stdio,
    Http,
}

impl Word for Mode {
    const WORDS: &'static [(&'static str, Self)] = &[("stdio", Self::Stdio), ("http", Self::Http)];
}

impl Word for Level {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("error", Self::ERROR),
        ("warn", Self::WARN),
        ("info", Self::INFO),
        ("debug", Self::DEBUG),
        ("trace", Self::TRACE),
    ];
}
