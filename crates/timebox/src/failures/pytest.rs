//! pytest.
//!
//! ```text
//! ______ test_adds_wrongly ______
//! E       AssertionError: one and two
//! tests/test_cart.py:14: AssertionError
//! FAILED tests/test_cart.py::test_adds_wrongly - AssertionError: one and two
//! ```
//!
//! The sections have the line and the whole message; the short summary has the node ids. The two meet by name. A
//! summary's line without a section (`--tb=no`, a crashed worker) is a failure by itself.

use super::collect::{Collection, Message};
use super::stack::{self, Place};
use super::{Extractor, Failure, Failures};
use crate::census::before;

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Pytest {
    failures: Collection,
    section: Option<Section>,
}

#[derive(Debug, Default)]
struct Section {
    /// `TestCart.test_compares[1]`, or `tests/test_broken.py` for a file that could not be collected.
    name: String,
    collecting: bool,
    message: Message,
    place: Option<Place>,
    /// How far the first line of the message is indented.
    indent: Option<usize>,
    /// Captured output begins here, and nothing after it is the failure's.
    over: bool,
}

impl Extractor for Pytest {
    fn line(&mut self, line: &str) {
        if let Some(title) = ruled(line, '_') {
            self.close();
            self.section = Some(Section::new(title));
        } else if ruled(line, '=').is_some() || line.starts_with("!!!") {
            self.close();
        } else if let Some(section) = &mut self.section {
            section.line(line);
        } else if let Some(rest) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR ")) {
            self.summarised(rest);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Pytest {
    fn close(&mut self) {
        if let Some(section) = self.section.take() {
            self.failures.add(section.finish());
        }
    }

    /// `tests/test_cart.py::TestCart::test_compares[1] - AssertionError: …`
    fn summarised(&mut self, rest: &str) {
        let (id, message) = split_summary(rest);
        let (file, test) = match id.split_once("::") {
            Some((file, test)) => (file, Some(test)),
            None => (id, None),
        };
        // Captured log lines begin with the same words; a node id has no spaces before its parameters.
        if file.contains(' ') || !file.contains('.') {
            return;
        }
        let Some(test) = test else {
            return self.uncollected(file, message);
        };
        let dotted = test.replace("::", ".");
        if let Some(told) = self.failures.of_test(&dotted) {
            told.test = Some(format!("{file}::{test}"));
            told.file.get_or_insert_with(|| file.to_owned());
            return;
        }
        let name = format!("{file}::{test}");
        if self.failures.of_test(&name).is_none() && !self.failures.is_full() {
            let failure = Failure {
                test: Some(name),
                file: Some(file.to_owned()),
                line: None,
                message: message.to_owned(),
            };
            self.failures.add(failure);
        }
    }

    fn uncollected(&mut self, file: &str, message: &str) {
        if !self.failures.tells_of(file) {
            let failure =
                Failure { file: Some(file.to_owned()), message: message.to_owned(), ..Failure::default() };
            self.failures.add(failure);
        }
    }
}

impl Section {
    fn new(title: &str) -> Self {
        let collecting = title.strip_prefix("ERROR collecting ");
        let during = ["ERROR at setup of ", "ERROR at teardown of "];
        let test = during.iter().find_map(|words| title.strip_prefix(words));
        let name = collecting.or(test).unwrap_or(title).to_owned();
        Self { name, collecting: collecting.is_some(), ..Self::default() }
    }

    fn line(&mut self, line: &str) {
        if ruled(line, '-').is_some() {
            self.over = true;
        }
        if self.over {
            return;
        }
        if let Some(error) = line.strip_prefix("E ") {
            // Seven spaces in long tracebacks, three in short ones; what is more is the message's own.
            let spaces = error.len() - error.trim_start().len();
            let indent = *self.indent.get_or_insert(spaces);
            let error = error.get(indent.min(spaces)..).unwrap_or_default();
            self.message.push(error);
            self.place_of_syntax_error(error);
        } else if let Some(place) = frame(line) {
            // The first frame of the test's own file says where the test stands; later ones say where it broke. The
            // last one is kept unless it lies in a library.
            if self.place.is_none() || !is_foreign(&place.file) {
                self.place = Some(place);
            }
        }
    }

    /// `File "/repo/tests/test_syntax.py", line 1`: the only place of an error that has no frame.
    fn place_of_syntax_error(&mut self, error: &str) {
        if let Some((file, line)) =
            error.trim().strip_prefix("File \"").and_then(|rest| rest.split_once("\", line "))
            && let Ok(line) = line.parse()
        {
            self.place = Some(Place { file: file.to_owned(), line });
        }
    }

    fn finish(mut self) -> Failure {
        let (file, line) = self.place.map_or((None, None), |place| (Some(place.file), Some(place.line)));
        let message = self.message.take();
        if self.collecting {
            let file = file.filter(|file| !is_foreign(file));
            let line = file.as_ref().and(line);
            return Failure { test: None, file: file.or(Some(self.name)), line, message };
        }
        Failure { test: Some(self.name), file, line, message }
    }
}

/// The title in a line of the form `____ title ____`.
fn ruled(line: &str, rule: char) -> Option<&str> {
    let trimmed = line.trim_end();
    let title = trimmed.strip_prefix(rule)?.strip_suffix(rule)?;
    let title = title.trim_start_matches(rule).trim_end_matches(rule);
    let title = title.strip_prefix(' ')?.strip_suffix(' ')?;
    // `_ _ _ _` separates the frames of one traceback.
    (!title.is_empty() && !title.starts_with(rule)).then_some(title)
}

/// `tests/test_cart.py:14: AssertionError`, `tests/test_cart.py:5: in total`, `tests/test_cart.py:18: `.
fn frame(line: &str) -> Option<Place> {
    if line.starts_with([' ', '>', '<']) {
        return None;
    }
    let (at, after) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let place = stack::place(at)?;
    (!place.file.contains(' ') && !after.starts_with(' ')).then_some(place)
}

fn is_foreign(file: &str) -> bool {
    file.contains("site-packages/") || file.starts_with("/usr/") || file.contains("/lib/python")
}

/// Splits at the first ` - ` that is not inside the parameters of the node id.
fn split_summary(rest: &str) -> (&str, &str) {
    let from =
        rest.find('[').and_then(|open| rest[open..].find("] - ").map(|close| open + close)).unwrap_or(0);
    rest[from..].split_once(" - ").map_or((rest, ""), |(id, message)| (&rest[..from + id.len()], message))
}

/// `=== 1 failed, 2 passed, 3 deselected in 0.01s ===`, without the rules when quiet, or `no tests ran in 0.01s`.
pub(crate) fn ran(line: &str) -> Option<u64> {
    let (counts, time) = line.trim_matches(['=', ' ']).rsplit_once(" in ")?;
    let is_time = time.split(' ').next()?.strip_suffix('s')?.parse::<f64>().is_ok();
    let is_count = |part: &str| part.starts_with(|c: char| c.is_ascii_digit()) || part == "no tests ran";
    let ran = ["passed", "failed", "error", "errors", "xfailed", "xpassed"];
    (is_time && counts.split(", ").all(is_count)).then(|| ran.iter().map(|word| before(counts, word)).sum())
}
