//! Completes a report with what is in the log, and writes the two summaries (B4.2, B4.3, B5, BP10).

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use supervise::Exit;

use crate::extract::{self, Extraction};
use crate::failures::Failures;
use crate::folder::ReportFolder;
use crate::report::{Report, Status};
use crate::request::Request;
use crate::run::{Ending, Finished};
use crate::runners::{CommandLine, Scope};
use crate::time;

/// More of a log than this is never looked at, whatever was asked: finding what matters must not take longer than
/// the agent waits.
const LARGEST_WINDOW: u64 = 64 << 20;
/// What excerpt and failures may have in the tool's answer, in characters; the summaries have everything.
const EXCERPT: usize = 8_000;
const EXCERPT_OF_A_PASS: usize = 1_500;
const FAILURES: usize = 20;
const FAILURE_MESSAGE: usize = 600;

/// A warning for those who take `pass` for proof.
const NOTHING_RAN: &str = "no tests ran; check the target, and what the project skips";

/// What a log says.
#[derive(Debug, Default)]
struct Found {
    extraction: Extraction,
    failures: Failures,
    nothing_ran: bool,
}

/// Everything about a run that is over.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) request: Request,
    pub(crate) command: CommandLine,
    pub(crate) folder: ReportFolder,
    /// The workspace's folder, to which the failures' files are relative.
    pub(crate) root: PathBuf,
    pub(crate) started_at: i64,
    pub(crate) finished: Finished,
}

impl Summary {
    /// Looks at the log, completes the report and writes both summaries. Blocking.
    pub(crate) fn complete(self, report: &mut Report) {
        if let Some(cut_short) = &self.finished.recorded.cut_short {
            report.warnings.push(format!("raw.log is incomplete: {}", cut_short.why));
        }
        let Found { extraction, failures, nothing_ran } = self.look().unwrap_or_else(|error| {
            report.warnings.push(format!("raw.log can't be read back: {error}"));
            Found::default()
        });
        if nothing_ran {
            report.message.push_str("; no tests ran");
            report.warnings.push(NOTHING_RAN.to_owned());
        }
        let found = failures.list.len() + failures.left_out;
        if found > 0 {
            let _ = write!(report.message, "; failures found: {found}");
        }
        let whole = self.to_json(report, &extraction, &failures);
        let page = self.to_markdown(report, &extraction, &failures);
        let files = [(self.folder.summary_json(), format!("{whole:#}\n")), (self.folder.summary_md(), page)];
        for (path, text) in files {
            if let Err(error) = create(&path, &text) {
                report.warnings.push(format!("{} can't be written: {error}", path.display()));
            }
        }
        report.failures = failures.list.iter().take(FAILURES).cloned().collect();
        for failure in &mut report.failures {
            failure.message = base::clip::middle(&failure.message, FAILURE_MESSAGE).into_owned();
        }
        report.failures_left_out = found - report.failures.len();
        report.excerpt = excerpt(report.status, &extraction);
    }

    /// Reads the log's end, or what memory kept of it when the disk was full.
    fn look(&self) -> io::Result<Found> {
        let mut limits = extract::Limits::last(self.request.max_output_bytes.min(LARGEST_WINDOW));
        let recorded = &self.finished.recorded;
        match &recorded.cut_short {
            Some(cut_short) if !cut_short.tail.is_empty() => {
                self.look_into(&mut Cursor::new(&cut_short.tail), &limits)
            }
            _ => {
                limits.log_lines = Some(recorded.lines);
                self.look_into(&mut File::open(self.folder.raw_log())?, &limits)
            }
        }
    }

    fn look_into<R: Read + Seek>(&self, log: &mut R, limits: &extract::Limits) -> io::Result<Found> {
        let mut reader = self.request.runner.extractor();
        let mut census = self.request.runner.census();
        let extraction = extract::extract_and_show(log, limits, |line| {
            reader.line(line);
            census.line(line);
        })?;
        // A reader believes the output, also that of a suite that tests failing ones; the exit code knows better.
        let passed = self.finished.ending == Ending::Exited(Exit::Code(0));
        let failures = if passed { Failures::default() } else { reader.finish().relative_to(&self.root) };
        // What lies before the window may have had tests, and a test that failed did run.
        let whole = extraction.window.bytes == extraction.window.log_bytes;
        let nothing_ran = whole
            && self.finished.recorded.cut_short.is_none()
            && failures.list.iter().all(|failure| failure.test.is_none())
            && census.nothing_ran();
        Ok(Found { extraction, failures, nothing_ran })
    }

    fn scope(&self) -> (&'static str, Option<String>) {
        match &self.request.scope {
            Scope::All => ("all", None),
            Scope::File(file) => ("file", Some(file.relative().display().to_string())),
            Scope::Pattern(pattern) => ("pattern", Some(pattern.clone())),
        }
    }

