//! The server command's contract (seed A, requirement 2) as types: lenient in what is accepted, exact in what is said.
//!
//! Unknown fields are ignored, missing ones are completed where that is possible (the port from the URL, the URL from
//! the port), other words for the same state are understood. What was odd is noted, so that it can be mended.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use url::Url;

use crate::lenient::{self, Object};

/// What the command is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Start the dev server, unless it runs.
    Start,
    /// Say how it is.
    Status,
    /// Stop it and start it anew.
    Restart,
    /// Stop it.
    Shutdown,
}

impl Verb {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Start, Self::Status, Self::Restart, Self::Shutdown];

    /// The option that says it.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Start => "--start",
            Self::Status => "--status",
            Self::Restart => "--restart",
            Self::Shutdown => "--shutdown",
        }
    }

    /// How long the command may take (A2.11).
    pub fn limit(self) -> Duration {
        Duration::from_secs(match self {
            Self::Start => 30,
            Self::Status => 5,
            Self::Restart => 40,
            Self::Shutdown => 15,
        })
    }
}

impl std::fmt::Display for Verb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.flag())
    }
}

/// Where the dev server's output goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogPaths {
    /// Its standard output.
    pub stdout: Option<PathBuf>,
    /// Its standard error.
    pub stderr: Option<PathBuf>,
    /// Both.
    pub combined: Option<PathBuf>,
}

impl LogPaths {
    /// Whether no log is known.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The logs there are, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        [("stdout", &self.stdout), ("stderr", &self.stderr), ("combined", &self.combined)]
            .into_iter()
            .filter_map(|(name, path)| Some((name, path.as_ref()?)))
    }

    /// Takes absolute paths only: a relative one would mean something else to everyone who reads it.
    pub(crate) fn read(object: &Object, notes: &mut Vec<String>) -> Self {
        let Some(Value::Object(logs)) = object.get("logs") else { return Self::default() };
        let mut path = |name: &str| {
            let path = PathBuf::from(lenient::text(logs, name)?);
            if path.is_absolute() {
                return Some(path);
            }
            notes.push(format!("logs.{name} is not an absolute path and was left out: {}", path.display()));
            None
        };
        Self { stdout: path("stdout"), stderr: path("stderr"), combined: path("combined") }
    }
}

/// A dev server that runs, as `--start` and `--restart` answer it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// Where it answers.
    pub url: String,
    /// Its port.
    pub port: u16,
    /// Its process.
    pub pid: Option<u32>,
    /// When it started, as the command wrote it.
    pub started_at: Option<String>,
    /// Its logs.
    pub logs: LogPaths,
    /// What the command says to people.
    pub message: Option<String>,
    /// It ran before the command was called (`already_running`).
    pub already: bool,
    /// The process that a restart ended.
    pub previous_pid: Option<u32>,
    /// The port that it had.
    pub previous_port: Option<u16>,
    /// What was odd about the answer.
    pub notes: Vec<String>,
}

/// Why an answer can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unusable(pub(crate) String);

const RUNNING_WORDS: &[&str] = &["ready", "started", "running", "already_running", "restarted"];

impl Running {
    /// Reads the answer to `--start` or `--restart`.
    ///
    /// # Errors
    /// [`Unusable`] when the server does not run by its own account, or can't be found: no URL and no port.
    pub fn read(object: &Object) -> Result<Self, Unusable> {
        let mut notes = Vec::new();
        let status = lenient::status(object);
        match status.as_deref() {
            None => notes.push("there is no `status`; it was taken for \"ready\"".to_owned()),
            Some(word) if RUNNING_WORDS.contains(&word) => {}
            Some(word @ ("stopped" | "unhealthy" | "starting" | "not_running")) => {
                return Err(Unusable(format!("`status` is \"{word}\", so the server is not ready")));
            }
            Some(word) => notes.push(format!("`status` is \"{word}\"; it was taken for \"ready\"")),
        }
        let (url, port) = address(object, &mut notes)?;
        let pid = lenient::count(object, "pid");
        if pid.is_none() {
            notes.push("there is no `pid`, so the server's end can't be proven".to_owned());
        }
        let logs = LogPaths::read(object, &mut notes);
        Ok(Self {
            url,
            port,
            pid,
            started_at: lenient::text(object, "startedAt"),
            logs,
            message: lenient::text(object, "message"),
            already: status.as_deref() == Some("already_running"),
            previous_pid: lenient::count(object, "previousPid"),
            previous_port: lenient::port(object, "previousPort"),
            notes,
        })
    }
}

