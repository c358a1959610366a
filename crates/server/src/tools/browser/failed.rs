//! What went wrong, in the words of the error codes: what, why and what next.

use std::time::Duration;

use engine::backend::{BackendError, Dialog};
use engine::page::{Interruption, LoadState, NavigationRefused};
use engine::{Failed, Match, Obstacle};
use serde_json::{Value, json};

use super::codes::*;
use crate::session::{LaunchRefused, OpenSession, SessionRefused};
use crate::tools::arguments::INVALID_INPUT;
use crate::tools::run::{CANCELLED, INTERNAL_ERROR, TIMEOUT};
use crate::tools::{ErrorCode, Failure};

/// What was to be done to an element; an obstacle has another name for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Click,
    Edit,
    Look,
}

impl Deed {
    fn obstructed(self) -> ErrorCode {
        match self {
            Self::Click => ELEMENT_NOT_CLICKABLE,
            Self::Edit => ELEMENT_NOT_EDITABLE,
            Self::Look => ELEMENT_NOT_VISIBLE,
        }
    }
}

/// A request to a page that came to nothing.
pub(super) fn failed(why: Failed, deed: Deed, limit: Duration) -> Failure {
    let message = why.to_string();
    match why {
        Failed::Selector(_) => Failure::new(INVALID_INPUT, message).fact("field", "selector"),
        Failed::StaleRef { reference, .. } => Failure::new(STALE_REF, message)
            .fact("ref", reference)
            .suggest("take a snapshot and use a ref from it, or address the element by a selector"),
        Failed::NotFound { target } => {
            Failure::new(ELEMENT_NOT_FOUND, format!("{message} within {} ms", limit.as_millis()))
                .fact("selector", target)
                .fact("timeout", millis(limit))
                .suggest("look for it with find or snapshot; wait_for waits for what comes late")
        }
        Failed::NotUnique { target, count, matches } => Failure::new(ELEMENT_NOT_UNIQUE, message)
            .fact("selector", target)
            .detail("count", count)
            .detail("matches", matches.iter().map(told).collect::<Vec<_>>())
            .suggest("use one of details.matches' selectors, or a ref from a snapshot"),
        Failed::NotActionable { element, obstacle, diary } => {
            let (name, next) = remedy(&obstacle);
            let failure = Failure::new(
                deed.obstructed(),
                format!("{message}, and stayed so until its {} ms were up", limit.as_millis()),
            );
            let failure = failure.fact("element", element).detail("obstacle", name).suggest(next);
            let failure = match obstacle {
                Obstacle::Covered { by } => failure.detail("coveredBy", by),
                _ => failure,
            };
            if diary.is_empty() { failure } else { failure.detail("log", last(diary)) }
        }
        Failed::Unfit { element, why } => {
            Failure::new(deed.obstructed(), message).fact("element", element).suggest(why)
        }
        Failed::Threw { stack, .. } => {
            let failure = Failure::new(EVALUATION_FAILED, message)
                .suggest("correct the script; it runs in the page, as an expression or as a function");
            stack
                .into_iter()
                .fold(failure, |failure, stack| failure.detail("stack", base::clip::head(&stack, 2000)))
        }
        Failed::Interrupted(why) => interrupted(why, limit),
    }
}

/// A wait that something ended.
pub(super) fn interrupted(why: Interruption, limit: Duration) -> Failure {
    let message = why.to_string();
    match why {
        Interruption::Cancelled => Failure::new(CANCELLED, message),
        Interruption::TimedOut => {
            Failure::new(TIMEOUT, format!("the time limit of {} ms passed", limit.as_millis()))
                .fact("timeout", millis(limit))
                .suggest("take a snapshot to see where the page is; pass a longer timeout if it is only slow")
        }
        Interruption::Dialog(dialog) => dialog_open(&dialog),
        Interruption::Crashed => {
            Failure::new(PAGE_CRASHED, message).suggest("navigate again, here or elsewhere")
        }
        Interruption::Closed => Failure::new(PAGE_CLOSED, message)
            .suggest("call again for the tab that is in front now; tabs lists them"),
        Interruption::Backend(error) => backend(&error),
    }
}

