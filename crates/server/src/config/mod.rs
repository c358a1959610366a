//! What the server was told to do: flags, environment and config file, resolved once into [`Options`].
//!
//! No other room reads a flag, a variable or the config file.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that was decided at start.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) transport: Transport,
    pub(crate) workspace: PathBuf,
    pub(crate) families: Vec<crate::tools::Family>,
    pub(crate) caps: Vec<crate::tools::Cap>,
    pub(crate) spelling: crate::tools::Spelling,
    pub(crate) structured_results: bool,
    /// The runners that `run_test` may start, by name; empty means all.
    pub(crate) runners: Vec<String>,
    pub(crate) kill_grace: Duration,
    pub(crate) log_level: tracing::Level,
    /// What was odd about the settings but no reason to refuse them, for the log.
    pub(crate) warnings: Vec<String>,
}

/// What holds when nothing was said: stdio, the current folder, everything small.
impl Default for Options {
    fn default() -> Self {
        use crate::tools::{Family, Spelling};
        Self {
            transport: Transport::Stdio,
            workspace: PathBuf::from("."),
            families: vec![Family::App, Family::Browser, Family::Test],
            caps: Vec::new(),
            spelling: Spelling::Snake,
            structured_results: false,
            runners: Vec::new(),
            kill_grace: Duration::from_secs(1),
            log_level: tracing::Level::INFO,
            warnings: Vec::new(),
        }
    }
}

/// How clients reach the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http { host: IpAddr, port: u16 },
}
