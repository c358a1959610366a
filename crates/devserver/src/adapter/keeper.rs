//! The keeper: a process of ours that stays when the adapter has answered, one per dev server.
//!
//! It is this same binary, started as `… dev-server-keeper` in a session of its own. It reads its order from standard
//! input, which stays open as a lifeline: until the server is ready, the adapter's death ends it. It answers with one
//! line on standard output, and then lives until it is asked to end or the server does.

use std::ffi::OsString;
use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Readiness;
use super::life;
use super::state::State;

/// The subcommand that turns the binary into a keeper.
pub(super) const KEEPER: &str = "dev-server-keeper";

/// What the keeper is to do, as one line of JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Order {
    /// The private folder, empty.
    pub(super) place: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) command: Vec<OsString>,
    pub(super) port: u16,
    pub(super) ready: Readiness,
    pub(super) ready_within: Duration,
}

/// What became of it, as one line of JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum News {
    Ready(Box<State>),
    Failed(Failure),
}

/// Why a dev server did not come up. Nothing of it runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failure {
    /// A name for programs.
    pub(super) error: String,
    /// Words for people.
    pub(super) message: String,
    /// The exit code, if it ended by itself.
    pub(super) exit: Option<i32>,
    /// The end of what it said.
    pub(super) stderr: Option<String>,
}

/// Becomes the keeper if the command line says so, and never returns then. Call it early in `main`.
pub fn keep_if_asked() {
    if std::env::args_os().nth(1).is_some_and(|first| first == KEEPER) {
        let outcome = keep();
        if let Err(error) = &outcome {
            let _ = writeln!(std::io::stderr(), "{KEEPER}: {error}; it is started by dev-server only");
        }
        std::process::exit(if outcome.is_ok() { 0 } else { 2 });
    }
}

fn keep() -> std::io::Result<()> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let order: Order = serde_json::from_str(&line)?;
    // Fails only if we lead a group already, and then nothing is lost.
    let _ = rustix::process::setsid();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (cut, lifeline) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        // Nothing more is ever said; the end is what is waited for.
        let _ = std::io::stdin().read(&mut [0]);
        let _ = cut.send(());
    });
    let outcome = runtime.block_on(life::live(order, lifeline, tell));
    runtime.shutdown_background();
    outcome
}

/// An adapter that is gone can't be told anything; the lifeline says so.
fn tell(news: &News) {
    if let Ok(mut line) = serde_json::to_vec(news) {
        line.push(b'\n');
        let mut stdout = std::io::stdout().lock();
        let _ = stdout.write_all(&line);
        let _ = stdout.flush();
    }
}