    fn to_json(&self, report: &Report, extraction: &Extraction, failures: &Failures) -> Value {
        let (scope, target) = self.scope();
        let excerpts: Vec<String> =
            extraction.excerpts.iter().map(|excerpt| excerpt.headed(&extraction.window)).collect();
        let args: Vec<_> = self.command.args.iter().map(|arg| arg.to_string_lossy()).collect();
        json!({
            "status": report.status,
            "message": report.message,
            "runner": self.request.runner.name,
            "scope": scope,
            "target": target,
            "command": self.command.to_string(),
            "program": self.command.program.display().to_string(),
            "args": args,
            "exit_code": report.exit_code,
            "signal": report.signal,
            "started_at": time::rfc3339(self.started_at),
            "duration_ms": report.duration_ms,
            "timeout_ms": millis(self.request.limits.total),
            "no_output_timeout_ms": millis(self.request.limits.silence),
            "max_output_bytes": self.request.max_output_bytes,
            "failures": failures.list,
            "failures_left_out": failures.left_out,
            "excerpts": excerpts,
            "excerpts_left_out": extraction.left_out,
            "tail_lines": extraction.tail_lines,
            "window": extraction.window,
            "processes": report.processes,
            "warnings": report.warnings,
            "artifacts": report.artifacts,
        })
    }

    fn to_markdown(&self, report: &Report, extraction: &Extraction, failures: &Failures) -> String {
        let mut page = format!("# {}: {}\n\n", status_word(report.status), self.command);
        let exit = report.exit_code.map_or_else(|| "none".to_owned(), |code| code.to_string());
        let facts = [
            ("what happened", report.message.clone()),
            ("command", format!("`{}`", self.command)),
            ("program", format!("`{}`", self.command.program.display())),
            ("exit code", exit),
            ("started", time::rfc3339(self.started_at)),
            ("duration", format!("{} ms", report.duration_ms)),
            (
                "limits",
                format!(
                    "{} ms in all, {} ms without output",
                    millis(self.request.limits.total),
                    millis(self.request.limits.silence)
                ),
            ),
        ];
        page.push_str("| | |\n|---|---|\n");
        for (name, value) in facts {
            let _ = writeln!(page, "| {name} | {} |", value.replace('|', "\\|").replace('\n', " "));
        }
        list(&mut page, "Warnings", &report.warnings);
        list(&mut page, "Processes that ended when asked to", &report.processes.ended);
        list(&mut page, "Processes that had to be killed", &report.processes.killed);
        list(&mut page, "Processes that could not be ended", &report.processes.survived);
        if !failures.list.is_empty() {
            let _ = writeln!(page, "\n## Failures\n");
            for failure in &failures.list {
                let _ = writeln!(page, "### {}\n\n{}", failure.title(), fenced(&failure.message));
            }
            if failures.left_out > 0 {
                let _ = writeln!(page, "… and {} more; see raw.log", failures.left_out);
            }
        }
        if !extraction.excerpts.is_empty() {
            let _ = writeln!(page, "\n## Excerpts\n\n{}", fenced(&extraction.text()));
        }
        let _ = writeln!(page, "\n## Last lines\n\n{}", fenced(&extraction.tail_lines.join("\n")));
        page
    }
}

/// The excerpt of the tool's answer: what matters, and, unless all is well, how the log ends.
fn excerpt(status: Status, extraction: &Extraction) -> String {
    let matters = extraction.text();
    if status == Status::Pass {
        return base::clip::tail(&matters, EXCERPT_OF_A_PASS).into_owned();
    }
    let ends_within = extraction
        .excerpts
        .last()
        .zip(extraction.tail_lines.last())
        .is_some_and(|(block, last)| block.text.ends_with(last.as_str()));
    if ends_within || extraction.tail_lines.is_empty() {
        return base::clip::middle(&matters, EXCERPT).into_owned();
    }
    let last_lines = format!("[last lines]\n  {}", extraction.tail_lines.join("\n  "));
    let room = EXCERPT.saturating_sub(last_lines.chars().count());
    let matters = base::clip::middle(&matters, room);
    let between = if matters.is_empty() { "" } else { "\n\n" };
    format!("{matters}{between}{}", base::clip::tail(&last_lines, EXCERPT))
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    File::options().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pass => "Passed",
        Status::Fail => "Failed",
        Status::Timeout => "Timed out",
        Status::NoOutput => "No output",
        Status::Error => "Error",
    }
}

fn list(page: &mut String, title: &str, items: &[String]) {
    if !items.is_empty() {
        let _ = writeln!(page, "\n## {title}\n");
        for item in items {
            let _ = writeln!(page, "- {}", item.replace('\n', " "));
        }
    }
}

