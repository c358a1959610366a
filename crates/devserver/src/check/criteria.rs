//! The eleven criteria (seed A, requirement 2), each judged by what the trial saw.

use std::path::Path;

use serde_json::Value;
use supervise::Exit;

use super::Criterion;
use super::trial::{Seen, Server, Trial, Tried, UNKNOWN};
use crate::error::exit_words;
use crate::lenient::{self, Object};

/// What was seen that is good, or what speaks against it.
type Verdict = Result<String, Objection>;

/// What speaks against a criterion, in words for the command's author.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Objection(String);

impl From<&str> for Objection {
    fn from(words: &str) -> Self {
        Self(words.to_owned())
    }
}

impl From<String> for Objection {
    fn from(words: String) -> Self {
        Self(words)
    }
}

/// Objects.
fn against<T>(words: impl Into<Objection>) -> Result<T, Objection> {
    Err(words.into())
}

/// All objections as one, or what is good if there are none.
fn unless(bad: &[String], good: impl Into<String>) -> Verdict {
    if bad.is_empty() { Ok(good.into()) } else { against(bad.join("; ")) }
}

/// A criterion: its number, what it asks, how it is judged, how it is mended.
struct Rule {
    id: &'static str,
    what: &'static str,
    judge: fn(&Trial) -> Verdict,
    mend: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        id: "A2.1",
        what: "--start, or no option, starts the server and answers in JSON",
        judge: starts,
        mend: "print one JSON object on standard output and exit; everything else belongs on standard error",
    },
    Rule {
        id: "A2.2",
        what: "--start answers with status, url, port, pid, startedAt, logs and message",
        judge: fields,
        mend: "answer when the server is ready: {\"status\":\"ready\",\"url\":…,\"port\":…,\"pid\":…,\"startedAt\":\"2026-01-31T12:00:00Z\",\"logs\":{…},\"message\":…}",
    },
    Rule {
        id: "A2.3",
        what: "--start says already_running when the server runs",
        judge: idempotent,
        mend: "remember the server's pid in a file; if it lives, answer its data with status \"already_running\" and exit 0",
    },
    Rule {
        id: "A2.4",
        what: "--restart ends the old server and starts a new one",
        judge: restarts,
        mend: "stop as --shutdown does, wait until the process is gone, start as --start does, and answer the new url, port and pid",
    },
    Rule {
        id: "A2.5",
        what: "--status tells running or stopped, url, pid and health",
        judge: tells,
        mend: "answer {\"status\":\"running\"|\"stopped\"|\"unhealthy\",\"url\":…,\"pid\":…,\"healthy\":true|false} by really asking the server",
    },
    Rule {
        id: "A2.6",
        what: "--shutdown ends the server with everything it started",
        judge: stops,
        mend: "signal the server's whole process group, wait until it is gone, then answer {\"status\":\"stopped\"}; exit 0 also if nothing ran",
    },
    Rule {
        id: "A2.7",
        what: "a free port is found",
        judge: free_port,
        mend: "ask the system for a port (bind port 0) instead of using a fixed one",
    },
    Rule {
        id: "A2.8",
        what: "logs has absolute paths of stdout, stderr and combined",
        judge: logs,
        mend: "send the server's output to three files and answer their absolute paths in logs.stdout, logs.stderr and logs.combined",
    },
    Rule {
        id: "A2.9",
        what: "success is exit code 0",
        judge: exits_zero,
        mend: "exit with 0 whenever what was asked for is so",
    },
    Rule {
        id: "A2.10",
        what: "a failure is a non-zero exit code and JSON with status error, error and message",
        judge: fails_well,
        mend: "on every failure, an unknown option included, print {\"status\":\"error\",\"error\":…,\"message\":…} and exit 1",
    },
    Rule {
        id: "A2.11",
        what: "every call answers in its time (start 30 s, restart 40 s, status 5 s, shutdown 15 s)",
        judge: in_time,
        mend: "start the server in the background, and bound every wait",
    },
];

/// All of them, in order.
pub(super) fn judge(trial: &Trial) -> Vec<Criterion> {
    let judged = RULES.iter().map(|rule| {
        let verdict = (rule.judge)(trial);
        let ok = verdict.is_ok();
        let seen = verdict.unwrap_or_else(|objection| objection.0);
        Criterion { id: rule.id, what: rule.what, ok, seen, mend: (!ok).then_some(rule.mend) }
    });
    judged.collect()
}

fn starts(trial: &Trial) -> Verdict {
    let start = up(trial, trial.start.as_ref(), "--start")?;
    let (_, beside) = trial.beside.as_ref().ok_or("a call without an option was not tried")?;
    let plain = trial.call(beside.call);
    if plain.answer.is_none() {
        return against(format!("without an option: {}", plain.trouble));
    }
    Ok(format!("{} at {}", word(trial.call(start.0)), start.1.running.url))
}

