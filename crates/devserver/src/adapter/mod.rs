//! The adapter: `e2e-mcp-server dev-server --start -- npm run dev` is a server command for any plain dev server.
//!
//! A *keeper*, a detached process of our own, owns the dev server's tree, writes its logs and ends it when it is asked
//! to; when the keeper itself is killed, the tree's watchdog does. What the keeper knows lies in a private folder per
//! project and command (place.rs), where the other verbs find it from another process.
//!
//! Left to others: reading the command line, and where private folders may lie (`server`).

mod answers;
mod dev;
mod options;
mod readiness;

#[cfg(unix)]
mod address;
#[cfg(unix)]
mod keeper;
#[cfg(unix)]
mod life;
#[cfg(unix)]
mod listeners;
#[cfg(unix)]
mod lookout;
#[cfg(unix)]
mod place;
#[cfg(unix)]
mod printed;
#[cfg(unix)]
mod recorder;
#[cfg(unix)]
mod state;
#[cfg(unix)]
mod verbs;

pub use answers::Answered;
pub use dev::{DevRefused, SUBCOMMAND, command_for};
#[cfg(unix)]
pub use keeper::keep_if_asked;
pub use options::{MOST_READY, Options};
#[cfg(unix)]
pub use place::state_root;
pub use readiness::{BadReadiness, Readiness};

/// Does what `options` ask, within the verb's limit, and answers as the contract says. Blocking.
#[cfg(unix)]
pub fn run(options: &Options) -> Answered {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Answered::error("internal", &format!("the runtime can't start: {error}")),
    };
    let answered = runtime.block_on(verbs::run(options));
    // A name that is still being looked up must not keep the process.
    runtime.shutdown_background();
    answered
}

/// Says that this system is not there yet. The server command itself works here; only this adapter does not.
#[cfg(not(unix))]
pub fn run(_: &Options) -> Answered {
    Answered::error(
        "unsupported",
        "dev-server is not supported on this system yet; write a server command of your own",
    )
}
