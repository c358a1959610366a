//! Opening, closing and listing sessions (C1, C2).

use std::collections::BTreeMap;
use std::time::Duration;

use base::Deadline;
use engine::backend::{BrowserKind, Geolocation};
use engine::context::StorageState;
use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::args::Nothing;
use super::files::Files;
use super::visit::open_session;
use super::{PAGE_TOOL, failed, plan};
use crate::session::{Plan, Session};
use crate::tools::app::{self, ServerEnd};
use crate::tools::schema::{input_of, output_of};
use crate::tools::{Call, Failure, Family, Hints, Reply, Services, Tool, invalid};

/// A browser that starts for the first time on a busy machine.
const OPENING: Duration = Duration::from_secs(60);
const CLOSING: Duration = Duration::from_secs(5);
/// The same with a dev server: the contract's 15 s for a shutdown, and the ladder.
const CLOSING_WITH_APP: Duration = Duration::from_secs(22);

pub(crate) static CREATE_SESSION: Tool = Tool {
    name: "create_session",
    description: "Opens an isolated browser session and answers its sessionId; not needed when one is enough. Also \
                  takes headless, timezone, userAgent, extraHeaders {name: value}, permissions [], \
                  geolocation {latitude, longitude}, ignoreHttpsErrors.",
    input: input_of::<CreateSession>,
    output: Some(output_of::<Opened>),
    aliases: &[("timezoneId", "timezone"), ("extraHTTPHeaders", "extraHeaders")],
    unlisted: &[
        "timeout",
        "headless",
        "timezone",
        "userAgent",
        "extraHeaders",
        "permissions",
        "geolocation",
        "ignoreHttpsErrors",
    ],
    limit: |_, _| OPENING,
    handler: |call| Box::pin(create_session(call)),
    ..PAGE_TOOL
};

pub(crate) static CLOSE_SESSION: Tool = Tool {
    name: "close_session",
    playwright: Some("browser_close"),
    description: "Closes a session, its tabs and its dev server; calls that run in it end.",
    input: input_of::<CloseSession>,
    output: Some(output_of::<Closed>),
    hints: Hints { destructive: true, ..Hints::ACTS },
    limit: |_, _| CLOSING_WITH_APP + Duration::from_secs(1),
    handler: |call| Box::pin(close_session(call)),
    ..PAGE_TOOL
};

pub(crate) static LIST_SESSIONS: Tool = Tool {
    name: "list_sessions",
    also_in: &[Family::App],
    description: "Lists the open sessions.",
    input: input_of::<Nothing>,
    output: Some(output_of::<Listed>),
    hints: Hints::READS,
    unlisted: &["timeout", "sessionId"],
    limit: |_, _| Duration::from_secs(5),
    handler: |call| Box::pin(list_sessions(call)),
    ..PAGE_TOOL
};

