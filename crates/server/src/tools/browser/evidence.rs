//! What a failure looked like (A4.9, A5): the screenshot, the console, the failed requests, the dev server's log and, when
//! it was about time, its status; and what failed before it in the same session.
//!
//! Everything is asked for at once and has until the call's last moment; what could not be had by then is said.

use engine::ScreenshotOptions;
use engine::backend::{ConsoleLevel, PictureFormat};
use engine::page::Page;
use serde_json::{Value, json};

use super::aftermath::{console_line, request_line};
use super::codes::*;
use super::policy;
use super::visit::{AFTERMATH, Visit};
use crate::session::{App, Past, Session};
use crate::tools::app::codes as app_codes;
use crate::tools::app::witness::{self, Unheard};
use crate::tools::arguments::INVALID_INPUT;
use crate::tools::run::{CANCELLED, TIMEOUT};
use crate::tools::{ErrorCode, Failure, now};

/// What a picture helps to understand. The others say it all, or have no page that could be pictured.
const PICTURED: &[ErrorCode] = &[
    NAVIGATION_FAILED,
    ELEMENT_NOT_FOUND,
    ELEMENT_NOT_UNIQUE,
    ELEMENT_NOT_CLICKABLE,
    ELEMENT_NOT_EDITABLE,
    ELEMENT_NOT_VISIBLE,
    STALE_REF,
    EVALUATION_FAILED,
    TIMEOUT,
];

/// What has nothing to do with the server: the call itself was at fault, or is not wanted any more.
const NOT_THE_SERVERS: &[ErrorCode] = &[INVALID_INPUT, CANCELLED, app_codes::NO_SERVER];

/// What may be late because the server is (A5.4).
const ABOUT_TIME: &[ErrorCode] = &[TIMEOUT, NAVIGATION_FAILED];

/// Good enough to read, and a tenth of the size of a lossless one.
const FORMAT: PictureFormat = PictureFormat::Jpeg(75);
/// As many lines of the console and requests as a failure repeats.
const MOST_LINES: usize = 5;

/// The failure with everything that helps to understand it.
pub(super) async fn gathered(failure: Failure, visit: &Visit) -> Failure {
    let code = failure.code();
    let picture = async {
        match PICTURED.contains(&code) {
            true => Some(pictured(visit).await),
            false => None,
        }
    };
    let server = async {
        match visit.session.app().filter(|_| !NOT_THE_SERVERS.contains(&code)) {
            Some(app) => Some(asked(app, ABOUT_TIME.contains(&code), visit).await),
            None => None,
        }
    };
    let (picture, server) = tokio::join!(picture, server);
    let mut missing = Vec::new();
    let mut failure = with_happenings(failure, visit);
    match picture {
        Some(Ok(picture)) => failure = picture.into_failure(failure),
        Some(Err(why)) => missing.push(format!("screenshot: {why}")),
        None => {}
    }
    if let Some(said) = server {
        failure = said.into_failure(failure, &mut missing);
    }
    if missing.is_empty() { failure } else { failure.detail("missing", missing) }
}

/// A picture of the page, and the file that it is in.
struct Picture {
    bytes: Vec<u8>,
    mime: &'static str,
    captured: String,
    path: Option<String>,
}

impl Picture {
    fn into_failure(self, failure: Failure) -> Failure {
        let told = match self.path {
            Some(path) => json!({"path": path, "capturedAt": self.captured}),
            None => json!({"capturedAt": self.captured}),
        };
        failure.beside("screenshot", told).show(self.bytes, self.mime)
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
enum NotPictured {
    #[error("no tab is open")]
    NoTab,
    #[error("a page with an open dialog paints nothing")]
    Dialog,
    #[error(transparent)]
    Failed(#[from] engine::Failed),
}

async fn pictured(visit: &Visit) -> Result<Picture, NotPictured> {
    let page: Page = visit.session.context().current().ok_or(NotPictured::NoTab)?;
    if page.state().interruption().is_some() {
        return Err(NotPictured::Dialog);
    }
    let options = ScreenshotOptions { format: FORMAT, shown: true, ..ScreenshotOptions::default() };
    let scope = visit.late.within(AFTERMATH);
    let picture = page.screenshot(&options, &scope).await?;
    let captured = now();
    let path = visit.files.save("error", "jpeg", &picture.bytes).await;
    let mime = picture.mime;
    Ok(Picture { bytes: picture.into_shown(), mime, captured, path })
}

/// What the dev server has to say.
struct Said {
    logs: Result<Value, Unheard>,
    status: Option<Result<Value, Unheard>>,
    died: Option<(String, Vec<String>)>,
}

async fn asked(app: &App, about_time: bool, visit: &Visit) -> Said {
    let scope = visit.late.within(AFTERMATH);
    let status = async {
        match about_time {
            true => Some(witness::server_status(app, &scope).await),
            false => None,
        }
    };
    let logs = witness::server_logs(app, &scope);
    let (logs, status, died) = tokio::join!(logs, status, scope.race(witness::death(app)));
    Said { logs, status, died: died.ok().flatten() }
}

impl Said {
    fn into_failure(self, mut failure: Failure, missing: &mut Vec<String>) -> Failure {
        match self.logs {
            Ok(logs) => failure = failure.beside("serverLogs", logs),
            Err(why) => missing.push(format!("serverLogs: {why}")),
        }
        match self.status {
            Some(Ok(status)) => failure = failure.beside("serverStatus", status),
            Some(Err(why)) => missing.push(format!("serverStatus: {why}")),
            None => {}
        }
        // Its last words are in the log's end.
        match self.died {
            Some((line, _)) => {
                failure.detail("server", line).suggest("the dev server died; call restart_server")
            }
            None => failure,
        }
    }
}

/// The errors on the console and the requests that failed while the call ran.
fn with_happenings(mut failure: Failure, visit: &Visit) -> Failure {
    let happened = visit.session.context().since(&visit.before.moment);
    let errors = happened.console.iter().filter(|entry| entry.level == ConsoleLevel::Error || entry.uncaught);
    let lists = [
        ("console", errors.map(console_line).collect::<Vec<_>>()),
        ("requests", happened.requests.iter().map(request_line).collect()),
        ("blocked", policy::lines(visit)),
    ];
    for (name, mut lines) in lists {
        let more = lines.len().saturating_sub(MOST_LINES);
        lines.drain(..more);
        if !lines.is_empty() {
            failure = failure.detail(name, lines);
        }
    }
    failure
}

/// The failure with its session and the errors before it; it is one of them from now on.
pub(super) fn with_past(failure: Failure, session: &Session, tool: &'static str) -> Failure {
    let recent = session.recent();
    let message = base::clip::head(failure.message(), 200).into_owned();
    session.note(Past { timestamp: now(), kind: failure.code().lower(), tool, message });
    let recent = recent.iter().filter_map(|past| serde_json::to_value(past).ok()).collect();
    failure.in_session(session.id().to_string()).after(recent)
}
