//! What a run came to, told three times: as the tool's answer, as summary.json and as summary.md (B4, B5.4, B5.5, B6).

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use supervise::{EndedBy, Exit, Process, StopReport};

use crate::controller::{Expired, Limits};
use crate::failures::Failure;
use crate::folder::ReportFolder;
use crate::request::Request;
use crate::run::{Ending, Finished};

/// How a run ended, in seed B's words (B6.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Exit code 0.
    Pass,
    /// Another exit code, or a signal.
    Fail,
    /// Ended by us: it took longer than `timeout_ms`.
    Timeout,
    /// Ended by us: it said nothing for `no_output_timeout_ms`.
    NoOutput,
    /// It could not be run to its end.
    Error,
}

/// The tool's answer.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Report {
    /// How it ended.
    pub status: Status,
    /// The same in one line, with what is worth knowing.
    pub message: String,
    /// The runner's exit code; null if it was ended by a signal or by us.
    pub exit_code: Option<i32>,
    /// The signal that ended it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// From its start to its end.
    pub duration_ms: u64,
    /// What failed, as far as the output tells.
    pub failures: Vec<Failure>,
    /// How many more failed.
    #[serde(skip_serializing_if = "is_zero")]
    pub failures_left_out: usize,
    /// The lines that matter, with context, from the log's end.
    pub excerpt: String,
    /// The artifacts' folder.
    pub report_dir: PathBuf,
    /// The artifacts.
    pub artifacts: Artifacts,
    /// Processes that we had to end, if any.
    #[serde(skip_serializing_if = "Leftovers::is_empty")]
    pub processes: Leftovers,
    /// What went wrong beside the tests, if anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Where the three files are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Artifacts {
    /// Everything that was printed.
    pub raw_log: PathBuf,
    /// The summary for people.
    pub summary_md: PathBuf,
    /// The summary for programs.
    pub summary_json: PathBuf,
}

/// Processes that outlived the run, at most a handful of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Leftovers {
    /// Ended when they were asked to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<String>,
    /// Resisted and were killed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub killed: Vec<String>,
    /// Could not be ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub survived: Vec<String>,
}

/// As many processes as are named in each list.
const NAMED: usize = 5;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Report {
    /// What is known without a look at the log.
    pub(crate) fn of(request: &Request, folder: &ReportFolder, finished: &Finished) -> Self {
        let (status, exit_code, signal) = judge(finished.ending);
        Self {
            status,
            message: message(finished, request.limits),
            exit_code,
            signal,
            duration_ms: u64::try_from(finished.duration.as_millis()).unwrap_or(u64::MAX),
            failures: Vec::new(),
            failures_left_out: 0,
            excerpt: String::new(),
            report_dir: folder.path().to_owned(),
            artifacts: Artifacts {
                raw_log: folder.raw_log(),
                summary_md: folder.summary_md(),
                summary_json: folder.summary_json(),
            },
            processes: Leftovers::of(&finished.stopped),
            warnings: Vec::new(),
        }
    }

    /// Adds what went wrong beside the tests.
    #[must_use]
    pub(crate) fn warn(mut self, warning: impl Into<String>) -> Self {
        self.warnings.push(warning.into());
        self
    }
}

impl Leftovers {
    pub(crate) fn of(stopped: &StopReport) -> Self {
        let by = |how| stopped.ended.iter().filter(move |ended| ended.by == how).map(|ended| &ended.process);
        Self {
            ended: named(by(EndedBy::Term)),
            killed: named(by(EndedBy::Kill)),
            survived: named(stopped.survivors.iter()),
        }
    }

    fn is_empty(&self) -> bool {
        self.ended.is_empty() && self.killed.is_empty() && self.survived.is_empty()
    }
}

fn named<'a>(processes: impl Iterator<Item = &'a Process>) -> Vec<String> {
    let all: Vec<String> =
        processes.map(|process| format!("{} (pid {})", process.command, process.pid)).collect();
    let more = all.len().saturating_sub(NAMED);
    let mut shown: Vec<String> = all.into_iter().take(NAMED).collect();
    if more > 0 {
        shown.push(format!("… and {more} more"));
    }
    shown
}

/// Status, exit code and signal of a run (B3.2, B3.3, B3.5, BP6).
fn judge(ending: Ending) -> (Status, Option<i32>, Option<i32>) {
    match ending {
        Ending::Exited(Exit::Code(0)) => (Status::Pass, Some(0), None),
        Ending::Exited(Exit::Code(code)) => (Status::Fail, Some(code), None),
        Ending::Exited(Exit::Signal(signal)) => (Status::Fail, None, Some(signal)),
        Ending::Exited(Exit::Unknown) | Ending::Cancelled => (Status::Error, None, None),
        Ending::Expired(Expired::Total) => (Status::Timeout, None, None),
        Ending::Expired(Expired::Silence { .. }) => (Status::NoOutput, None, None),
    }
}

/// The one line that says what happened, and why where we know it.
fn message(finished: &Finished, limits: Limits) -> String {
    let told = match finished.ending {
        Ending::Exited(Exit::Code(0)) => format!("passed in {} ms", finished.duration.as_millis()),
        Ending::Exited(Exit::Code(code)) => format!("failed with exit code {code}"),
        Ending::Exited(Exit::Signal(signal)) => format!("the runner was ended by signal {signal}"),
        Ending::Exited(Exit::Unknown) => "the runner was lost: its watchdog was killed".to_owned(),
        Ending::Cancelled => format!("cancelled after {} ms", finished.duration.as_millis()),
        Ending::Expired(Expired::Total) => {
            format!("not done after {} ms, the time limit; {}", limits.total.as_millis(), last(finished))
        }
        Ending::Expired(Expired::Silence { .. }) => {
            format!("no output for {} ms; {}", limits.silence.as_millis(), last(finished))
        }
    };
    told + &left_running(finished)
}

fn last(finished: &Finished) -> String {
    if finished.last_line.is_empty() {
        "it had said nothing at all".to_owned()
    } else {
        format!("last line: {}", finished.last_line)
    }
}

/// Names what was running: the silent program of a time-out, or what outlived its runner.
fn left_running(finished: &Finished) -> String {
    let stopped = &finished.stopped;
    let alive: Vec<&Process> =
        stopped.ended.iter().map(|ended| &ended.process).chain(&stopped.survivors).collect();
    let Some(newest) = alive.last() else { return String::new() };
    let what = match finished.ending {
        Ending::Exited(_) => "left running and ended",
        Ending::Expired(_) | Ending::Cancelled => "running then",
    };
    let others = match alive.len() {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    format!("; {what}: {}{others}", newest.command)
}