/// Arguments of `create_session`. The descriptions are what the agent reads.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::tools) struct CreateSession {
    name: Option<String>,
    browser: Option<Engine>,
    headless: Option<bool>,
    viewport: Option<Size>,
    locale: Option<String>,
    timezone: Option<String>,
    color_scheme: Option<Scheme>,
    user_agent: Option<String>,
    /// A file in the workspace, or the object itself.
    storage_state: Option<Value>,
    extra_headers: Option<BTreeMap<String, String>>,
    permissions: Option<Vec<String>>,
    geolocation: Option<Position>,
    ignore_https_errors: Option<bool>,
    #[serde(rename = "timeout")]
    _timeout: Option<u64>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Engine {
    Chromium,
    Firefox,
    Webkit,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
struct Size {
    #[schemars(range(min = 1, max = 10000))]
    width: u32,
    #[schemars(range(min = 1, max = 10000))]
    height: u32,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Scheme {
    Light,
    Dark,
    NoPreference,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
struct Position {
    #[schemars(range(min = -90, max = 90))]
    latitude: f64,
    #[schemars(range(min = -180, max = 180))]
    longitude: f64,
    accuracy: Option<f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::tools) struct CloseSession {
    #[serde(rename = "sessionId")]
    _session_id: Option<String>,
    #[serde(rename = "timeout")]
    _timeout: Option<u64>,
}

/// The answer of `create_session`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::tools) struct Opened {
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Its product and version.
    browser: String,
    headless: bool,
    /// Unless it is called before; each call pushes it out.
    expires_at: String,
}

/// The answer of `close_session`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::tools) struct Closed {
    session_id: Option<String>,
    closed: bool,
    /// What became of its dev server.
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<ServerEnd>,
}

/// The answer of `list_sessions`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Listed {
    sessions: Vec<Row>,
    max_sessions: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Row {
    #[serde(flatten)]
    session: Opened,
    opened_at: String,
    idle_ms: u64,
    /// Of the tab in front.
    url: String,
    tabs: usize,
    /// Where its dev server answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
}

async fn create_session(call: Call) -> Result<Reply, Failure> {
    call.arrival.placed();
    let args: CreateSession = call.args.parse()?;
    let plan = planned(args, &call.services).await?;
    let session =
        call.services.sessions.open(plan, &call.subject, &call.scope).await.map_err(failed::refused)?;
    Ok(Reply::json(&opened(&session))?)
}

pub(in crate::tools) async fn planned(args: CreateSession, services: &Services) -> Result<Plan, Failure> {
    let mut plan = plan::usual(services);
    plan.name = args.name;
    plan.storage = match args.storage_state {
        Some(state) => Some(storage(state, &Files::of(services)).await?),
        None => None,
    };
    plan.wanted.kind = args.browser.map_or(plan.wanted.kind, Engine::kind);
    plan.wanted.headless = args.headless.unwrap_or(plan.wanted.headless);
    let options = &mut plan.options;
    if let Some(Size { width, height }) = args.viewport {
        options.viewport = Some(plan::viewport(width, height));
    }
    options.locale = args.locale;
    options.timezone = args.timezone;
    options.color_scheme = args.color_scheme.map(|scheme| scheme.word().to_owned());
    options.user_agent = args.user_agent.or(options.user_agent.take());
    options.extra_headers = args.extra_headers.unwrap_or_default().into_iter().collect();
    options.permissions = args.permissions.unwrap_or_default();
    options.geolocation = args.geolocation.map(|position| Geolocation {
        latitude: position.latitude,
        longitude: position.longitude,
        accuracy: position.accuracy.unwrap_or(10.0),
    });
    options.ignore_https_errors = args.ignore_https_errors.unwrap_or(options.ignore_https_errors);
    Ok(plan)
}

/// A storage state, given itself or by its file.
async fn storage(state: Value, files: &Files) -> Result<StorageState, Failure> {
    let expected = "a storage state ({cookies, origins}), or the path of one in the workspace";
    let state = match state {
        Value::String(path) => {
            let located = files.located("storageState", &path)?;
            let unreadable = |why: String| {
                invalid("storageState", &format!("{expected}: {why}"), Some(&Value::from(path.as_str())))
            };
            let text = tokio::fs::read_to_string(located.absolute()).await;
            let text = text.map_err(|error| unreadable(error.to_string()))?;
            serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?
        }
        other => other,
    };
    serde_json::from_value(state.clone())
        .map_err(|error| invalid("storageState", &format!("{expected}: {error}"), Some(&state)))
}

pub(in crate::tools) async fn close_session(call: Call) -> Result<Reply, Failure> {
    call.arrival.placed();
    let sessions = &call.services.sessions;
    let Some(session) = open_session(&call)? else {
        return Ok(Reply::json(&Closed { session_id: None, closed: true, server: None })?);
    };
    let limit = if session.app().is_some() { CLOSING_WITH_APP } else { CLOSING };
    sessions.close(&session, Deadline::after(limit)).await;
    let id = session.id().to_string();
    let server = session.app_end().map(app::ended).transpose();
    let server = server.map_err(|failure| failure.in_session(id.as_str()))?;
    Ok(Reply::json(&Closed { session_id: Some(id), closed: true, server })?)
}

async fn list_sessions(call: Call) -> Result<Reply, Failure> {
    let sessions = call.services.sessions.open_ones(&call.subject);
    let rows = sessions.iter().map(|session| row(session)).collect();
    Ok(Reply::json(&Listed { sessions: rows, max_sessions: call.services.options.browser.most_sessions })?)
}

pub(in crate::tools) fn opened(session: &Session) -> Opened {
    let identity = session.identity();
    let left = SignedDuration::try_from(session.remaining()).unwrap_or_default();
    let expires = jiff::Timestamp::now().checked_add(left).unwrap_or(jiff::Timestamp::MAX);
    Opened {
        session_id: session.id().to_string(),
        name: session.name().map(str::to_owned),
        browser: identity.product.clone(),
        headless: !identity.headed,
        expires_at: format!("{expires:.3}"),
    }
}

fn row(session: &Session) -> Row {
    let context = session.context();
    Row {
        session: opened(session),
        opened_at: format!("{:.3}", session.opened()),
        idle_ms: u64::try_from(session.idle_for().as_millis()).unwrap_or(u64::MAX),
        url: context.current().map(|page| page.url()).unwrap_or_default(),
        tabs: context.pages().len(),
        server: session.app().map(|app| app.running().url),
    }
}

impl Engine {
    fn kind(self) -> BrowserKind {
        match self {
            Self::Chromium => BrowserKind::Chromium,
            Self::Firefox => BrowserKind::Firefox,
            Self::Webkit => BrowserKind::Webkit,
        }
    }
}

impl Scheme {
    fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::NoPreference => "no-preference",
        }
    }
}
