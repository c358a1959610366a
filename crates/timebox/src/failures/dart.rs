//! `dart test` and `flutter test`, which share `package:test` and its reporters.
//!
//! ```text
//! 00:01 +3 -1: test/cart_test.dart: cart adds wrongly [E]
//!   Expected: <4>
//!     Actual: <3>
//!   package:matcher           expect
//!   test/cart_test.dart 7:5   main.<fn>.<fn>
//! ```
//!
//! A widget test's reason stands in a framed block before its `[E]` line. A file that does not compile is told by the
//! compiler's lines and by a test named `loading FILE`.

use super::collect::{Collection, Message};
use super::stack::{self, Place};
use super::{Extractor, Failure, Failures};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Dart {
    failures: Collection,
    /// The framed block that is being told, or was told last.
    framed: Option<Framed>,
    in_frame: bool,
    block: Option<Block>,
}

/// `══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞═══`
#[derive(Debug, Default)]
struct Framed {
    message: Message,
    place: Option<Place>,
    part: Part,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Message,
    Stack,
    /// The next line is the place of the expectation that failed.
    Expectation,
    Over,
}

#[derive(Debug, Default)]
struct Block {
    failure: Failure,
    message: Message,
    place: Option<Place>,
    in_trace: bool,
}

impl Extractor for Dart {
    fn line(&mut self, line: &str) {
        let line = line.trim_end();
        if line.starts_with("══╡ ") {
            self.framed = Some(Framed::default());
            self.in_frame = true;
        } else if line.starts_with("════") {
            self.in_frame = false;
        } else if let Some(framed) = self.framed.as_mut().filter(|_| self.in_frame) {
            framed.line(line);
        } else if let Some(event) = event(line) {
            self.close();
            self.block = event.strip_suffix(" [E]").map(Block::begin);
        } else if let Some(failure) = compile_error(line) {
            self.failures.add(failure);
        } else if line.starts_with("To run this test again:") {
            self.close();
        } else if let Some(block) = &mut self.block {
            block.line(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Dart {
    fn close(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        let mut message = block.message.take();
        let mut place = block.place;
        if let Some(mut framed) =
            self.framed.take().filter(|_| message.starts_with("Test failed. See exception logs"))
        {
            message = framed.message.take();
            place = framed.place;
        }
        // A file that could not be loaded was told by the compiler already, in better words.
        let loading = block.failure.test.is_none();
        if loading && block.failure.file.as_deref().is_some_and(|file| self.failures.tells_of_part(file)) {
            return;
        }
        if let Some(place) = place {
            block.failure.file = Some(place.file);
            block.failure.line = Some(place.line);
        }
        block.failure.message = message;
        self.failures.add(block.failure);
    }
}

impl Framed {
    fn line(&mut self, line: &str) {
        let text = line.trim();
        if text.starts_with("When the exception was thrown, this was the stack") {
            self.part = Part::Stack;
        } else if text.starts_with("This was caught by the test expectation on the following line") {
            self.part = Part::Expectation;
        } else if text.starts_with("The test description was") {
            self.part = Part::Over;
        } else {
            match self.part {
                Part::Message if text.starts_with("The following ") && text.ends_with(':') => {}
                Part::Message => self.message.push(line),
                Part::Stack if self.place.is_none() => self.place = vm_frame(text),
                Part::Expectation => {
                    self.place = text
                        .split_once(" line ")
                        .and_then(|(file, line)| stack::place(&format!("{file}:{line}")));
                    self.part = Part::Over;
                }
                Part::Stack | Part::Over => {}
            }
        }
    }
}

impl Block {
    /// `test/cart_test.dart: cart adds wrongly`, `cart adds wrongly`, `loading test/broken_test.dart`.
    fn begin(event: &str) -> Self {
        let mut failure = Failure::default();
        if let Some(file) = event.strip_prefix("loading ") {
            failure.file = Some(file.to_owned());
        } else if let Some((file, test)) = event.split_once(".dart: ") {
            failure.file = Some(format!("{file}.dart"));
            failure.test = Some(test.to_owned());
        } else {
            failure.test = Some(event.to_owned());
        }
        Self { failure, ..Self::default() }
    }

    fn line(&mut self, line: &str) {
        if let Some(place) = terse_frame(line) {
            self.in_trace = true;
            if self.place.is_none() && !is_foreign(&place.file) {
                self.place = Some(place);
            }
        } else if line.trim_start().starts_with("package:") || line.trim_start().starts_with("dart:") {
            self.in_trace = true;
        } else if !self.in_trace {
            self.message.push(line.strip_prefix("  ").unwrap_or(line));
        }
    }
}

/// What follows the clock and the counters: `00:01 +3 ~1 -1: name`.
fn event(line: &str) -> Option<&str> {
    let (head, name) = line.split_once(": ")?;
    let mut words = head.split(' ');
    let clock = words.next()?;
    let counters = words.all(|word| word.starts_with(['+', '-', '~']) && word[1..].parse::<u32>().is_ok());
    let timed = clock.len() >= 5 && clock.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    (timed && counters && clock != head).then_some(name)
}

/// `  test/cart_test.dart 7:5   main.<fn>`
fn terse_frame(line: &str) -> Option<Place> {
    let (file, rest) = line.trim_start().split_once(".dart ")?;
    let (at, _) = rest.split_once(' ')?;
    (!file.contains(' ')).then(|| stack::place(&format!("{file}.dart:{at}")))?
}

/// `#4      main.<anonymous closure> (file:///repo/test/widget_test.dart:27:5)`
fn vm_frame(text: &str) -> Option<Place> {
    let (_, inner) = text.strip_prefix('#')?.rsplit_once('(')?;
    stack::place(inner.trim_end_matches(')')).filter(|place| !is_foreign(&place.file))
}

fn is_foreign(file: &str) -> bool {
    file.starts_with("package:") || file.starts_with("dart:")
}

/// `test/broken_test.dart:5:3: Error: Method not found: 'missing'.`, also inside of what `loading` says.
fn compile_error(line: &str) -> Option<Failure> {
    let (at, message) = line.trim_start().split_once(": Error: ")?;
    let at = at.rsplit_once(' ').map_or(at, |(_, at)| at);
    let place = stack::place(at).filter(|place| place.file.ends_with(".dart"))?;
    Some(Failure { test: None, file: Some(place.file), line: Some(place.line), message: message.to_owned() })
}

/// The last line after its clock: `00:01 +2 -1: Some tests failed.`
pub(crate) fn ran(line: &str) -> Option<u64> {
    let line = line.trim_end();
    match line.rsplit_once(": ").map_or(line, |(_, word)| word) {
        "All tests passed!" | "Some tests failed." => Some(1),
        "No tests ran." | "No tests were found." | "All tests skipped." => Some(0),
        word if word.starts_with("No tests match ") => Some(0),
        _ => None,
    }
}
