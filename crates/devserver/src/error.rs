//! Why the server command did not do what it was asked, with what it said.

use std::path::PathBuf;
use std::time::Duration;

use base::scope::Interrupted;
use supervise::{Exit, SpawnError};

use crate::contract::{LogPaths, Verb};
use crate::lenient::{self, Object};
use crate::said::Said;

/// The command's own account of a failure (A2.10).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reported {
    /// `error`, as text.
    pub error: Option<String>,
    /// `message`.
    pub message: Option<String>,
    /// The logs that it names.
    pub logs: LogPaths,
}

impl Reported {
    /// Whether `object` tells of a failure, whatever the exit code says.
    pub(crate) fn is_one(object: &Object) -> bool {
        match lenient::status(object).as_deref() {
            Some(status) => matches!(status, "error" | "failed" | "failure"),
            None => lenient::any(object, "error").is_some(),
        }
    }

    /// What `object` says about a failure, if it says anything.
    pub(crate) fn read(object: &Object) -> Option<Self> {
        let (error, message) = (lenient::any(object, "error"), lenient::text(object, "message"));
        let told = error.is_some() || message.is_some() || Self::is_one(object);
        told.then(|| Self { error, message, logs: LogPaths::read(object, &mut Vec::new()) })
    }

    fn in_one_line(&self) -> String {
        match (&self.error, &self.message) {
            (Some(error), Some(message)) if error != message => format!("{error}: {message}"),
            (Some(text), _) | (None, Some(text)) => text.clone(),
            (None, None) => "it gives no reason".to_owned(),
        }
    }
}

/// Why a call of the server command failed. Nothing of it runs any more.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The path is relative.
    #[error("the server command must be an absolute path, and {} is not", path.display())]
    NotAbsolute {
        /// As it was given.
        path: PathBuf,
    },
    /// There is no such file.
    #[error("the server command {} does not exist", path.display())]
    NotFound {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// It may not be executed, or is no file.
    #[error("the server command {} can't be executed; make it an executable file (chmod +x)", path.display())]
    PermissionDenied {
        /// Which one.
        path: PathBuf,
    },
    /// It did not answer in its time (A2.11).
    #[error("the server command did not answer {verb} within {} s{}", limit.as_secs(), last_words(said))]
    Timeout {
        /// What it was asked.
        verb: Verb,
        /// How long it had.
        limit: Duration,
        /// What it had said by then.
        said: Said,
    },
    /// It failed by its exit code.
    #[error("the server command failed on {verb} with {}{}", exit_words(*exit), reason(reported.as_deref(), said))]
    NonZeroExit {
        /// What it was asked.
        verb: Verb,
        /// How it ended.
        exit: Exit,
        /// What it said.
        said: Said,
        /// Its own account, if it gave one.
        reported: Option<Box<Reported>>,
    },
    /// Its answer can't be understood.
    #[error("the server command's answer to {verb} can't be used: {why}")]
    InvalidJson {
        /// What it was asked.
        verb: Verb,
        /// What is wrong.
        why: String,
        /// What was read.
        said: Said,
    },
    /// It answered that it failed, though its exit code says success.
    #[error("the server command reports an error on {verb}: {}", reported.in_one_line())]
    Reported {
        /// What it was asked.
        verb: Verb,
        /// Its own account.
        reported: Box<Reported>,
        /// What it said.
        said: Said,
    },
    /// The call was cancelled or used up its own time.
    #[error("the server command was ended on {verb}: {why}")]
    Interrupted {
        /// What it was asked.
        verb: Verb,
        /// Which of the two.
        why: Interrupted,
        /// What it had said by then.
        said: Said,
    },
    /// It could not be started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
}

impl CommandError {
    /// What went wrong, as A-design names it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotFound { .. } | Self::Spawn(SpawnError::NotFound { .. }) => "command_not_found",
            Self::PermissionDenied { .. } | Self::Spawn(SpawnError::PermissionDenied { .. }) => {
                "permission_denied"
            }
            Self::NotAbsolute { .. } => "invalid_input",
            Self::Timeout { .. } => "timeout",
            Self::NonZeroExit { .. } => "non_zero_exit",
            Self::InvalidJson { .. } => "invalid_json",
            Self::Interrupted { why: Interrupted::Deadline, .. } => "timeout",
            Self::Interrupted { why: Interrupted::Cancelled, .. } => "cancelled",
            Self::Reported { verb: Verb::Shutdown, .. } => "shutdown_failed",
            Self::Reported { .. } | Self::Spawn(_) => "server_start_failed",
        }
    }

    /// What the call as a whole failed with: every failed start is `server_start_failed` and every failed shutdown
    /// `shutdown_failed`, whatever the detail. A command that can't be run at all keeps its own name.
    pub fn outcome(&self) -> &'static str {
        match self.verb() {
            Some(Verb::Start | Verb::Restart) if self.kind() != "cancelled" => "server_start_failed",
            Some(Verb::Shutdown) if self.kind() != "cancelled" => "shutdown_failed",
            _ => self.kind(),
        }
    }

    /// What the command was asked, if it ran.
    pub fn verb(&self) -> Option<Verb> {
        match self {
            Self::Timeout { verb, .. }
            | Self::NonZeroExit { verb, .. }
            | Self::InvalidJson { verb, .. }
            | Self::Reported { verb, .. }
            | Self::Interrupted { verb, .. } => Some(*verb),
            _ => None,
        }
    }

    /// What the command said, if it ran.
    pub fn said(&self) -> Option<&Said> {
        match self {
            Self::Timeout { said, .. }
            | Self::NonZeroExit { said, .. }
            | Self::InvalidJson { said, .. }
            | Self::Reported { said, .. }
            | Self::Interrupted { said, .. } => Some(said),
            _ => None,
        }
    }

    /// The command's own account of its failure, if it gave one.
    pub fn reported(&self) -> Option<&Reported> {
        match self {
            Self::NonZeroExit { reported, .. } => reported.as_deref(),
            Self::Reported { reported, .. } => Some(reported),
            _ => None,
        }
    }
}

/// `exit code 3`
pub(crate) fn exit_words(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
        Exit::Unknown => "an unknown exit".to_owned(),
    }
}

fn reason(reported: Option<&Reported>, said: &Said) -> String {
    match reported {
        Some(reported) => format!(": {}", reported.in_one_line()),
        None => last_words(said),
    }
}

fn last_words(said: &Said) -> String {
    said.last_line().map_or_else(String::new, |line| format!("; its last words: {line}"))
}
