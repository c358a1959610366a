//! The calls that a server command is tried by, and what was seen of each.

use std::net::TcpListener;
use std::time::Duration;

use base::{Activity, CallScope, Deadline, plain};
use supervise::{Exit, Ladder, StopReport, Supervisor};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::command::ServerCommand;
use crate::contract::{Running, Verb};
use crate::error::exit_words;
use crate::executor::ServerTree;
use crate::lenient::Object;
use crate::probe;
use crate::process::ServerProcess;

/// How long a server may take to be gone after its shutdown was answered: a moment, not a wait.
const MOMENT: Duration = Duration::from_secs(2);
/// How long a server that was announced as ready may take to answer.
const ANSWER: Duration = Duration::from_secs(5);
/// An option that no command knows.
pub(super) const UNKNOWN: &str = "--no-such-option";

/// One call.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) verb: Verb,
    /// As it was called.
    pub(super) called: &'static str,
    pub(super) took: Duration,
    pub(super) exit: Option<Exit>,
    pub(super) answer: Option<Object>,
    /// What is wrong, when there is no answer.
    pub(super) trouble: String,
}

/// A server that a call brought up.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) running: Running,
    pub(super) process: Option<ServerProcess>,
    /// Why it does not answer, if it does not.
    pub(super) unwell: Option<String>,
    /// Which of its logs are no files.
    pub(super) logs_missing: Vec<String>,
}

/// Everything that was seen.
#[derive(Debug, Default)]
pub(super) struct Trial {
    pub(super) calls: Vec<Seen>,
    pub(super) start: Option<Tried>,
    /// What a second `--start` started besides.
    pub(super) again: Option<(usize, StopReport)>,
    pub(super) status: Option<usize>,
    pub(super) restart: Option<Tried>,
    /// Whether the first server was still there after the restart.
    pub(super) old_lives: bool,
    pub(super) shutdown: Option<usize>,
    /// What was still there after the shutdown.
    pub(super) left: Vec<String>,
    pub(super) status_after: Option<usize>,
    /// The port that was taken, and the start beside it.
    pub(super) beside: Option<(u16, Tried)>,
    pub(super) wrong: Option<usize>,
}

/// A call that should bring a server up.
#[derive(Debug)]
pub(super) struct Tried {
    pub(super) call: usize,
    pub(super) server: Option<Server>,
}

impl Trial {
    pub(super) fn call(&self, number: usize) -> &Seen {
        &self.calls[number]
    }
}

/// Runs all of it.
pub(super) async fn hold(command: &ServerCommand, supervisor: &Supervisor) -> Trial {
    let mut run = Run { command, supervisor, trial: Trial::default() };
    // Whatever runs is stopped first; whether that works is seen later.
    run.plain(Verb::Shutdown).await;
    run.trial.calls.clear();

    let (start, tree) = run.up(Verb::Start, Some("--start"), "--start").await;
    let first = start.server.as_ref().map(|server| (server.process.clone(), server.running.port));
    run.trial.start = Some(start);
    if let Some((process, port)) = first {
        run.while_it_runs(tree, process).await;
        run.beside_a_taken_port(port).await;
    } else if let Some(tree) = tree {
        tree.stop(Ladder::default()).await;
    }
    let wrong = run.wrongly().await;
    run.trial.wrong = Some(wrong);
    // It may have been taken for a start after all.
    run.unseen_shutdown().await;
    run.trial
}

struct Run<'a> {
    command: &'a ServerCommand,
    supervisor: &'a Supervisor,
    trial: Trial,
}