/// A code block whose fence is longer than any in the text.
fn fenced(text: &str) -> String {
    let longest = text.lines().map(|line| line.len() - line.trim_start_matches('`').len()).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::time::Duration;

    use base::Workspace;
    use proptest::prelude::*;
    use supervise::StopReport;

    use crate::controller::{Expired, Limits};
    use crate::folder::Folders;
    use crate::recorder::{CutShort, Recorded};

    /// Completes the report of a run of `flutter test` that printed `log`.
    fn completed(log: &[u8], ending: Ending, cut_short: Option<CutShort>) -> (tempfile::TempDir, Report) {
        let root = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(root.path(), None).unwrap();
        let folder = Folders::default().claim(None, &workspace).unwrap();
        std::fs::write(folder.raw_log(), log).unwrap();
        let request = Request {
            runner: crate::runners::find("flutter").unwrap(),
            scope: Scope::Pattern("lo|gin".to_owned()),
            limits: Limits { total: Duration::from_secs(9), silence: Duration::from_secs(3) },
            max_output_bytes: 1 << 20,
            report_dir: None,
        };
        let args = ["test", "--name", "lo|gin"].map(OsString::from).to_vec();
        let command =
            CommandLine { program: "/opt/flutter/bin/flutter".into(), args, env: vec![], unset: vec![] };
        let finished = Finished {
            ending,
            duration: Duration::from_millis(1234),
            last_line: "last words".to_owned(),
            stopped: StopReport::default(),
            recorded: Recorded { lines: 0, cut_short },
        };
        let mut report = Report::of(&request, &folder, &finished);
        let root_path = root.path().to_owned();
        Summary { request, command, folder, root: root_path, started_at: 0, finished }.complete(&mut report);
        (root, report)
    }

    fn read(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        /// BP10: whatever a run printed and however it ended, summary.json has every field, and summary.md is there.
        #[test]
        fn whatever_is_printed_the_summary_has_every_field(
            lines in prop::collection::vec("(FAILED|Exception|`{0,5}|\\||\\PC){0,6}", 0..30),
            code in prop::option::of(0i32..3),
        ) {
            let log: String = lines.iter().map(|line| format!("[2026-01-12T12:34:56.789Z] [stdout] {line}\n")).collect();
            let ending = code.map_or(Ending::Expired(Expired::Total), |code| Ending::Exited(Exit::Code(code)));
            let (_root, report) = completed(log.as_bytes(), ending, None);
            let summary: Value = serde_json::from_str(&read(&report.artifacts.summary_json)).unwrap();
            for field in ["command", "exit_code", "status", "duration_ms", "excerpts", "tail_lines"] {
                prop_assert!(summary.get(field).is_some(), "{}", field);
            }
            prop_assert!(read(&report.artifacts.summary_md).contains("## Last lines"));
            prop_assert!(report.excerpt.chars().count() <= EXCERPT + 100);
        }
    }

    #[test]
    fn the_page_for_people_reads_well() {
        let log = "[2026-01-12T12:34:56.789Z] [stdout] 00:01 +0: logs in\n\
                   [2026-01-12T12:34:56.790Z] [stderr] Exception: no | route\n";
        let (_root, report) = completed(log.as_bytes(), Ending::Exited(Exit::Code(1)), None);
        insta::assert_snapshot!(read(&report.artifacts.summary_md));
    }

    #[test]
    fn a_pass_of_nothing_is_told_unless_the_log_was_too_long_to_know() {
        let none = "[2026-01-12T12:34:56.789Z] [stdout] 00:00 +0: No tests ran.\n";
        let passed = Ending::Exited(Exit::Code(0));
        let (_root, report) = completed(none.as_bytes(), passed, None);
        assert_eq!((report.message.as_str(), report.warnings.len()), ("passed in 1234 ms; no tests ran", 1));
        let long = format!("[2026-01-12T12:34:56.789Z] [stdout] x\n{none}").repeat(20_000);
        let (_root, report) = completed(long.as_bytes(), passed, None);
        assert_eq!((report.message.as_str(), report.warnings.len()), ("passed in 1234 ms", 0));
    }

    #[test]
    fn what_memory_kept_of_a_log_on_a_full_disk_is_searched_instead() {
        let tail = b"[2026-01-12T12:34:56.789Z] [stderr] FATAL: the end\n".to_vec();
        let why = io::Error::from(io::ErrorKind::StorageFull);
        let (_root, report) =
            completed(b"half a li", Ending::Exited(Exit::Code(1)), Some(CutShort { why, tail }));
        assert!(report.excerpt.contains("> FATAL: the end"), "{}", report.excerpt);
        assert!(report.warnings[0].starts_with("raw.log is incomplete"), "{:?}", report.warnings);
    }
}
