//! The browser family: sessions and what an agent does in their pages.
//!
//! A tool's file has its arguments and its handler. What they share lies beside them: [`args`] (how elements are
//! addressed), [`mod@visit`] (a call's turn in a session, its time and its evidence), [`act`] and [`aftermath`] (what an
//! action caused), [`report`] (what a model reads), [`failed`] (what went wrong, in the words of the error codes),
//! [`files`] (what is too long or too large for an answer).

mod act;
mod address;
mod aftermath;
mod args;
mod click;
pub(super) mod codes;
mod console;
mod content;
mod dialog;
mod drag;
mod evaluate;
mod evidence;
mod failed;
mod files;
mod find;
mod form;
mod keys;
mod navigate;
mod network;
mod plan;
mod policy;
mod report;
mod screenshot;
mod secrets;
mod sessions;
mod snapshot;
mod stray;
mod tabs;
mod upload;
mod visit;
mod wait;

pub(super) use click::{CLICK, HOVER};
pub(super) use console::CONSOLE_MESSAGES;
pub(super) use content::{EXISTS, GET_CONTENT};
pub(super) use dialog::HANDLE_DIALOG;
pub(super) use drag::{DRAG, DROP};
pub(super) use evaluate::EVALUATE;
pub(super) use find::FIND;
pub(super) use form::{FILL_FORM, SELECT_OPTION};
pub(super) use keys::{PRESS_KEY, TYPE};
pub(super) use navigate::{NAVIGATE, NAVIGATE_BACK};
pub(super) use network::{NETWORK_REQUEST, NETWORK_REQUESTS};
pub(super) use screenshot::SCREENSHOT;
pub(super) use sessions::{CLOSE_SESSION, CREATE_SESSION, LIST_SESSIONS};
pub(super) use snapshot::SNAPSHOT;
pub(super) use tabs::{RESIZE, TABS};
pub(super) use upload::FILE_UPLOAD;
pub(super) use wait::WAIT_FOR;

// What the app family shares with this one.
pub(super) use args::Nothing;
pub(super) use failed::refused;
pub(super) use files::Files;
pub(super) use report::BUDGET;
pub(super) use sessions::{CloseSession, Closed, CreateSession, Opened, close_session, opened, planned};
pub(super) use visit::{How, Visit, open_session, outer_limit, visit};

use super::schema::input_of;
use super::tool::{Tool, nothing_beside};
use super::{Family, Hints};

/// What most tools of the family have in common; each says the rest.
const PAGE_TOOL: Tool = Tool {
    name: "",
    playwright: None,
    also: &[],
    family: Family::Browser,
    also_in: &[],
    cap: None,
    title: "",
    description: "",
    input: input_of::<Nothing>,
    output: None,
    hints: Hints { open_world: true, ..Hints::ACTS },
    gated: &[],
    aliases: args::TARGET,
    unlisted: args::UNLISTED,
    limit: |args, options| outer_limit(args, options.browser.action_limit),
    beside_error: nothing_beside,
    handler: |_| Box::pin(std::future::ready(Ok(super::Reply::text("")))),
};

/// Looks at a page and changes nothing.
const LOOKS: Hints = Hints { open_world: true, ..Hints::READS };
