//! From what was typed to what it means.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use super::command::{self, Asked};
use super::file;
use super::given::{Environment, Given};
use super::options::Mode;
use super::refusal::{ConfigError, Source};
use super::settings::{
    CAPS, CONFIG, HOST, KILL_GRACE, LOG_LEVEL, PORT, RUNNERS, STRUCTURED_RESULTS, TOOL_NAMES, TOOLS,
    TRANSPORT, WORKSPACE,
};
use super::{AppOptions, BrowserOptions, EgressOptions, Options, ServiceOptions, Transport};

/// What the process is to do.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// Serve.
    Run(Box<Options>),
    /// Print this help, and end.
    Help(String),
    /// Print this version, and end.
    Version(String),
}

const DEFAULT_PORT: u16 = 3000;

/// Reads the command line (without the program's name), the environment and the config file.
///
/// `runners` are the names that `--runners` may hold; whoever owns them hands them in.
///
/// # Errors
/// [`ConfigError`] names the setting, where it was set, and what was expected.
pub(crate) fn resolve(
    args: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    cwd: &Path,
    runners: &[&str],
) -> Result<Parsed, ConfigError> {
    let mut given = match command::read(args, cwd)? {
        Asked::Run(given) => given,
        Asked::Help(text) => return Ok(Parsed::Help(text)),
        Asked::Version(text) => return Ok(Parsed::Version(text)),
    };
    given.add_variables(environment, cwd)?;
    if let Some(path) = given.path(&CONFIG)? {
        let asked_by = given.get(&CONFIG).map_or(Source::Flag(CONFIG.name), |value| value.source.clone());
        file::add(&mut given, &path, &asked_by)?;
    }
    let mut options = Options { warnings: environment.strangers(), ..Options::default() };
    options.transport = transport(&given, &mut options.warnings)?;
    options.service =
        ServiceOptions::resolve(&given, &options.transport, host(&given)?, &mut options.warnings)?;
    let named = workspace(&given, environment, cwd)?;
    options.workspace_is_a_guess = named.is_none();
    options.workspace = named.unwrap_or_else(|| cwd.to_owned());
    if let Some(families) = given.words(&TOOLS)? {
        if let (true, Some(value)) = (families.is_empty(), given.get(&TOOLS)) {
            return Err(value.refuse("a list of at least one family"));
        }
        options.families = families;
    }
    options.caps = given.words(&CAPS)?.unwrap_or(options.caps);
    options.spelling = given.word(&TOOL_NAMES)?.unwrap_or(options.spelling);
    options.structured_results = given.switch(&STRUCTURED_RESULTS)?.unwrap_or(options.structured_results);
    options.runners =
        given.names(&RUNNERS, runners)?.unwrap_or_default().into_iter().map(str::to_owned).collect();
    options.kill_grace = given.millis(&KILL_GRACE)?.unwrap_or(options.kill_grace);
    options.app = AppOptions::resolve(&given)?;
    for name in options.app.secrets.too_short() {
        options
            .warnings
            .push(format!("the secret {name} is too short to be hidden; it can be used all the same"));
    }
    options.browser = BrowserOptions::resolve(&given, environment)?;
    options.egress = EgressOptions::resolve(&given, &mut options.warnings)?;
    options.log_level = given.word(&LOG_LEVEL)?.unwrap_or(options.log_level);
    Ok(Parsed::Run(Box::new(options)))
}

/// A port implies HTTP, unless a source at least as strong as the port's asks for stdio.
fn transport(given: &Given, warnings: &mut Vec<String>) -> Result<Transport, ConfigError> {
    let mode: Option<Mode> = given.word(&TRANSPORT)?;
    let port = given.integer(&PORT)?.and_then(|port| u16::try_from(port).ok());
    let host = host(given)?;
    let strength = |setting| given.get(setting).map_or(0, |value| strength(&value.source));
    let implied = port.is_some() && strength(&PORT) > strength(&TRANSPORT);
    let mode = if implied { Mode::Http } else { mode.unwrap_or(Mode::Stdio) };
    match mode {
        Mode::Http => Ok(Transport::Http { host, port: port.unwrap_or(DEFAULT_PORT) }),
        Mode::Stdio => {
            if let Some(value) = given.get(&PORT) {
                warnings.push(format!("{} has no effect: the transport is stdio", value.source));
            }
            Ok(Transport::Stdio)
        }
    }
}

fn strength(source: &Source) -> u8 {
    match source {
        Source::Flag(_) => 3,
        Source::Variable(_) => 2,
        Source::File { .. } => 1,
    }
}

/// Which address; who may be let in from elsewhere is `service`'s business.
fn host(given: &Given) -> Result<IpAddr, ConfigError> {
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let Some(value) = given.get(&HOST) else { return Ok(loopback) };
    let address = given.read(&HOST, |text| match text {
        "localhost" => Some(loopback),
        text => text.parse::<IpAddr>().ok(),
    });
    address
        .map(|address| address.unwrap_or(loopback))
        .map_err(|_| value.refuse("an IP address or `localhost`"))
}

/// The workspace that somebody named. The client's own variable is context, not a setting: it yields to the file, and
/// wins over what the client says later and over the folder that it happened to start us in.
fn workspace(given: &Given, environment: &Environment, cwd: &Path) -> Result<Option<PathBuf>, ConfigError> {
    let context = || environment.get("CLAUDE_PROJECT_DIR").map(|path| cwd.join(path));
    Ok(given.path(&WORKSPACE)?.or_else(context))
}

#[cfg(test)]
mod tests;
