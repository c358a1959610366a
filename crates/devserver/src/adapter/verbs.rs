//! The four verbs, each within its limit (A2.11) with room to spare.

use std::net::TcpListener;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use base::Deadline;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};
use url::Url;

use super::keeper::{Failure, KEEPER, News, Order};
use super::place::{NoPlace, Place};
use super::state::{Logs, State, rfc3339};
use super::{Answered, Options, state};
use crate::contract::Verb;
use crate::probe;
use crate::process::gone;

/// What is left of a limit for starting ourselves and for printing, on a busy machine.
const MARGIN: Duration = Duration::from_millis(1500);
/// What ending a server that does not come up takes at most.
const GIVE_UP: Duration = Duration::from_secs(5);
/// How long a keeper may take to end its server in its own way …
const ASKED_TO_END: Duration = Duration::from_secs(9);
/// … and how long the watchdog may take when the keeper had to be killed.
const KILLED: Duration = Duration::from_secs(4);
/// How long a shutdown waits politely for a start that is going on.
const POLITE: Duration = Duration::from_millis(500);
/// How long a server may take to show that it is healthy.
const HEALTHY: Duration = Duration::from_secs(3);

/// Does what was asked.
pub(super) async fn run(options: &Options) -> Answered {
    let deadline = Deadline::after(options.verb.limit().saturating_sub(MARGIN));
    let done = match open(options) {
        Ok(place) => match options.verb {
            Verb::Start => start(options, &place, deadline).await,
            Verb::Status => Ok(status(&place).await),
            Verb::Restart => restart(options, &place, deadline).await,
            Verb::Shutdown => shutdown(&place, deadline).await,
        },
        Err(failure) => Err(failure),
    };
    done.unwrap_or_else(|failure| failed(&failure, options))
}

/// Why a verb was not carried out, and where its logs lie if there are any.
struct NotDone {
    failure: Failure,
    logs: Option<Box<Logs>>,
}

impl From<NoPlace> for NotDone {
    fn from(refused: NoPlace) -> Self {
        let error = if matches!(refused, NoPlace::Busy) { "timeout" } else { "state_folder" };
        Self::plain(error, refused.to_string())
    }
}

impl NotDone {
    fn plain(error: &str, message: String) -> Self {
        Self { failure: Failure::plain(error, message), logs: None }
    }
}

fn failed(not_done: &NotDone, options: &Options) -> Answered {
    let Failure { error, message, exit, stderr } = &not_done.failure;
    Answered::failed(json!({
        "status": "error",
        "error": error,
        "message": message,
        "command": options.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" "),
        "exitCode": exit,
        "stderr": stderr,
        "logs": not_done.logs,
    }))
}

fn open(options: &Options) -> Result<Place, NotDone> {
    if let Err(bad) = options.ready.check() {
        return Err(NotDone::plain("invalid_input", bad.to_string()));
    }
    if options.command.is_empty() {
        let message = "no command was given; write it after --, as in: dev-server --start -- npm run dev";
        return Err(NotDone::plain("invalid_input", message.to_owned()));
    }
    let folder = options.folder.canonicalize().map_err(|error| {
        let message = format!("the folder {} can't be used: {error}", options.folder.display());
        NotDone::plain("invalid_input", message)
    })?;
    Ok(Place::of(&options.state_root, &folder, &options.command)?)
}

async fn start(options: &Options, place: &Place, deadline: Deadline) -> Result<Answered, NotDone> {
    let _lock = place.lock(deadline).await?;
    if let Some(state) = place.state() {
        if state.lives() && state.ready() && still_there(&state).await {
            return Ok(Answered::ok(state.running("already_running", "the dev server was running already")));
        }
        // One whose adapter or keeper was killed, or that just died: it is about to end.
        end(&state, deadline).await?;
    }
    let state = bring_up(options, place, deadline, None).await?;
    Ok(Answered::ok(state.running("ready", &format!("the dev server answers at {}", url(&state)))))
}

/// Whether a server lives that its keeper has not given up yet. Its first process may have left a daemon.
async fn still_there(state: &State) -> bool {
    let url = state.url.as_deref().and_then(|url| Url::parse(url).ok());
    state.root.alive() || matches!(url, Some(url) if probe::answers(&url).await)
}

