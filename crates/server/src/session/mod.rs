//! Sessions: who has a browser, for how long, and in which order their calls run.
//!
//! A [`Session`] is an isolated context in a browser that [`Browsers`] keeps, and, if it was started with one, the dev
//! server of an [`App`]; what its browser may reach is bounded by its [`Border`]. [`Sessions`] opens, finds and ends them.
//! Each has a keeper, a task that ends it when it expires, is closed, or loses its browser, whether anybody calls or
//! not. What is done in a session is `tools`' business.

mod app;
mod border;
mod browsers;
mod end;
mod expiry;
mod id;
mod launcher;
mod making;
mod manager;
mod queue;
mod recent;
mod refusal;
#[expect(clippy::module_inception, reason = "one file for each noun, and this is the room's own")]
mod session;
mod tombstones;

#[cfg(test)]
mod tests;

pub(crate) use app::{App, AppEnd, Ending, Pulse};
pub(crate) use border::{Border, Boundary, destination};
pub(crate) use browsers::{Browsers, LaunchRefused, Launcher, Wanted};
pub(crate) use end::End;
pub(crate) use id::SessionId;
pub(crate) use launcher::SystemLauncher;
pub(crate) use making::{Limits, Plan};
pub(crate) use manager::Sessions;
pub(crate) use recent::Past;
pub(crate) use refusal::{OpenSession, SessionRefused, StartRefused};
pub(crate) use session::Session;
