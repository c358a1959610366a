//! Which server command a call means: the one of the settings, or the one that it names.

use std::path::{Path, PathBuf};

use devserver::ServerCommand;
use devserver::adapter::{self, DevRefused};
use serde_json::Value;

use super::failed;
use crate::config::DevServer;
use crate::tools::arguments::INVALID_INPUT;
use crate::tools::{Failure, Services, invalid};

/// The command, looked at and ready to be run in the project's folder.
pub(super) fn chosen(
    named: Option<&str>,
    args: Vec<String>,
    services: &Services,
) -> Result<ServerCommand, Failure> {
    let project = services.project()?;
    let folder = project.workspace.root();
    match &services.options.app.server {
        DevServer::Any => match named {
            Some(path) => check(Path::new(path), args, folder),
            None => Err(invalid("commandPath", "the absolute path of the server command", None).suggest(
                "pass commandPath; or have the server started with --server-command, or with --dev and the command \
                 that starts the dev server, such as \"npm run dev\"",
            )),
        },
        DevServer::Command { program, args: usual } => {
            if let Some(path) = named.filter(|path| !is_same(Path::new(path), program)) {
                let expected =
                    format!("left out: the server was started with {}, and runs no other", program.display());
                return Err(invalid("commandPath", &expected, Some(&Value::from(path))));
            }
            check(program, usual.iter().cloned().chain(args).collect(), folder)
        }
        DevServer::Plain { line, ready } => {
            let fixed = |field: &str, value: Value| {
                let expected = format!("left out: the server was started with --dev {line:?}, and runs no other");
                invalid(field, &expected, Some(&value))
            };
            match (named, args.is_empty()) {
                (Some(path), _) => Err(fixed("commandPath", path.into())),
                (None, false) => Err(fixed("args", args.into())),
                (None, true) => {
                    adapter::command_for(line, ready, folder, this_program()?).map_err(refused)
                }
            }
        }
    }
}

fn check(path: &Path, args: Vec<String>, folder: &Path) -> Result<ServerCommand, Failure> {
    ServerCommand::check(path, args, folder).map_err(|error| failed::command(&error))
}

fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

fn this_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| {
        Failure::new(crate::tools::run::INTERNAL_ERROR, format!("this program can't find itself: {error}"))
    })
}

fn refused(why: DevRefused) -> Failure {
    match why {
        DevRefused::Command(error) => failed::command(&error),
        why => Failure::new(INVALID_INPUT, why.to_string())
            .fact("field", "--dev")
            .suggest("have the server started with another --dev"),
    }
}