/// The URL and the port; each completes the other.
fn address(object: &Object, notes: &mut Vec<String>) -> Result<(String, u16), Unusable> {
    let port = lenient::port(object, "port");
    let written = lenient::text(object, "url");
    let url = written.as_deref().and_then(|url| Url::parse(url).ok());
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some());
    if let (Some(written), None) = (&written, &url) {
        notes.push(format!("`url` is not an http URL: {}", base::clip::head(written, 100)));
    }
    match (url, port) {
        (Some(url), port) => {
            let of_url = url.port_or_known_default().unwrap_or(80);
            if let Some(port) = port.filter(|port| *port != of_url) {
                notes.push(format!("`port` is {port}, but the URL's is {of_url}; the URL's was taken"));
            }
            Ok((written.unwrap_or_else(|| url.to_string()), of_url))
        }
        (None, Some(port)) => {
            notes.push("`url` was made from `port`".to_owned());
            Ok((format!("http://localhost:{port}"), port))
        }
        (None, None) => Err(Unusable("neither `url` nor `port` says where the server answers".to_owned())),
    }
}

/// How a dev server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It runs.
    Running,
    /// It does not.
    Stopped,
    /// It runs, but does not answer as it should.
    Unhealthy,
}

impl State {
    /// The contract's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Unhealthy => "unhealthy",
        }
    }
}

/// The answer to `--status`.
#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    /// How it is.
    pub state: State,
    /// Where it answers.
    pub url: Option<String>,
    /// Its port.
    pub port: Option<u16>,
    /// Its process.
    pub pid: Option<u32>,
    /// How long it has run, in seconds.
    pub uptime: Option<f64>,
    /// Whether the command found it answering.
    pub healthy: Option<bool>,
    /// Its logs.
    pub logs: LogPaths,
    /// What the command says to people.
    pub message: Option<String>,
    /// The answer as it came.
    pub raw: Value,
}

impl Status {
    /// Reads the answer to `--status`.
    ///
    /// # Errors
    /// [`Unusable`] when it does not say how the server is.
    pub fn read(object: &Object) -> Result<Self, Unusable> {
        let healthy = lenient::truth(object, "healthy");
        let state = match lenient::status(object).as_deref() {
            Some("running" | "ready" | "started" | "already_running" | "restarted" | "healthy") => {
                if healthy == Some(false) { State::Unhealthy } else { State::Running }
            }
            Some("stopped" | "not_running" | "already_stopped") => State::Stopped,
            Some("unhealthy" | "starting" | "error" | "failed") => State::Unhealthy,
            other => {
                let seen = other.map_or("missing".to_owned(), |word| format!("\"{word}\""));
                return Err(Unusable(format!(
                    "`status` is {seen}; expected \"running\", \"stopped\" or \"unhealthy\""
                )));
            }
        };
        let mut unheard = Vec::new();
        let address = address(object, &mut unheard).ok();
        let (url, port) = address.map_or((None, None), |(url, port)| (Some(url), Some(port)));
        Ok(Self {
            state,
            url,
            port,
            pid: lenient::count(object, "pid"),
            uptime: lenient::number(object, "uptime"),
            healthy,
            logs: LogPaths::read(object, &mut unheard),
            message: lenient::text(object, "message"),
            raw: Value::Object(object.clone()),
        })
    }
}

/// The answer to `--shutdown`.
#[derive(Debug, Clone, PartialEq)]
pub struct Stopped {
    /// The process that was ended.
    pub previous_pid: Option<u32>,
    /// The port that it had.
    pub previous_port: Option<u16>,
    /// How long it had run, in seconds.
    pub uptime: Option<f64>,
    /// What the command says to people.
    pub message: Option<String>,
    /// Whether there was something to stop.
    pub was_running: bool,
}

