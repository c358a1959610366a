//! `dotnet test` under VSTest, and the compiler before it.
//!
//! ```text
//!   Failed Shop.Tests.CartTests.AddsWrongly [3 ms]
//!   Error Message:
//!    Assert.Equal() Failure: Values differ
//!   Stack Trace:
//!      at Shop.Tests.CartTests.AddsWrongly() in /repo/tests/CartTests.cs:line 14
//! ```

use super::collect::{Collection, Message};
use super::stack::Place;
use super::{Extractor, Failure, Failures};
use crate::census::after;

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Dotnet {
    failures: Collection,
    test: Option<Test>,
}

#[derive(Debug, Default)]
struct Test {
    name: String,
    part: Part,
    message: Message,
    place: Option<Place>,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Head,
    Message,
    Stack,
    /// What the test wrote.
    Output,
}

impl Extractor for Dotnet {
    fn line(&mut self, line: &str) {
        if let Some(name) = failed_test(line) {
            self.close();
            self.test = Some(Test { name: name.to_owned(), ..Test::default() });
        } else if let Some(failure) = compile_error(line) {
            self.failures.add(failure);
        } else if ends_test(line) {
            self.close();
        } else if let Some(test) = &mut self.test {
            test.line(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Dotnet {
    fn close(&mut self) {
        let Some(mut test) = self.test.take() else { return };
        let (file, line) = test.place.map_or((None, None), |place| (Some(place.file), Some(place.line)));
        self.failures.add(Failure { test: Some(test.name), file, line, message: test.message.take() });
    }
}

impl Test {
    fn line(&mut self, line: &str) {
        match (line.trim(), &self.part) {
            ("Error Message:", _) => self.part = Part::Message,
            ("Stack Trace:", _) => self.part = Part::Stack,
            ("Standard Output Messages:" | "Standard Error Messages:", _) => self.part = Part::Output,
            (text, Part::Message) => self.message.push(text),
            (text, Part::Stack) if self.place.is_none() => self.place = frame(text),
            _ => {}
        }
    }
}

/// `  Failed Shop.Tests.CartTests.AddsWrongly [3 ms]`; VSTest before 16 wrote no time.
fn failed_test(line: &str) -> Option<&str> {
    let name = line.strip_prefix("  Failed ").or_else(|| line.strip_prefix("Failed   "))?.trim();
    Some(match name.rsplit_once(" [") {
        Some((name, time)) if time.ends_with("s]") || time.ends_with("m]") => name,
        _ => name,
    })
}

/// The place in `at A.B() in /repo/tests/CartTests.cs:line 14`, unless it is the assertion library's.
fn frame(text: &str) -> Option<Place> {
    let (_, at) = text.strip_prefix("at ")?.rsplit_once(" in ")?;
    let (file, line) = at.rsplit_once(":line ")?;
    // Deterministic builds, as libraries are, write their sources' root as `/_/`.
    let line = line.trim().parse().ok().filter(|_| !file.starts_with("/_/"))?;
    Some(Place { file: file.to_owned(), line })
}

fn ends_test(line: &str) -> bool {
    let heads = [
        "  Passed ",
        "  Skipped ",
        "Failed!  - ",
        "Passed!  - ",
        "Test Run ",
        "Total tests: ",
        "[xUnit.net ",
    ];
    heads.iter().any(|head| line.starts_with(head))
}

/// `/repo/tests/CartTests.cs(12,9): error CS0103: The name … [/repo/tests/Tests.csproj]`
fn compile_error(line: &str) -> Option<Failure> {
    let (at, message) = line.trim_start().split_once(": error ")?;
    let (file, position) = at.strip_suffix(')')?.rsplit_once('(')?;
    let line = position.split(',').next()?.parse().ok()?;
    let message = message.rsplit_once(" [").map_or(message, |(message, _)| message);
    Some(Failure { test: None, file: Some(file.to_owned()), line: Some(line), message: message.to_owned() })
}

/// `Failed!  - Failed:     3, Passed:     2, Skipped:     0, Total:     5, …`, once a project.
pub(crate) fn ran(line: &str) -> Option<u64> {
    if line.starts_with("No test matches the given testcase filter")
        || line.starts_with("No test is available in ")
    {
        return Some(0);
    }
    let (_, counts) = line.split_once("!  - ")?;
    Some(after(counts, "Failed:")? + after(counts, "Passed:")?)
}