fn fields(trial: &Trial) -> Verdict {
    let (call, server) = up(trial, trial.start.as_ref(), "--start")?;
    let answer = answer(trial.call(call))?;
    let mut bad: Vec<String> = Vec::new();
    if lenient::status(answer).as_deref() != Some("ready") {
        bad.push(format!("status is {}, not \"ready\"", shown(answer.get("status"))));
    }
    let url = lenient::text(answer, "url");
    if !url.is_some_and(|url| url.starts_with("http://") || url.starts_with("https://")) {
        bad.push(format!("url is {}", shown(answer.get("url"))));
    }
    for name in ["port", "pid"] {
        if !answer.get(name).is_some_and(Value::is_u64) {
            bad.push(format!("{name} is {}, not a number", shown(answer.get(name))));
        }
    }
    if server.running.pid.is_some() && server.process.is_none() {
        bad.push(format!("no process has the pid {}", shown(answer.get("pid"))));
    }
    let started = lenient::text(answer, "startedAt");
    if started.is_none_or(|time| time.parse::<jiff::Timestamp>().is_err()) {
        bad.push(format!(
            "startedAt is {}, not an ISO 8601 time with a zone",
            shown(answer.get("startedAt"))
        ));
    }
    if !answer.get("logs").is_some_and(Value::is_object) {
        bad.push(format!("logs is {}, not an object", shown(answer.get("logs"))));
    }
    if lenient::text(answer, "message").is_none() {
        bad.push(format!("message is {}", shown(answer.get("message"))));
    }
    bad.extend(server.unwell.clone());
    unless(&bad, "all seven, and the server answers")
}

fn idempotent(trial: &Trial) -> Verdict {
    let (_, server) = up(trial, trial.start.as_ref(), "--start")?;
    let (call, besides) = trial.again.as_ref().ok_or("it was not tried")?;
    let again = trial.call(*call);
    let answer = answer(again)?;
    if !besides.ended.is_empty() {
        let names: Vec<&str> = besides.ended.iter().map(|ended| ended.process.command.as_str()).collect();
        return against(format!("a second --start started: {}", names.join(", ")));
    }
    if lenient::status(answer).as_deref() != Some("already_running") {
        return against(format!("status is {}, not \"already_running\"", shown(answer.get("status"))));
    }
    if again.exit != Some(Exit::Code(0)) {
        return against(exit(again));
    }
    let pid = lenient::count(answer, "pid");
    if pid.is_some() && pid != server.running.pid {
        return against(format!(
            "pid is {}, but the server's is {:?}",
            shown(answer.get("pid")),
            server.running.pid
        ));
    }
    Ok("already_running, exit code 0".to_owned())
}

fn restarts(trial: &Trial) -> Verdict {
    let before = up(trial, trial.start.as_ref(), "--start")?.1;
    let (_, server) = up(trial, trial.restart.as_ref(), "--restart")?;
    if trial.old_lives {
        return against("the old server was still there afterwards");
    }
    if server.running.already {
        return against("status is \"already_running\": nothing was restarted");
    }
    if let Some(unwell) = &server.unwell {
        return against(format!("the new server does not answer: {unwell}"));
    }
    let pid = |server: &Server| server.running.pid.map_or("?".to_owned(), |pid| pid.to_string());
    let (old, new) = (pid(before), pid(server));
    Ok(format!("pid {old} on port {} became {new} on port {}", before.running.port, server.running.port))
}

fn tells(trial: &Trial) -> Verdict {
    let (_, server) = up(trial, trial.start.as_ref(), "--start")?;
    let status = trial.status.map(|call| trial.call(call)).ok_or("it was not tried")?;
    let running = answer(status)?;
    let mut bad = Vec::new();
    if lenient::status(running).as_deref() != Some("running") {
        bad.push(format!("status is {} while it runs, not \"running\"", shown(running.get("status"))));
    }
    if lenient::text(running, "url").is_none() {
        bad.push("url is missing".to_owned());
    }
    if lenient::count(running, "pid") != server.running.pid {
        bad.push(format!("pid is {}, not that of --start", shown(running.get("pid"))));
    }
    if lenient::truth(running, "healthy") != Some(true) {
        bad.push(format!("healthy is {} while it answers", shown(running.get("healthy"))));
    }
    let after = trial.status_after.map(|call| trial.call(call)).ok_or("it was not tried after a shutdown")?;
    let stopped = answer(after)?;
    if lenient::status(stopped).as_deref() != Some("stopped") {
        bad.push(format!("status is {} after the shutdown, not \"stopped\"", shown(stopped.get("status"))));
    }
    unless(&bad, "running and healthy, then stopped")
}

fn stops(trial: &Trial) -> Verdict {
    up(trial, trial.start.as_ref(), "--start")?;
    let shutdown = trial.shutdown.map(|call| trial.call(call)).ok_or("it was not tried")?;
    let answer = answer(shutdown)?;
    if lenient::status(answer).as_deref() != Some("stopped") {
        return against(format!("status is {}, not \"stopped\"", shown(answer.get("status"))));
    }
    if !trial.left.is_empty() {
        return against(format!("still there after the answer: {}", trial.left.join(", ")));
    }
    Ok("stopped, and nothing was left".to_owned())
}

