//! Ending a session with its dev server (A3.4): the browser's part is closed, `--shutdown` is run, and the server is gone.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::codes::SHUTDOWN_FAILED;
use super::{APP_TOOL, failed};
use crate::session::{AppEnd, Ending};
use crate::tools::browser::{self, CloseSession, Closed};
use crate::tools::schema::{input_of, output_of};
use crate::tools::{Failure, Hints, Tool};

/// The contract's 15 s for a shutdown, and the ladder.
const ENDING: Duration = Duration::from_secs(25);

pub(crate) static END_SESSION: Tool = Tool {
    name: "end_session",
    description: "Ends a session: closes its tabs and shuts its dev server down.",
    input: input_of::<CloseSession>,
    output: Some(output_of::<Closed>),
    hints: Hints { destructive: true, ..Hints::ACTS },
    limit: |_, _| ENDING,
    handler: |call| Box::pin(browser::close_session(call)),
    ..APP_TOOL
};

/// How a dev server ended.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::tools) struct ServerEnd {
    /// stopped, force_stopped or left_running.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    message: String,
    /// Why --shutdown did not do it.
    #[serde(skip_serializing_if = "Option::is_none")]
    shutdown_error: Option<String>,
    /// What else of it lived.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also_ended: Vec<Value>,
}

/// The end as an agent is told of it.
///
/// # Errors
/// `shutdown_failed` when something lives on against our will.
pub(in crate::tools) fn ended(end: &AppEnd) -> Result<ServerEnd, Failure> {
    let processes = |all: &[supervise::Process]| -> Vec<Value> {
        all.iter().map(|one| json!({"pid": one.pid, "command": one.command})).collect()
    };
    let said = end.message.clone();
    let message = match end.how {
        Ending::Stopped => said.unwrap_or_else(|| "the dev server is stopped".to_owned()),
        Ending::Forced => "--shutdown did not end the dev server, so it was ended by force".to_owned(),
        Ending::Left => {
            format!("the dev server at {} ran before this session, and was left running", end.url)
        }
        Ending::Survived => {
            let failure = Failure::new(SHUTDOWN_FAILED, "the session is closed, but its dev server lives on");
            let failure = end.failed.iter().fold(failure, |failure, error| {
                failure.detail("shutdownError", error.to_string()).detail("kind", error.kind())
            });
            let failure = end.pid.into_iter().fold(failure, |failure, pid| failure.fact("pid", pid));
            return Err(failure
                .detail("survivors", processes(&end.survivors))
                .suggest("end these processes by hand; what runs as another user or in a container can't be ended here"));
        }
    };
    Ok(ServerEnd {
        status: end.how.word(),
        pid: end.pid,
        message,
        shutdown_error: end.failed.as_ref().map(|error| failed::command(error).message().to_owned()),
        also_ended: processes(&end.swept),
    })
}
