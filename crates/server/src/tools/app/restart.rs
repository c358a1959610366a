//! Restarting the dev server (A3.7), on whatever port it then has.

use std::time::Duration;

use engine::page::{Page, WaitUntil};
use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::{APP_TOOL, app, failed, no_session};
use crate::tools::browser::{self, How, Visit, outer_limit, visit};
use crate::tools::schema::{input_of, output_of};
use crate::tools::{Call, Failure, Hints, Reply, Tool};

/// The contract's 40 s, and a word on how it went.
const RESTARTING: Duration = Duration::from_secs(41);
/// How long a page that is opened again may take.
const REOPENING: Duration = Duration::from_secs(20);

pub(crate) static RESTART_SERVER: Tool = Tool {
    name: "restart_server",
    description: "Restarts the session's dev server. It may have another port then.",
    input: input_of::<RestartServer>,
    output: Some(output_of::<Restarted>),
    limit: |args, _| outer_limit(args, RESTARTING + REOPENING),
    handler: |call| Box::pin(restart_server(call)),
    hints: Hints { destructive: true, ..Hints::ACTS },
    ..APP_TOOL
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RestartServer {
    /// Open its pages again, at the new address.
    reload: Option<bool>,
    #[serde(rename = "sessionId")]
    _session_id: Option<String>,
    #[serde(rename = "timeout")]
    _timeout: Option<u64>,
}

/// The answer of `restart_server`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Restarted {
    session_id: String,
    url: String,
    port: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    previous_port: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_pid: Option<u32>,
    logs: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// What became of the open pages.
    pages: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

async fn restart_server(call: Call) -> Result<Reply, Failure> {
    let args: RestartServer = call.args.parse()?;
    // Refused before it waits in the row, and before a session is opened for it.
    app(&*browser::open_session(&call)?.ok_or_else(no_session)?)?;
    visit(call, How::queued(RESTARTING + REOPENING).on_the_way(), |visit| async move {
        let app = app(&visit.session)?;
        let was_ours = app.is_ours();
        let before = app.restart(&visit.scope).await.map_err(|error| failed::command(&error))?;
        let now = app.running();
        visit.session.border().admit(&now.url);
        let pages = match args.reload.unwrap_or(false) {
            true => reopened(&visit, &before.url, &now.url).await,
            false => stale(&visit, &before.url),
        };
        let adopted = (!was_ours && app.is_ours())
            .then_some("this server ends with the session, as the one before did not");
        let stale = (!pages.is_empty() && !args.reload.unwrap_or(false)).then(|| {
            if before.url == now.url {
                "these pages were loaded from the old server; navigate to see the new one's".to_owned()
            } else {
                format!("these pages point at the old address; navigate to see {}", now.url)
            }
        });
        let notes: Vec<String> = stale.into_iter().chain(adopted.map(str::to_owned)).collect();
        let note = (!notes.is_empty()).then(|| notes.join("; "));
        Ok(Reply::json(&Restarted {
            session_id: visit.session.id().to_string(),
            url: now.url,
            port: now.port,
            pid: now.pid,
            previous_port: now.previous_port.unwrap_or(before.port),
            previous_pid: now.previous_pid.or(before.pid),
            logs: failed::paths(&now.logs),
            message: now.message,
            pages,
            note,
        })?)
    })
    .await
}

/// The pages of the old server.
fn stale(visit: &Visit, old: &str) -> Vec<String> {
    let pages = visit.session.context().pages();
    pages.iter().map(Page::url).filter(|url| moved(url, old, old).is_some()).collect()
}

/// Opens the old server's pages at the new one, all at once.
async fn reopened(visit: &Visit, old: &str, new: &str) -> Vec<String> {
    let pages = visit.session.context().pages();
    let each = pages.iter().filter_map(|page| {
        let url = moved(&page.url(), old, new)?;
        Some(async move {
            let scope = visit.scope.within(REOPENING);
            match page.navigate(url.as_str(), WaitUntil::Load, &scope).await {
                Ok(_) => url.to_string(),
                Err(why) => format!("{url}: {why}"),
            }
        })
    });
    join_all(each).await
}

/// An address of the old server as it is on the new one. `localhost` and 127.0.0.1 are one host here.
fn moved(url: &str, old: &str, new: &str) -> Option<Url> {
    let (mut url, old, new) = (Url::parse(url).ok()?, Url::parse(old).ok()?, Url::parse(new).ok()?);
    let local =
        |url: &Url| url.host_str().is_some_and(|host| ["localhost", "127.0.0.1", "[::1]"].contains(&host));
    let same_host = url.host() == old.host() || local(&url) && local(&old);
    if !same_host || url.port_or_known_default() != old.port_or_known_default() {
        return None;
    }
    url.set_scheme(new.scheme()).ok()?;
    url.set_host(new.host_str()).ok()?;
    url.set_port(new.port()).ok()?;
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_the_old_server_is_found_again_on_the_new_one() {
        let moved =
            |url: &str| moved(url, "http://localhost:3000", "http://localhost:4000/").map(String::from);
        assert_eq!(moved("http://localhost:3000/a?b#c").as_deref(), Some("http://localhost:4000/a?b#c"));
        assert_eq!(moved("http://127.0.0.1:3000/").as_deref(), Some("http://localhost:4000/"));
        for other in ["http://localhost:3001/", "https://example.com/", "about:blank", "data:text/html,x"] {
            assert_eq!(moved(other), None, "{other}");
        }
    }
}