async fn restart(options: &Options, place: &Place, deadline: Deadline) -> Result<Answered, NotDone> {
    let _lock = place.lock(deadline).await?;
    let before = place.state();
    let mut previous = None;
    if let Some(state) = before {
        let lived = state.lives();
        end(&state, deadline).await?;
        previous = lived.then_some(state);
    }
    let port = previous.as_ref().map(|state| state.port);
    let state = bring_up(options, place, deadline, port).await?;
    let status = if previous.is_some() { "restarted" } else { "started" };
    let mut answer = state.running(status, &format!("the dev server answers at {}", url(&state)));
    if let Some(previous) = previous {
        answer["previousPid"] = json!(previous.pid);
        answer["previousPort"] = json!(previous.port);
    }
    Ok(Answered::ok(answer))
}

async fn status(place: &Place) -> Answered {
    let Some(state) = place.state() else {
        return Answered::ok(json!({ "status": "stopped", "message": "no dev server runs here" }));
    };
    if !state.lives() {
        return Answered::ok(stopped_before(&state));
    }
    let unwell = match state.probe.as_ref().or(state.url.as_ref()).map(|url| Url::parse(url)) {
        Some(Ok(url)) => probe::healthy(&url, HEALTHY).await.err().map(|unwell| unwell.to_string()),
        _ => Some("the dev server is starting".to_owned()),
    };
    let (status, message) = match &unwell {
        None => ("running", "the dev server runs and answers"),
        Some(why) => ("unhealthy", why.as_str()),
    };
    let mut answer = state.running(status, message);
    answer["uptime"] = json!(state.uptime());
    answer["healthy"] = json!(unwell.is_none());
    Answered::ok(answer)
}

/// A server that is over: when, why, and where its logs still lie.
fn stopped_before(state: &State) -> Value {
    let message = match &state.ended {
        Some(ended) => match &ended.by_itself {
            Some(how) => format!("the dev server ended by itself with {how}"),
            None => "the dev server was stopped".to_owned(),
        },
        None => "the dev server was killed".to_owned(),
    };
    json!({
        "status": "stopped",
        "stoppedAt": state.ended.as_ref().map(|ended| rfc3339(ended.at_ms)),
        "previousPid": state.pid,
        "previousPort": state.port,
        "healthy": false,
        "logs": Some(&state.logs).filter(|logs| logs.combined.exists()),
        "message": message,
    })
}

async fn shutdown(place: &Place, deadline: Deadline) -> Result<Answered, NotDone> {
    let lock = match place.lock(deadline.at_most(POLITE)).await {
        Err(NoPlace::Busy) => {
            // A start that goes on would hold us up for longer than we may take: its keeper is asked to give up.
            if let Some(state) = place.state().filter(|state| state.lives() && !state.ready()) {
                state.keeper.terminate();
            }
            place.lock(deadline).await
        }
        other => other,
    };
    let _lock = lock?;
    let Some(state) = place.state().filter(State::anything_lives) else {
        return Ok(Answered::ok(json!({ "status": "stopped", "message": "no dev server was running" })));
    };
    let state = end(&state, deadline).await?;
    let resisted: Vec<String> = state
        .ended
        .iter()
        .flat_map(|ended| ended.report.resisted())
        .map(|process| format!("{} ({})", process.command, process.pid))
        .collect();
    let message = if resisted.is_empty() {
        "the dev server and everything it had started are gone".to_owned()
    } else {
        format!(
            "the dev server is gone; these did not end when asked and were killed: {}",
            resisted.join(", ")
        )
    };
    let at = state.ended.as_ref().map_or_else(state::now, |ended| ended.at_ms);
    Ok(Answered::ok(json!({
        "status": "stopped",
        "previousPid": state.pid,
        "previousPort": state.port,
        "stoppedAt": rfc3339(at),
        "uptime": state.uptime(),
        "logs": state.logs,
        "message": message,
    })))
}