impl Stopped {
    /// Reads the answer to `--shutdown`.
    ///
    /// # Errors
    /// [`Unusable`] when the server still runs by the command's own account.
    pub fn read(object: &Object) -> Result<Self, Unusable> {
        let status = lenient::status(object);
        if let Some(word @ ("running" | "unhealthy" | "ready" | "already_running")) = status.as_deref() {
            return Err(Unusable(format!("`status` is \"{word}\" after a shutdown; expected \"stopped\"")));
        }
        let previous_pid = lenient::count(object, "previousPid");
        let previous_port = lenient::port(object, "previousPort");
        let nothing_ran = matches!(status.as_deref(), Some("already_stopped" | "not_running"));
        Ok(Self {
            previous_pid,
            previous_port,
            uptime: lenient::number(object, "uptime"),
            message: lenient::text(object, "message"),
            was_running: !nothing_ran && (previous_pid.is_some() || previous_port.is_some()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> Object {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_seeds_own_answers_are_read_without_a_note() {
        let start = object(
            r#"{"status":"ready","url":"http://localhost:3542","port":3542,"pid":12345,"startedAt":"2025-11-02T10:30:00Z",
            "logs":{"stdout":"/tmp/a.out","stderr":"/tmp/a.err","combined":"/tmp/a.log"},"message":"started"}"#,
        );
        let running = Running::read(&start).unwrap();
        assert_eq!(running.notes, Vec::<String>::new());
        assert_eq!((running.port, running.pid, running.already), (3542, Some(12345), false));
        assert_eq!(running.logs.stderr.as_deref(), Some("/tmp/a.err".as_ref()));
        assert_eq!(running.started_at.as_deref(), Some("2025-11-02T10:30:00Z"));

        let status = object(
            r#"{"status":"running","url":"http://localhost:3542","port":3542,"pid":1,"uptime":3600,"healthy":true}"#,
        );
        let status = Status::read(&status).unwrap();
        assert_eq!((status.state, status.uptime, status.healthy), (State::Running, Some(3600.0), Some(true)));

        let stopped = object(r#"{"status":"stopped","previousPid":12345,"previousPort":3542,"uptime":3600}"#);
        assert!(Stopped::read(&stopped).unwrap().was_running);
        assert!(!Stopped::read(&object(r#"{"status":"stopped"}"#)).unwrap().was_running);
        assert!(Stopped::read(&object(r#"{"status":"force_stopped","previousPid":1}"#)).unwrap().was_running);

        let restarted =
            object(r#"{"status":"restarted","url":"http://localhost:2","port":2,"previousPort":1,"pid":4}"#);
        assert_eq!(Running::read(&restarted).unwrap().previous_port, Some(1));
    }

    #[test]
    fn one_of_url_and_port_is_enough() {
        let by_port = Running::read(&object(r#"{"status":"READY","port":"3000","pid":"7"}"#)).unwrap();
        assert_eq!(
            (by_port.url.as_str(), by_port.port, by_port.pid),
            ("http://localhost:3000", 3000, Some(7))
        );
        let by_url = Running::read(&object(r#"{"status":"started","url":"https://localhost/app"}"#)).unwrap();
        assert_eq!((by_url.url.as_str(), by_url.port), ("https://localhost/app", 443));
        let neither = Running::read(&object(r#"{"status":"ready","url":"localhost:3000"}"#)).unwrap_err();
        assert!(neither.to_string().contains("neither"), "{neither}");
    }

    #[test]
    fn odd_answers_are_taken_and_noted() {
        let odd = object(
            r#"{"status":"up","url":"http://localhost:1","port":2,"logs":{"stdout":"a.log","stderr":"/b.log"}}"#,
        );
        let odd = Running::read(&odd).unwrap();
        assert_eq!((odd.port, odd.logs.stdout), (1, None));
        for word in ["\"up\"", "`port` is 2", "`pid`", "logs.stdout"] {
            assert!(odd.notes.iter().any(|note| note.contains(word)), "{word}: {:?}", odd.notes);
        }
        assert!(Running::read(&object(r#"{"status":"already-running","port":1}"#)).unwrap().already);
    }

    #[test]
    fn an_answer_that_contradicts_the_question_is_unusable() {
        assert!(Running::read(&object(r#"{"status":"stopped","port":1}"#)).is_err());
        assert!(Stopped::read(&object(r#"{"status":"running"}"#)).is_err());
        assert!(Status::read(&object(r#"{"status":"perhaps"}"#)).is_err());
        let ill = Status::read(&object(r#"{"status":"running","healthy":"false"}"#)).unwrap();
        assert_eq!(ill.state, State::Unhealthy);
        assert_eq!(Status::read(&object(r#"{"status":"error"}"#)).unwrap().state, State::Unhealthy);
    }
}