/// The page waits for the answer to a dialog.
pub(super) fn dialog_open(dialog: &Dialog) -> Failure {
    let (kind, message) = (kind(dialog), base::clip::head(&dialog.message, 200));
    Failure::new(DIALOG_OPEN, format!("an open dialog holds the page up: {kind} {message:?}"))
        .detail("dialog", json!({"kind": kind, "message": message, "defaultText": dialog.default_text}))
        .suggest("answer it with handle_dialog, then call again")
}

/// `confirm`, as the web calls it.
pub(super) fn kind(dialog: &Dialog) -> String {
    format!("{:?}", dialog.kind).to_lowercase()
}

fn backend(error: &BackendError) -> Failure {
    let message = error.to_string();
    match error {
        BackendError::BrowserGone(_) => {
            Failure::new(BROWSER_CRASHED, message).suggest("open another session with create_session")
        }
        BackendError::PageGone | BackendError::FrameGone => {
            Failure::new(PAGE_CLOSED, message).suggest("take a snapshot; tabs lists the tabs that are open")
        }
        BackendError::Unsupported { instead, .. } => {
            Failure::new(UNSUPPORTED_BY_BROWSER, message).suggest(*instead)
        }
        BackendError::Threw { .. } => Failure::new(EVALUATION_FAILED, message).suggest("correct the script"),
        BackendError::DialogOpen => {
            Failure::new(DIALOG_OPEN, message).suggest("answer it with handle_dialog, then call again")
        }
        BackendError::DocumentGone | BackendError::Refused { .. } => Failure::new(BROWSER_ERROR, message)
            .suggest("take a snapshot to see where the page is, then try again"),
    }
}

/// A navigation that did not lead where it should (C3.4: late ones, too).
pub(super) fn navigation(why: NavigationRefused, url: &str, limit: Duration) -> Failure {
    let message = why.to_string();
    let failure = |reason: String, next: &str| {
        Failure::new(NAVIGATION_FAILED, message.clone()).fact("url", url).fact("reason", reason).suggest(next)
    };
    let late = format!("it took longer than {} ms", limit.as_millis());
    match why {
        NavigationRefused::Failed { reason, .. } => {
            let next = hint(&reason);
            failure(reason, next)
        }
        NavigationRefused::Unfinished { reached, .. } => failure(
            late,
            "the page can be used as it is: take a snapshot, or navigate with waitUntil domcontentloaded or commit",
        )
        .fact("timeout", millis(limit))
        .detail("reached", reached_word(reached)),
        NavigationRefused::Interrupted(Interruption::TimedOut) => {
            failure(late, "see that the server answers; pass a longer timeout if it is only slow")
                .fact("timeout", millis(limit))
        }
        NavigationRefused::Interrupted(why) => interrupted(why, limit),
    }
}

/// How far a document is, in the words of `waitUntil`.
pub(super) fn reached_word(state: LoadState) -> &'static str {
    match state {
        LoadState::Committed => "commit",
        LoadState::DomContentLoaded => "domcontentloaded",
        LoadState::Loaded => "load",
    }
}

pub(super) fn hint(reason: &str) -> &'static str {
    if reason.contains("CONNECTION_REFUSED") {
        "nothing listens there: start the server, or correct the port"
    } else if reason.contains("NAME_NOT_RESOLVED") {
        "there is no such host: correct the address"
    } else if reason.contains("SSL_PROTOCOL") {
        "its server does not speak TLS: use http"
    } else if reason.contains("CERT_DATE") {
        "its certificate is not valid today: use http, or a session with ignoreHttpsErrors"
    } else if reason.contains("CERT_COMMON_NAME") {
        "its certificate is another host's: correct the address, or use a session with ignoreHttpsErrors"
    } else if reason.contains("CERT") || reason.contains("SSL") {
        "its certificate is not trusted: use http, or a session with ignoreHttpsErrors"
    } else {
        "see that the address is right and its server answers"
    }
}