impl Run<'_> {
    async fn while_it_runs(&mut self, tree: Option<ServerTree>, process: Option<ServerProcess>) {
        let (again, second) = self.call(Verb::Start, Some("--start"), "a second --start").await;
        let besides = stop(second).await;
        self.trial.again = Some((again, besides));
        self.trial.status = Some(self.plain(Verb::Status).await);

        let (restart, restarted) = self.up(Verb::Restart, Some("--restart"), "--restart").await;
        let gone = match &process {
            Some(process) => process.gone(Deadline::after(MOMENT)).await,
            None => true,
        };
        let same = restart.server.as_ref().and_then(|server| server.process.as_ref()) == process.as_ref();
        self.trial.old_lives = !gone || (same && process.is_some());
        let now = restart.server.as_ref().and_then(|server| server.process.clone()).or(process);
        let url = restart.server.as_ref().map(|server| server.running.url.clone());
        self.trial.restart = Some(restart);

        self.trial.shutdown = Some(self.plain(Verb::Shutdown).await);
        if let Some(process) = &now
            && !process.gone(Deadline::after(MOMENT)).await
        {
            self.trial.left.push(format!("the server's process {}", process.pid()));
        }
        if let Some(url) = url.as_deref().and_then(|url| Url::parse(url).ok())
            && probe::answers(&url).await
        {
            self.trial.left.push(format!("something that accepts connections at {url}"));
        }
        for tree in [tree, restarted] {
            let known: Vec<u32> = now.iter().map(ServerProcess::pid).collect();
            for ended in stop(tree).await.ended.iter().filter(|ended| !known.contains(&ended.process.pid)) {
                self.trial.left.push(format!("{} ({})", ended.process.command, ended.process.pid));
            }
        }
        self.trial.status_after = Some(self.plain(Verb::Status).await);
    }

    /// Starts once more, without an option, while somebody else has the port of the first start.
    async fn beside_a_taken_port(&mut self, port: u16) {
        let sockets: Vec<TcpListener> =
            ["127.0.0.1", "::1"].iter().filter_map(|host| TcpListener::bind((*host, port)).ok()).collect();
        let (tried, tree) = self.up(Verb::Start, None, "a call without an option").await;
        self.trial.beside = Some((port, tried));
        drop(sockets);
        self.unseen_shutdown().await;
        stop(tree).await;
    }

    /// Calls it with an option that it can't know.
    async fn wrongly(&mut self) -> usize {
        let (call, tree) = self.call(Verb::Start, Some(UNKNOWN), UNKNOWN).await;
        stop(tree).await;
        call
    }

    /// A shutdown that is not judged.
    async fn unseen_shutdown(&mut self) {
        self.plain(Verb::Shutdown).await;
        self.trial.calls.pop();
    }

    async fn plain(&mut self, verb: Verb) -> usize {
        let (call, tree) = self.call(verb, Some(verb.flag()), verb.flag()).await;
        stop(tree).await;
        call
    }

    async fn up(
        &mut self,
        verb: Verb,
        flag: Option<&str>,
        called: &'static str,
    ) -> (Tried, Option<ServerTree>) {
        let (call, tree) = self.call(verb, flag, called).await;
        let seen = self.trial.call(call);
        let running = seen.answer.as_ref().and_then(|answer| Running::read(answer).ok());
        let failed = seen.exit != Some(Exit::Code(0));
        let server = match running {
            Some(running) if !failed => Some(look_at(running).await),
            _ => None,
        };
        (Tried { call, server }, tree)
    }

    async fn call(
        &mut self,
        verb: Verb,
        flag: Option<&str>,
        called: &'static str,
    ) -> (usize, Option<ServerTree>) {
        let limit = Deadline::after(verb.limit() * 2);
        let scope = CallScope::new(limit, CancellationToken::new(), Activity::default());
        let began = Instant::now();
        let done = self.command.call_with(verb, flag, self.supervisor, &scope).await;
        let took = began.elapsed();
        let (seen, tree) = match done {
            Ok(call) => {
                let heard = call.heard(verb);
                let trouble = match &heard.answer {
                    Some(_) => String::new(),
                    None => no_answer(&heard.said.stdout, heard.said.last_line(), heard.exit),
                };
                let seen = Seen { verb, called, took, exit: Some(heard.exit), answer: heard.answer, trouble };
                (seen, Some(call.keep()))
            }
            Err(error) => {
                let seen = Seen { verb, called, took, exit: None, answer: None, trouble: error.to_string() };
                (seen, None)
            }
        };
        self.trial.calls.push(seen);
        (self.trial.calls.len() - 1, tree)
    }
}

fn no_answer(stdout: &str, last: Option<String>, exit: Exit) -> String {
    let end = plain::text(stdout.trim()).replace(['\n', '\r'], " ");
    let said = if end.is_empty() {
        "nothing on standard output".to_owned()
    } else {
        format!("no JSON object on standard output, but: {}", base::clip::tail(&end, 120))
    };
    let last = last.map(|line| format!("; last words: {line}")).unwrap_or_default();
    format!("{said} ({}){last}", exit_words(exit))
}

async fn look_at(running: Running) -> Server {
    let unwell = match Url::parse(&running.url) {
        Ok(url) => probe::healthy(&url, ANSWER).await.err().map(|unwell| unwell.to_string()),
        Err(error) => Some(format!("the URL can't be read: {error}")),
    };
    let missing = running.logs.iter().filter(|(_, path)| !path.is_file());
    let logs_missing = missing.map(|(name, path)| format!("logs.{name} ({})", path.display())).collect();
    let process = running.pid.and_then(ServerProcess::of);
    Server { running, process, unwell, logs_missing }
}

async fn stop(tree: Option<ServerTree>) -> StopReport {
    match tree {
        Some(tree) => tree.stop(Ladder::default()).await,
        None => StopReport::default(),
    }
}
