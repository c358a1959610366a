//! How a session is (A3.6): its dev server by `--status`, its browser, its time, its errors.

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{APP_TOOL, failed, session, witness};
use crate::session::{App, Pulse, Session};
use crate::tools::browser::Nothing;
use crate::tools::schema::{input_of, output_of};
use crate::tools::{Call, Failure, Hints, Reply, Tool};

pub(crate) static GET_SESSION_STATUS: Tool = Tool {
    name: "get_session_status",
    description: "How the dev server (--status), the browser and the session are, with its recent errors.",
    input: input_of::<Nothing>,
    output: Some(output_of::<Status>),
    hints: Hints::READS,
    limit: |args, _| args.millis("timeout").unwrap_or(witness::STATUS),
    handler: |call| Box::pin(get_session_status(call)),
    ..APP_TOOL
};

/// The answer of `get_session_status`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Status {
    session_id: String,
    /// running, stopped, unhealthy; unknown when the command does not say; none without a dev server.
    status: String,
    /// What the command said besides: url, port, pid, uptime, healthy, logs, message.
    #[serde(flatten)]
    server: Map<String, Value>,
    browser: Browser,
    opened_at: String,
    /// Before this call.
    idle_ms: u64,
    /// Unless it is called before.
    expires_at: String,
    recent: Vec<Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Browser {
    product: String,
    headless: bool,
    tabs: Vec<Tab>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Tab {
    url: String,
    title: String,
    current: bool,
}

async fn get_session_status(call: Call) -> Result<Reply, Failure> {
    let session = session(&call)?;
    let idle = session.idle_for();
    let _awake = session.awake();
    let asked = async {
        match session.app() {
            Some(app) => server(app, &call).await,
            None => ("none".to_owned(), Map::new()),
        }
    };
    let ((status, server), tabs) = tokio::join!(asked, tabs(&session, &call));
    let identity = session.identity();
    let left = SignedDuration::try_from(session.remaining()).unwrap_or_default();
    let expires = jiff::Timestamp::now().checked_add(left).unwrap_or(jiff::Timestamp::MAX);
    Ok(Reply::json(&Status {
        session_id: session.id().to_string(),
        status,
        server,
        browser: Browser { product: identity.product.clone(), headless: !identity.headed, tabs },
        opened_at: format!("{:.3}", session.opened()),
        idle_ms: u64::try_from(idle.as_millis()).unwrap_or(u64::MAX),
        expires_at: format!("{expires:.3}"),
        recent: session.recent().iter().filter_map(|past| serde_json::to_value(past).ok()).collect(),
    })?)
}

async fn server(app: &App, call: &Call) -> (String, Map<String, Value>) {
    let known = app.running();
    let mut told = Map::new();
    told.insert("url".to_owned(), known.url.into());
    told.insert("port".to_owned(), known.port.into());
    told.extend(known.pid.map(|pid| ("pid".to_owned(), pid.into())));
    told.insert("logs".to_owned(), failed::paths(&known.logs));
    told.insert("endsWithSession".to_owned(), app.is_ours().into());
    let status = match app.status(&call.scope).await {
        Ok(status) => {
            if let Value::Object(said) = witness::told(&status) {
                told.extend(said.into_iter().filter(|(name, _)| name != "status"));
            }
            status.state.name()
        }
        Err(error) => {
            told.insert(
                "statusError".to_owned(),
                json!({"type": error.kind(), "message": error.to_string()}),
            );
            "unknown"
        }
    };
    let dead = matches!(app.pulse(), Pulse::Dead { .. });
    if dead && let Some((line, words)) = witness::death(app).await {
        told.insert("died".to_owned(), json!({"message": line, "lastLines": words}));
    }
    (if dead && status == "unknown" { "stopped" } else { status }.to_owned(), told)
}

async fn tabs(session: &Session, call: &Call) -> Vec<Tab> {
    let context = session.context();
    let current = context.current().map(|page| page.id().clone());
    let pages = context.pages();
    let scope = call.scope.within(std::time::Duration::from_secs(1));
    let titles = futures_util::future::join_all(pages.iter().map(|page| page.title(&scope))).await;
    let each = pages.iter().zip(titles).map(|(page, title)| Tab {
        url: page.url(),
        title: base::clip::head(&title, 100).into_owned(),
        current: current.as_ref() == Some(page.id()),
    });
    each.collect()
}
