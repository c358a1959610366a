//! Gradle's test task, and the compilers before it.
//!
//! ```text
//! shop.CartTest > addsWrongly FAILED
//!     java.lang.AssertionError at CartTest.java:12
//! ```
//!
//! By default Gradle tells the exception's type and place, not its message; projects that set
//! `exceptionFormat = "full"` get the message too.

use super::collect::{Collection, Message};
use super::surefire::java_place;
use super::{Extractor, Failure, Failures, stack};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Gradle {
    failures: Collection,
    test: Option<Test>,
    /// Lines after `* What went wrong:`.
    wrong: Option<Message>,
}

#[derive(Debug, Default)]
struct Test {
    failure: Failure,
    message: Message,
    in_trace: bool,
}

impl Extractor for Gradle {
    fn line(&mut self, line: &str) {
        if let Some(test) = Test::begin(line) {
            self.close();
            self.test = Some(test);
        } else if let Some(failure) = compile_error(line) {
            self.close();
            self.failures.add(failure);
        } else if line == "* What went wrong:" {
            self.close();
            self.wrong = Some(Message::default());
        } else if let Some(test) = self.test.as_mut().filter(|_| line.starts_with("    ") || line.is_empty())
        {
            test.line(line);
        } else if let Some(wrong) = self.wrong.as_mut().filter(|_| !line.is_empty()) {
            wrong.push(line);
        } else {
            self.close();
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Gradle {
    fn close(&mut self) {
        if let Some(mut test) = self.test.take() {
            test.failure.message = test.message.take();
            self.failures.add(test.failure);
        }
        // That some task failed says nothing once it is known why.
        if let Some(mut wrong) = self.wrong.take().filter(|_| self.failures.is_empty()) {
            self.failures.add(Failure { message: wrong.take(), ..Failure::default() });
        }
    }
}

impl Test {
    fn begin(line: &str) -> Option<Self> {
        let name = line.strip_suffix(" FAILED")?;
        let is_test = name.contains(" > ") && !name.starts_with([' ', '>', ':']);
        let failure = Failure { test: Some(name.to_owned()), ..Failure::default() };
        is_test.then(|| Self { failure, ..Self::default() })
    }

    fn line(&mut self, line: &str) {
        let text = line.trim();
        let frame = text.strip_prefix("at ").and_then(java_place);
        let brief = text.rsplit_once(" at ").and_then(|(what, at)| Some((what, stack::place(at)?)));
        let what = brief.as_ref().map_or(text, |(what, _)| what);
        let place = frame.or_else(|| brief.map(|(_, place)| (place.file, place.line)));
        if let (Some((file, line)), None) = (place, &self.failure.line) {
            self.failure.file = Some(file);
            self.failure.line = Some(line);
        }
        self.in_trace |= text.starts_with("at ");
        if !self.in_trace {
            self.message.push(what);
        }
    }
}

/// `/repo/src/A.java:17: error: cannot find symbol` from javac, `e: file:///repo/src/A.kt:3:5 Unresolved …` from Kotlin.
fn compile_error(line: &str) -> Option<Failure> {
    let (at, message) = match line.strip_prefix("e: ") {
        Some(kotlin) => kotlin.split_once(' ')?,
        None => line.split_once(": error: ")?,
    };
    let place = stack::place(at)?;
    Some(Failure { test: None, file: Some(place.file), line: Some(place.line), message: message.to_owned() })
}

/// Gradle counts tests only when one fails. Otherwise it tells whether its test tasks did something: one whose inputs
/// are the same as when it passed is `UP-TO-DATE` and runs nothing.
pub(crate) fn ran(line: &str) -> Option<u64> {
    if let Some((number, _)) =
        line.split_once(" tests completed").or_else(|| line.split_once(" test completed"))
    {
        return number.parse().ok();
    }
    if line.starts_with("> No tests found for given includes") {
        return Some(0);
    }
    let task = line.strip_prefix("> Task :")?;
    let (task, outcome) = task.split_once(' ').unwrap_or((task, ""));
    match outcome {
        _ if !task.ends_with("test") && !task.ends_with("Test") => None,
        "" => Some(1),
        "UP-TO-DATE" | "NO-SOURCE" | "FROM-CACHE" | "SKIPPED" => Some(0),
        _ => None,
    }
}