/// Ends a server, and answers only when that is proven: the keeper is gone, and with it or after it the tree.
async fn end(state: &State, deadline: Deadline) -> Result<State, NotDone> {
    state.keeper.terminate();
    let mut ended = gone(&state.keeper, deadline.at_most(ASKED_TO_END)).await;
    if !ended {
        state.keeper.kill();
        ended = gone(&state.keeper, deadline.at_most(KILLED)).await;
    }
    // A keeper that was killed leaves the tree to its watchdog.
    for process in state.watchdog.iter().chain([&state.root]) {
        ended &= gone(process, deadline.at_most(KILLED)).await;
    }
    let place = state.logs.combined.parent().unwrap_or(Path::new("/"));
    let state = State::read(place).unwrap_or_else(|| state.clone());
    let survivors = state.ended.as_ref().map(|ended| &ended.report.survivors[..]).unwrap_or_default();
    if ended && survivors.is_empty() {
        return Ok(state);
    }
    let names: Vec<String> =
        survivors.iter().map(|process| format!("{} ({})", process.command, process.pid)).collect();
    let message = format!("the dev server could not be ended; still there: {}", names.join(", "));
    Err(NotDone { failure: Failure::plain("shutdown_failed", message), logs: Some(Box::new(state.logs)) })
}

/// Starts a keeper, and through it the server. `not` is the port that it must not have again.
async fn bring_up(
    options: &Options,
    place: &Place,
    deadline: Deadline,
    not: Option<u16>,
) -> Result<State, NotDone> {
    place.tidy();
    let folder = place.prepare()?;
    let port =
        free_port(options.port, not).map_err(|none| NotDone::plain("port_in_use", none.to_string()))?;
    let left = deadline.remaining().saturating_sub(GIVE_UP);
    let order = Order {
        place: folder.clone(),
        folder: options.folder.canonicalize().unwrap_or_else(|_| options.folder.clone()),
        command: options.command.clone(),
        port,
        ready: options.ready.clone(),
        ready_within: options.ready_timeout.min(left),
    };
    let mut keeper = spawn_keeper(&options.program, &folder)
        .map_err(|error| NotDone::plain("internal", format!("the keeper can't be started: {error}")))?;
    let news = deadline.race(ask(&mut keeper, &order)).await.ok().flatten();
    let logs = Some(Box::new(Logs::within(&folder))).filter(|logs| logs.combined.exists());
    match news {
        Some(News::Ready(state)) => Ok(*state),
        Some(News::Failed(failure)) => {
            // Told when everything is over; waiting keeps no zombie.
            let _ = deadline.race(keeper.wait()).await;
            Err(NotDone { failure, logs })
        }
        None => {
            // It died without a word, or hangs; its watchdog ends what it may have started.
            let _ = keeper.start_kill();
            let _ = deadline.race(keeper.wait()).await;
            let failure = Failure::plain("internal", "the keeper did not answer".to_owned());
            Err(NotDone { failure, logs })
        }
    }
}

fn spawn_keeper(program: &Path, place: &Path) -> std::io::Result<Child> {
    let log =
        std::fs::File::options().append(true).create(true).mode(0o600).open(place.join("keeper.log"))?;
    Command::new(program)
        .arg(KEEPER)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
}

/// Gives the order and waits for the news. The lifeline is held until then.
async fn ask(keeper: &mut Child, order: &Order) -> Option<News> {
    let mut lifeline = keeper.stdin.take()?;
    let stdout = keeper.stdout.take()?;
    let mut line = serde_json::to_vec(order).ok()?;
    line.push(b'\n');
    lifeline.write_all(&line).await.ok()?;
    lifeline.flush().await.ok()?;
    let news = BufReader::new(stdout).lines().next_line().await.ok()??;
    serde_json::from_str(&news).ok()
}

/// A port that nobody listens on: the wanted one, or any but `not`.
fn free_port(wanted: Option<u16>, not: Option<u16>) -> Result<u16, NoPort> {
    let bound = |port: u16| TcpListener::bind(("127.0.0.1", port)).and_then(|socket| socket.local_addr());
    if let Some(port) = wanted {
        return bound(port).map(|address| address.port()).map_err(|why| NoPort::Taken { port, why });
    }
    for _ in 0..50 {
        let port = bound(0).map_err(NoPort::Refused)?.port();
        if Some(port) != not && TcpListener::bind(("0.0.0.0", port)).is_ok() {
            return Ok(port);
        }
    }
    Err(NoPort::NoneFree)
}

/// Why there is no port for the server.
#[derive(Debug, thiserror::Error)]
enum NoPort {
    #[error("port {port} can't be used: {why}; leave --port out to get a free one")]
    Taken { port: u16, why: std::io::Error },
    #[error("there is no free port: {0}")]
    Refused(std::io::Error),
    #[error("there is no free port")]
    NoneFree,
}

fn url(state: &State) -> &str {
    state.url.as_deref().unwrap_or_default()
}