fn free_port(trial: &Trial) -> Verdict {
    up(trial, trial.start.as_ref(), "--start")?;
    let (taken, tried) = trial.beside.as_ref().ok_or("it was not tried")?;
    let Some(server) = &tried.server else {
        let call = trial.call(tried.call);
        return against(format!("while port {taken} was taken: {}", why_not(call)));
    };
    if server.running.port == *taken {
        return against(format!("port {taken} was taken by another, and it answered that one"));
    }
    match &server.unwell {
        Some(unwell) => against(format!("while port {taken} was taken: {unwell}")),
        None => Ok(format!("port {} while {taken} was taken", server.running.port)),
    }
}

fn logs(trial: &Trial) -> Verdict {
    let (call, server) = up(trial, trial.start.as_ref(), "--start")?;
    let answer = answer(trial.call(call))?;
    let logs = answer.get("logs").and_then(Value::as_object).ok_or("there are no logs in the answer")?;
    let mut bad: Vec<String> = ["stdout", "stderr", "combined"]
        .iter()
        .filter(|name| !lenient::text(logs, name).is_some_and(|path| Path::new(&path).is_absolute()))
        .map(|name| format!("logs.{name} is {}, not an absolute path", shown(logs.get(*name))))
        .collect();
    bad.extend(server.logs_missing.iter().map(|missing| format!("{missing} is not a file")));
    unless(&bad, "three files")
}

fn exits_zero(trial: &Trial) -> Verdict {
    let right: Vec<&Seen> = trial.calls.iter().filter(|seen| seen.called != UNKNOWN).collect();
    let bad: Vec<String> = right
        .iter()
        .filter(|seen| seen.exit != Some(Exit::Code(0)))
        .map(|seen| format!("{} ended with {}", seen.called, exit(seen)))
        .collect();
    unless(&bad, format!("{} calls", right.len()))
}

fn fails_well(trial: &Trial) -> Verdict {
    let wrong = trial.wrong.map(|call| trial.call(call)).ok_or("it was not tried")?;
    if wrong.exit == Some(Exit::Code(0)) {
        return against(format!("called with {UNKNOWN} it exited with 0"));
    }
    let answer = answer(wrong).map_err(|why| format!("called with {UNKNOWN}: {why}"))?;
    let mut bad = Vec::new();
    if lenient::status(answer).as_deref() != Some("error") {
        bad.push(format!("status is {}, not \"error\"", shown(answer.get("status"))));
    }
    for name in ["error", "message"] {
        if lenient::any(answer, name).is_none() {
            bad.push(format!("{name} is missing"));
        }
    }
    unless(&bad, format!("{} for {UNKNOWN}", exit(wrong)))
}

fn in_time(trial: &Trial) -> Verdict {
    let late = trial.calls.iter().filter(|seen| seen.took >= seen.verb.limit());
    let bad: Vec<String> = late
        .map(|seen| format!("{} took more than {} s", seen.called, seen.verb.limit().as_secs()))
        .collect();
    if !bad.is_empty() {
        return against(bad.join("; "));
    }
    let slowest = trial.calls.iter().max_by_key(|seen| seen.took);
    Ok(slowest.map_or_else(String::new, |seen| {
        format!("the slowest was {} with {:.1} s", seen.called, seen.took.as_secs_f64())
    }))
}

/// The call and the server that it brought up.
fn up<'a>(trial: &'a Trial, tried: Option<&'a Tried>, name: &str) -> Result<(usize, &'a Server), Objection> {
    let tried = tried.ok_or_else(|| format!("{name} was not tried"))?;
    match &tried.server {
        Some(server) => Ok((tried.call, server)),
        None => against(format!("{name} brought up no server: {}", why_not(trial.call(tried.call)))),
    }
}

fn why_not(seen: &Seen) -> String {
    let Some(answer) = &seen.answer else { return seen.trouble.clone() };
    let message = lenient::any(answer, "message").or_else(|| lenient::any(answer, "error"));
    let message = message.map(|message| format!(", {}", base::clip::head(&message, 160))).unwrap_or_default();
    format!("status {}, {}{message}", shown(answer.get("status")), exit(seen))
}

fn answer(seen: &Seen) -> Result<&Object, Objection> {
    seen.answer.as_ref().ok_or_else(|| Objection(seen.trouble.clone()))
}

fn word(seen: &Seen) -> String {
    seen.answer.as_ref().and_then(lenient::status).unwrap_or_default()
}

fn exit(seen: &Seen) -> String {
    seen.exit.map_or_else(|| "no exit in its time".to_owned(), exit_words)
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "missing".to_owned(), |value| base::clip::head(&value.to_string(), 60).into_owned())
}
