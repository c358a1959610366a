//! `cargo test`: libtest's and rustdoc's output.
//!
//! ```text
//! test tests::adds ... FAILED
//! ---- tests::adds stdout ----
//! thread 'tests::adds' (123) panicked at src/lib.rs:17:25:
//! assertion `left == right` failed
//! ```
//!
//! The sections between `failures:` and the list of names tell what failed; a binary that died without them is told by
//! Cargo (`process didn't exit successfully`).

use super::collect::{Collection, Message};
use super::rustc::Rustc;
use super::{Extractor, Failure, Failures, stack};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Libtest {
    failures: Collection,
    rustc: Rustc,
    section: Option<Section>,
    /// The target that runs: `unittests src/lib.rs`.
    target: String,
}

impl Extractor for Libtest {
    fn line(&mut self, line: &str) {
        if let Some(name) = section_name(line) {
            self.close();
            self.section = Some(Section::new(name));
        } else if self.section.is_some() && (line == "failures:" || line.starts_with("test result: ")) {
            self.close();
        } else if let Some(section) = &mut self.section {
            section.line(line);
        } else if let Some(target) = line.trim_start().strip_prefix("Running ") {
            self.target = target.split(" (").next().unwrap_or(target).to_owned();
        } else if line.contains("process didn't exit successfully: ") {
            self.died(line);
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

impl Libtest {
    fn close(&mut self) {
        if let Some(section) = self.section.take() {
            self.failures.add(section.finish());
        }
    }

    /// A test binary that aborted, or was killed, in the middle of its tests.
    fn died(&mut self, line: &str) {
        // Ordinary failures end with status 101, and were told already.
        if !line.contains("(exit status: 101)") {
            let how = line.rsplit_once('(').map_or(line, |(_, how)| how.trim_end_matches(')'));
            let target = std::mem::take(&mut self.target);
            self.failures.add(Failure { message: format!("{target} died: {how}"), ..Failure::default() });
        }
    }
}

fn section_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    name.strip_suffix(" stdout").or_else(|| name.strip_suffix(" stderr"))
}

/// What one failed test wrote: its own output, its panics, or the error that it returned.
#[derive(Debug, Default)]
pub(super) struct Section {
    failure: Failure,
    message: Message,
    state: State,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    /// The test's own output; kept only as long as there is nothing better.
    #[default]
    Output,
    /// The lines after `panicked at`.
    Panic,
    /// After the message: a backtrace, a note.
    Over,
}

impl Section {
    pub(super) fn new(name: &str) -> Self {
        let failure = Failure { test: Some(name.to_owned()), ..Failure::default() };
        Self { failure, ..Self::default() }
    }

    pub(super) fn line(&mut self, line: &str) {
        if let Some(place) = panic_place(line) {
            self.panicked(place);
        } else if line == "stack backtrace:" || line.starts_with("note: run with `RUST_BACKTRACE") {
            self.state = State::Over;
        } else if let Some(place) = line.strip_prefix("note: test did not panic as expected at ") {
            self.panicked(place);
            self.message.push("test did not panic as expected");
            self.state = State::Over;
        } else if line.starts_with("Error: ") && self.state == State::Output {
            self.message.take();
            self.message.push(line);
            self.state = State::Over;
        } else if self.state != State::Over {
            self.message.push(line);
        }
    }

    /// A new panic. Of several, the last is the test's own: a thread's panic comes before that of whoever joins it.
    fn panicked(&mut self, place: &str) {
        // What the test wrote before its first panic is not the reason.
        let before = self.message.take();
        let earlier = if self.state == State::Output { String::new() } else { before };
        if let Some(place) = stack::place(place) {
            // A doctest panics in a generated file; its name has the real place.
            if !place.file.contains("rustdoctest") {
                self.failure.file = Some(place.file);
                self.failure.line = Some(place.line);
            }
        }
        if !earlier.is_empty() {
            self.message.push(&earlier);
        }
        self.state = State::Panic;
    }

    pub(super) fn finish(mut self) -> Failure {
        self.failure.message = self.message.take();
        if self.failure.file.is_none() {
            self.place_of_doctest();
        }
        self.failure
    }

    /// `src/lib.rs - add (line 6)`.
    fn place_of_doctest(&mut self) {
        let name = self.failure.test.as_deref().unwrap_or_default();
        if let Some((file, rest)) = name.split_once(" - ")
            && let Some((_, line)) = rest.rsplit_once("(line ")
            && let Ok(line) = line.trim_end_matches(')').parse()
        {
            self.failure.file = Some(file.to_owned());
            self.failure.line = Some(line);
        }
    }
}

/// The place in `thread 'name' (7) panicked at src/lib.rs:1:2:`.
fn panic_place(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("thread '")?;
    rest.split_once(" panicked at ").map(|(_, place)| place)
}

/// `running 2 tests`, once a test binary. The result at its end is missing when the binary aborts.
pub(crate) fn ran(line: &str) -> Option<u64> {
    let (number, tests) = line.strip_prefix("running ")?.split_once(' ')?;
    if matches!(tests, "test" | "tests") { number.parse().ok() } else { None }
}