/// No session to work in.
pub(in crate::tools) fn refused(why: SessionRefused) -> Failure {
    let message = why.to_string();
    let create = "open a session with create_session, or with start_session and the dev server, and pass its sessionId";
    match why {
        SessionRefused::NotFound { id } => Failure::new(SESSION_NOT_FOUND, message)
            .in_session(id)
            .suggest(format!("{create}; list_sessions lists the open ones")),
        SessionRefused::ClosedBefore { id, .. } => {
            Failure::new(SESSION_NOT_FOUND, message).in_session(id).suggest(create)
        }
        SessionRefused::Closed => Failure::new(SESSION_CLOSED, message).suggest(create),
        SessionRefused::Expired { id, .. } => {
            Failure::new(SESSION_EXPIRED, message).in_session(id).suggest(create)
        }
        SessionRefused::Crashed { id, gone } => Failure::new(BROWSER_CRASHED, message)
            .in_session(id)
            .detail("stderr", last(gone.stderr))
            .suggest(create),
        SessionRefused::TooMany { most, open } => Failure::new(MAX_SESSIONS_REACHED, message)
            .detail("maxSessions", most)
            .detail("open", open.iter().map(summary).collect::<Vec<_>>())
            .suggest("close one that is not needed with close_session, or use one of them"),
        SessionRefused::Unnamed { open } => Failure::new(INVALID_INPUT, message)
            .fact("field", "sessionId")
            .detail("open", open.iter().map(summary).collect::<Vec<_>>())
            .suggest("pass the sessionId of one of details.open"),
        SessionRefused::Required => {
            Failure::new(INVALID_INPUT, message).fact("field", "sessionId").suggest(create)
        }
        SessionRefused::Launch(refused) => launch(refused),
        SessionRefused::Unsupported { instead, .. } => {
            Failure::new(UNSUPPORTED_BY_BROWSER, message).suggest(instead.next)
        }
        SessionRefused::NoGate(_) => Failure::new(INTERNAL_ERROR, message)
            .suggest("close sessions that are not needed: the system has no port left for this one"),
        SessionRefused::Context(error) => backend(&error),
        SessionRefused::Interrupted(why) => why.into(),
        SessionRefused::Ending => Failure::new(CANCELLED, message),
    }
}

fn launch(why: LaunchRefused) -> Failure {
    let message = why.to_string();
    match why {
        LaunchRefused::NotFound { looked, remedy, .. } => {
            Failure::new(BROWSER_NOT_FOUND, message).detail("looked", looked).suggest(remedy)
        }
        LaunchRefused::Failed { stderr, .. } => Failure::new(BROWSER_LAUNCH_FAILED, message)
            .detail("stderr", last(stderr))
            .suggest("details.stderr has the browser's own words; --executable-path names another browser"),
        LaunchRefused::NoDisplay => Failure::new(BROWSER_LAUNCH_FAILED, message)
            .suggest("use headless: true, or start the server where DISPLAY or WAYLAND_DISPLAY is set"),
        LaunchRefused::Ending => Failure::new(INTERNAL_ERROR, message),
    }
}

fn summary(open: &OpenSession) -> Value {
    let mut told = json!({"sessionId": open.id, "idleMs": millis(open.idle)});
    if let Some(name) = &open.name {
        told["name"] = name.as_str().into();
    }
    told
}

fn told(found: &Match) -> Value {
    json!({"element": found.preview, "selector": found.selector})
}

/// The obstacle's name, and what to do about it.
fn remedy(obstacle: &Obstacle) -> (&'static str, String) {
    match obstacle {
        Obstacle::Invisible => {
            ("invisible", "make it visible first: open the menu, tab or dialog that it is in".into())
        }
        Obstacle::NotStable => ("moving", "wait for the animation's end, or pass force: true".into()),
        Obstacle::Disabled => {
            ("disabled", "do first what enables it; a snapshot shows what is missing".into())
        }
        Obstacle::NotEditable => {
            ("read_only", "address the input, textarea or contenteditable element itself".into())
        }
        Obstacle::Covered { by } => ("covered", format!("close or move {by} first, or pass force: true")),
        Obstacle::OutsideViewport => {
            ("outside", "scroll it into view with evaluate, or resize the page".into())
        }
        Obstacle::Detached => ("removed", "take a snapshot: the page replaced it".into()),
    }
}

/// The end of a list, which tells the most.
fn last(mut lines: Vec<String>) -> Vec<String> {
    lines.split_off(lines.len().saturating_sub(10))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
