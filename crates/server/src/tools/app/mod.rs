//! The app family: a session with the project's dev server, from its start to its end (seed A, requirement 3).
//!
//! A tool's file has its arguments and its handler. Beside them: [`command`] (which server command is meant), [`failed`]
//! (what went wrong with it, in the words of the error codes), [`witness`] (what the server says when something fails).

pub(super) mod codes;
mod command;
mod end;
mod failed;
mod logs;
mod restart;
mod start;
mod status;
pub(super) mod witness;

pub(super) use end::{END_SESSION, ServerEnd, ended};
pub(super) use logs::READ_SERVER_LOGS;
pub(super) use restart::RESTART_SERVER;
pub(super) use start::START_SESSION;
pub(super) use status::GET_SESSION_STATUS;

use std::sync::Arc;

use super::tool::{Tool, nothing_beside};
use super::{Call, Failure, Family, Hints, Reply, browser};
use crate::session::{App, Session};

/// What the tools of the family have in common; each says the rest.
const APP_TOOL: Tool = Tool {
    name: "",
    playwright: None,
    also: &[],
    family: Family::App,
    also_in: &[],
    cap: None,
    title: "",
    description: "",
    input: super::schema::input_of::<browser::Nothing>,
    output: None,
    hints: Hints::ACTS,
    gated: &[],
    aliases: &[],
    unlisted: &["timeout"],
    limit: |_, _| std::time::Duration::ZERO,
    beside_error: nothing_beside,
    handler: |_| Box::pin(std::future::ready(Ok(Reply::text("")))),
};

/// The session that the call is about; none is opened for it.
fn session(call: &Call) -> Result<Arc<Session>, Failure> {
    call.arrival.placed();
    browser::open_session(call)?.ok_or_else(no_session)
}

fn no_session() -> Failure {
    Failure::new(browser::codes::SESSION_NOT_FOUND, "no session is open")
        .suggest("start one with start_session")
}

/// Its app.
fn app(session: &Session) -> Result<&App, Failure> {
    session.app().ok_or_else(|| {
        Failure::new(codes::NO_SERVER, "this session was opened without a dev server")
            .in_session(session.id().to_string())
            .suggest("start a session that has one with start_session")
    })
}
