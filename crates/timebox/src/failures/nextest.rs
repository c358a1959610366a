//! `cargo nextest run`.
//!
//! ```text
//!         FAIL [   0.006s] (2/8) shop money::tests::counts_coins
//!   stdout ───
//!     …
//!   stderr ───
//!     thread 'money::tests::counts_coins' (21132) panicked at src/money.rs:4:47:
//! ```
//!
//! The test's stderr tells why; its stdout, which has libtest's frame around it, only when stderr says nothing.

use super::collect::{Collection, Message};
use super::libtest::Section;
use super::rustc::Rustc;
use super::{Extractor, Failure, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Nextest {
    failures: Collection,
    rustc: Rustc,
    test: Option<Test>,
    /// The summary tells every failure once more.
    over: bool,
}

#[derive(Debug)]
struct Test {
    status: String,
    stderr: Section,
    stdout: Section,
    part: Part,
    /// A word of nextest's own below the output: `(test aborted with signal 6: SIGABRT)`.
    remark: Message,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Head,
    Stdout,
    Stderr,
}

/// The statuses of failures, some of them short (`TMT`) when a try is counted before them.
const FAILING: &[&str] = &["FAIL", "TIMEOUT", "TMT", "ABORT", "ABRT", "LEAK-FAIL", "LKFAIL", "XFAIL", "SIG"];

impl Extractor for Nextest {
    fn line(&mut self, line: &str) {
        if self.over {
            return;
        }
        if line.trim_start().starts_with("Summary [") {
            self.close();
            self.over = true;
        } else if let Some((status, rest)) = status_line(line) {
            self.close();
            self.begin(status, test_name(rest));
        } else if line.starts_with('─') {
            self.close();
        } else if let Some(test) = &mut self.test {
            test.line(line);
        } else {
            self.rustc.line(line, &mut self.failures);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.rustc.close(&mut self.failures);
        self.failures.finish()
    }
}

impl Nextest {
    /// `FAIL`, `SIGABRT`, `TIMEOUT`; with retries `TRY 1 FAIL`, and at last `TRY 2 PASS` or `TRY 3 FAIL`. The last try
    /// counts.
    fn begin(&mut self, status: &str, name: &str) {
        let last = status.rsplit(' ').next().unwrap_or(status);
        if status.starts_with("TRY ") {
            self.failures.forget(|told| told == name);
        }
        if FAILING.iter().any(|word| last.starts_with(word)) {
            self.test = Some(Test::new(last, name));
        }
    }

    fn close(&mut self) {
        if let Some(test) = self.test.take() {
            self.failures.add(test.finish());
        }
    }
}

impl Test {
    fn new(status: &str, name: &str) -> Self {
        let (stderr, stdout) = (Section::new(name), Section::new(name));
        Self { status: status.to_owned(), stderr, stdout, part: Part::Head, remark: Message::default() }
    }

    fn line(&mut self, line: &str) {
        let inner = line.strip_prefix("    ");
        match (line.trim(), &self.part) {
            (head, _) if head.starts_with("stdout ──") => self.part = Part::Stdout,
            (head, _) if head.starts_with("stderr ──") => self.part = Part::Stderr,
            (remark, _) if remark.starts_with("(test ") => self.remark.push(remark),
            (_, Part::Stderr) => self.stderr.line(inner.unwrap_or(line)),
            (_, Part::Stdout) if !is_frame(line.trim()) => self.stdout.line(inner.unwrap_or(line)),
            _ => {}
        }
    }

    fn finish(mut self) -> Failure {
        let (stderr, stdout) = (self.stderr.finish(), self.stdout.finish());
        let mut failure = if stderr.message.is_empty() { stdout } else { stderr };
        let remark = self.remark.take();
        if !remark.is_empty() {
            failure.message = format!("{remark}\n{}", failure.message);
        } else if self.status != "FAIL" {
            failure.message = format!("{}\n{}", self.status, failure.message);
        }
        failure
    }
}

/// Splits `FAIL [   0.006s] (2/8) shop money::tests::counts_coins` at the time.
fn status_line(line: &str) -> Option<(&str, &str)> {
    let (status, rest) = line.trim_start().split_once(" [")?;
    let (time, rest) = rest.split_once("s] ")?;
    let word = status.starts_with(|c: char| c.is_ascii_uppercase());
    let numeric = time.trim_start_matches([' ', '>']).starts_with(|c: char| c.is_ascii_digit());
    (word && numeric && line.starts_with("  ")).then_some((status.trim(), rest))
}

/// The test's name after the counter and the binary: `(2/8) shop::checkout pays`.
fn test_name(rest: &str) -> &str {
    let rest = rest.trim();
    let rest =
        rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(rest, |(_, rest)| rest.trim());
    rest.split_once(' ').map_or(rest, |(_, name)| name)
}

/// What libtest prints around the one test that runs.
fn is_frame(line: &str) -> bool {
    line.starts_with("running ")
        || line == "failures:"
        || line.starts_with("test result: ")
        || line.starts_with("---- ")
        || (line.starts_with("test ") && line.contains(" ... "))
}

/// `Summary [   0.005s] 1 test run: 1 passed, 3 skipped`
pub(crate) fn ran(line: &str) -> Option<u64> {
    let (_, counts) = line.trim_start().strip_prefix("Summary [")?.split_once(']')?;
    // After an interruption it is `1/3 tests run`.
    counts.trim_start().split([' ', '/']).next()?.parse().ok()
}
