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
}

/// How clients reach the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http { host: IpAddr, port: u16 },
}
