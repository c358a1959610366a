//! Maven with Surefire, 2 and 3.
//!
//! ```text
//! [ERROR] Tests run: 6, Failures: 3, … <<< FAILURE! - in shop.CartTest
//! [ERROR] addsWrongly  Time elapsed: 0.001 s  <<< FAILURE!
//! org.opentest4j.AssertionFailedError: one and two ==> expected: <4> but was: <3>
//!     at shop.CartTest.addsWrongly(CartTest.java:14)
//! ```

use super::collect::{Collection, Message};
use super::{Extractor, Failure, Failures};
use crate::census::after;

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Surefire {
    failures: Collection,
    /// The class that is being told.
    class: String,
    test: Option<Test>,
    compile_error: Option<(Failure, Message)>,
    /// Maven's last word; everything before it was told already.
    over: bool,
}

#[derive(Debug, Default)]
struct Test {
    name: String,
    class: String,
    message: Message,
    in_trace: bool,
    place: Option<(String, u32)>,
}

impl Extractor for Surefire {
    fn line(&mut self, line: &str) {
        if let Some(error) = line.strip_prefix("[ERROR] ") {
            self.error(error);
        } else if line.starts_with('[') || line.is_empty() {
            self.close();
        } else if let Some(test) = &mut self.test {
            test.line(line);
        } else if let Some((_, message)) = &mut self.compile_error {
            message.push(line.trim());
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Surefire {
    fn error(&mut self, error: &str) {
        if error.contains("Time elapsed: ") && error.contains("<<< ") {
            self.close();
            if error.starts_with("Tests run: ") {
                self.class = error.rsplit_once(" in ").map_or("", |(_, class)| class.trim()).to_owned();
            } else {
                self.test = Some(Test::begin(error, &self.class));
            }
        } else if let Some(failure) = compile_error(error).filter(|_| !self.over) {
            self.close();
            let mut message = Message::default();
            message.push(&failure.message);
            self.compile_error = Some((failure, message));
        } else {
            self.close();
            self.over |= error.starts_with("Failed to execute goal");
            // A goal that failed for a reason of its own: no test matched, a plugin is missing.
            if self.over && self.failures.is_empty() {
                let message = error.split(" -> [Help").next().unwrap_or(error).to_owned();
                self.failures.add(Failure { message, ..Failure::default() });
            }
        }
    }

    fn close(&mut self) {
        if let Some(test) = self.test.take() {
            self.failures.add(test.finish());
        }
        if let Some((mut failure, mut message)) = self.compile_error.take() {
            failure.message = message.take();
            self.failures.add(failure);
        }
    }
}

impl Test {
    /// `addsWrongly  Time elapsed: 0.001 s  <<< FAILURE!`, in Surefire 3 `shop.CartTest.addsWrongly -- Time elapsed: …`.
    fn begin(error: &str, class: &str) -> Self {
        let (name, _) = error.split_once("Time elapsed: ").unwrap_or((error, ""));
        let name = name.trim_end_matches([' ', '-']);
        let method = name.strip_prefix(class).and_then(|rest| rest.strip_prefix('.')).unwrap_or(name);
        let full = if class.is_empty() { method.to_owned() } else { format!("{class}.{method}") };
        Self { name: full, class: class.to_owned(), ..Self::default() }
    }

    fn line(&mut self, line: &str) {
        let Some(frame) = line.trim_start().strip_prefix("at ").filter(|_| line.starts_with(['\t', ' ']))
        else {
            if !self.in_trace {
                self.message.push(line);
            }
            return;
        };
        self.in_trace = true;
        // The frame in the test's own class is where the reader looks first.
        let own = !self.class.is_empty() && frame.contains(&self.class);
        if self.place.is_none() || own {
            let known = self.place.take();
            self.place = java_place(frame).or(known);
            if own {
                self.class.clear();
            }
        }
    }

    fn finish(mut self) -> Failure {
        let (file, line) = self.place.map_or((None, None), |(file, line)| (Some(file), Some(line)));
        Failure { test: Some(self.name), file, line, message: self.message.take() }
    }
}

/// The file and line in `shop.CartTest.addsWrongly(CartTest.java:14)`.
pub(super) fn java_place(frame: &str) -> Option<(String, u32)> {
    let (_, inner) = frame.rsplit_once('(')?;
    let (file, line) = inner.trim_end().strip_suffix(')')?.split_once(':')?;
    Some((file.to_owned(), line.parse().ok()?))
}

/// `/repo/src/test/java/shop/CartTest.java:[25,9] cannot find symbol`
fn compile_error(error: &str) -> Option<Failure> {
    let (file, rest) = error.split_once(":[")?;
    let (at, message) = rest.split_once("] ")?;
    let line = at.split(',').next()?.parse().ok()?;
    Some(Failure { test: None, file: Some(file.to_owned()), line: Some(line), message: message.to_owned() })
}

/// `[INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 1`, once a class and once a module.
pub(crate) fn ran(line: &str) -> Option<u64> {
    if line == "[INFO] No tests to run." || line.contains(": No tests were executed!") {
        return Some(0);
    }
    let (_, counts) = line.split_once("] ").filter(|(_, counts)| counts.starts_with("Tests run: "))?;
    let skipped = after(counts, "Skipped:").unwrap_or(0);
    after(counts, "Tests run:").map(|run| run.saturating_sub(skipped))
}
