//! Starting a session with its dev server (A3.1, A3.2).

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{APP_TOOL, command, failed};
use crate::session::Session;
use crate::tools::browser::{CreateSession, Opened, opened, planned};
use crate::tools::schema::{input_of, output_of};
use crate::tools::{Call, Failure, Hints, Reply, Tool};

/// The contract's 30 s for a start, and a browser that starts for the first time on a busy machine.
const STARTING: Duration = Duration::from_secs(60);

pub(crate) static START_SESSION: Tool = Tool {
    name: "start_session",
    description: "Starts the project's dev server and a browser session on it. Relative URLs in navigate then mean this \
                  server. Takes create_session's options, too.",
    input: input_of::<StartSession>,
    output: Some(output_of::<Running>),
    hints: Hints { open_world: true, ..Hints::ACTS },
    aliases: &[("timezoneId", "timezone"), ("extraHTTPHeaders", "extraHeaders")],
    unlisted: &[
        "timeout",
        "name",
        "browser",
        "headless",
        "viewport",
        "locale",
        "timezone",
        "colorScheme",
        "userAgent",
        "storageState",
        "extraHeaders",
        "permissions",
        "geolocation",
        "ignoreHttpsErrors",
    ],
    limit: |args, _| args.millis("timeout").unwrap_or(STARTING),
    handler: |call| Box::pin(start_session(call)),
    ..APP_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StartSession {
    /// Absolute path of the server command; not needed where the server has one.
    command_path: Option<String>,
    args: Option<Vec<String>>,
    #[serde(flatten)]
    create: CreateSession,
}

/// The answer of `start_session`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Running {
    #[serde(flatten)]
    session: Opened,
    url: String,
    port: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    /// Paths by name: stdout, stderr, combined.
    logs: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// It ran before; it is then left running at the end.
    already_running: bool,
    /// What was odd about the command's answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

async fn start_session(call: Call) -> Result<Reply, Failure> {
    call.arrival.placed();
    let args: StartSession = call.args.parse()?;
    let services = &call.services;
    let command = command::chosen(args.command_path.as_deref(), args.args.unwrap_or_default(), services)?;
    let plan = planned(args.create, services).await?;
    let started =
        services.sessions.start(plan, &call.subject, command, &services.supervisor, &call.scope).await;
    let session = started.map_err(failed::start)?;
    Ok(Reply::json(&running(&session)?)?)
}

fn running(session: &Session) -> Result<Running, Failure> {
    let app = super::app(session)?;
    let running = app.running();
    let mut notes = running.notes;
    if running.already {
        notes.push("the server ran before this session, so end_session leaves it running".to_owned());
    }
    Ok(Running {
        session: opened(session),
        url: running.url,
        port: running.port,
        pid: running.pid,
        logs: failed::paths(&running.logs),
        started_at: running.started_at,
        message: running.message,
        already_running: running.already,
        notes,
    })
}
