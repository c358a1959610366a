//! What was decided at start about dev servers and secrets.

use std::path::PathBuf;

use base::Secrets;
use devserver::adapter::Readiness;

use super::given::{Given, Value};
use super::refusal::ConfigError;
use super::settings::app as settings;

/// How dev servers are started, and what is never shown.
#[derive(Debug, Clone, Default)]
pub(crate) struct AppOptions {
    pub(crate) server: DevServer,
    pub(crate) secrets: Secrets,
}

/// Which dev server a session starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum DevServer {
    /// The one that the call names.
    #[default]
    Any,
    /// This server command and no other.
    Command { program: PathBuf, args: Vec<String> },
    /// This plain one, by the adapter, and no other.
    Plain { line: String, ready: Readiness },
}

impl AppOptions {
    /// Reads the secrets, too: a server that can't hide them must not start.
    pub(super) fn resolve(given: &Given) -> Result<Self, ConfigError> {
        Ok(Self { server: server(given)?, secrets: secrets(given)? })
    }
}

fn server(given: &Given) -> Result<DevServer, ConfigError> {
    let alone = |setting, needs: &str| match given.get(setting) {
        Some(value) => Err(value.refuse(needs)),
        None => Ok(()),
    };
    let ready = match (given.text(&settings::READY_URL)?, given.text(&settings::READY_LOG)?) {
        (None, None) => Readiness::Port,
        (Some(url), None) => Readiness::Url(url),
        (None, Some(pattern)) => {
            if let (Err(_), Some(value)) = (regex::Regex::new(&pattern), given.get(&settings::READY_LOG)) {
                return Err(value.refuse("a regular expression"));
            }
            Readiness::Log(pattern)
        }
        (Some(_), Some(_)) => {
            alone(&settings::READY_LOG, "given alone, or else --ready-url")?;
            Readiness::Port
        }
    };
    match (given.path(&settings::SERVER_COMMAND)?, given.text(&settings::DEV)?) {
        (Some(_), Some(_)) => {
            alone(&settings::DEV, "given alone, or else --server-command")?;
            Ok(DevServer::Any)
        }
        (None, Some(line)) => {
            alone(&settings::SERVER_ARGS, "given with --server-command; --dev has its arguments in it")?;
            Ok(DevServer::Plain { line, ready })
        }
        (command, None) => {
            alone(&settings::READY_URL, "given with --dev; a server command knows itself when it is ready")?;
            alone(&settings::READY_LOG, "given with --dev; a server command knows itself when it is ready")?;
            let args = given.get(&settings::SERVER_ARGS).map(Value::arguments).unwrap_or_default();
            match command {
                Some(program) => Ok(DevServer::Command { program, args }),
                None => {
                    alone(&settings::SERVER_ARGS, "given with --server-command")?;
                    Ok(DevServer::Any)
                }
            }
        }
    }
}

fn secrets(given: &Given) -> Result<Secrets, ConfigError> {
    let Some(path) = given.path(&settings::SECRETS)? else { return Ok(Secrets::default()) };
    let refused = |why: String| match given.get(&settings::SECRETS) {
        Some(value) => value.refuse(&format!("a readable dotenv file ({why})")),
        None => ConfigError::Usage(why),
    };
    let text = std::fs::read_to_string(&path).map_err(|error| refused(error.to_string()))?;
    Secrets::parse(&text).map_err(|bad| refused(bad.to_string()))
}
