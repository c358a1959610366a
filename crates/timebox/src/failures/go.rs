//! `go test`.
//!
//! ```text
//! --- FAIL: TestTable (0.00s)
//!     --- FAIL: TestTable/n=2 (0.00s)
//!         cart_test.go:22: two is wrong
//! FAIL    example.com/shop/cart   0.005s
//! ```
//!
//! File names come without their folder; the package's line, which comes last, has the import path, which becomes a part
//! of the test's name. A package that failed without a test (one that called `os.Exit`) is told by its import path.

use super::collect::{Collection, Message};
use super::{Extractor, Failure, Failures, stack};

/// Reads it.
#[derive(Debug, Default)]
pub(crate) struct Go {
    failures: Collection,
    /// The failed tests of the package that is being told, a parent before its subtests.
    tests: Vec<Test>,
    panic: Option<Panic>,
    /// Whether anything was told of the package.
    told: bool,
}

#[derive(Debug)]
struct Test {
    failure: Failure,
    message: Message,
    indent: usize,
}

#[derive(Debug, Default)]
struct Panic {
    message: Message,
    in_trace: bool,
    place: Option<stack::Place>,
}

impl Extractor for Go {
    fn line(&mut self, line: &str) {
        if let Some(test) = Test::begin(line) {
            self.tests.push(test);
        } else if line.starts_with("FAIL\t") {
            self.package_ends(line);
        } else if line.starts_with("ok  \t") || line.starts_with("?   \t") {
            self.close();
        } else if line.starts_with("panic: ") || line.starts_with("fatal error: ") {
            let mut panic = Panic::default();
            panic.line(line);
            self.panic = Some(panic);
        } else if let Some(panic) = &mut self.panic {
            panic.line(line);
        } else if let Some(test) = self.tests.last_mut() {
            test.line(line);
        } else {
            self.compile_error(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Failures {
        self.close();
        self.failures.finish()
    }
}

impl Go {
    /// The words are separated by tabs: `FAIL example.com/shop/cart 0.005s`, `FAIL example.com/shop/cart [build failed]`.
    fn package_ends(&mut self, line: &str) {
        let rest = line.trim_start_matches("FAIL").trim();
        let (package, why) = rest.split_once(['\t', ' ']).unwrap_or((rest, ""));
        let told = self.told || !self.tests.is_empty() || self.panic.is_some();
        for test in &mut self.tests {
            test.failure.test = test.failure.test.take().map(|name| format!("{package}.{name}"));
        }
        self.close();
        if !told {
            let why = if why.starts_with('[') { why } else { "failed without saying which test" };
            self.failures.add(Failure { message: format!("{package} {why}"), ..Failure::default() });
        }
    }

    fn close(&mut self) {
        if let Some(mut panic) = self.panic.take() {
            self.panicked(&mut panic);
        }
        let tests = std::mem::take(&mut self.tests);
        for at in 0..tests.len() {
            // A parent that says nothing of its own failed because of its subtests, which are told themselves.
            let is_parent = tests.get(at + 1).is_some_and(|next| next.indent > tests[at].indent);
            if !is_parent || !tests[at].message.is_empty() {
                let mut failure = tests[at].failure.clone();
                failure.message = tests[at].message.text().to_owned();
                self.failures.add(failure);
            }
        }
        self.told = false;
    }

    /// A panic ends the whole package; the test that was told last is the one that panicked.
    fn panicked(&mut self, panic: &mut Panic) {
        if self.tests.is_empty() {
            self.tests.push(Test { failure: Failure::default(), message: Message::default(), indent: 0 });
        }
        if let Some(test) = self.tests.last_mut() {
            test.message.push(&panic.message.take());
            if let Some(place) = panic.place.take() {
                test.failure.file = Some(place.file);
                test.failure.line = Some(place.line);
            }
        }
    }

    /// `cart/cart_test.go:6:2: undefined: missing`
    fn compile_error(&mut self, line: &str) {
        if let Some((at, message)) = line.split_once(": ")
            && let Some(place) = stack::place(at).filter(|place| place.file.ends_with(".go"))
            && !line.starts_with(char::is_whitespace)
        {
            let message = message.to_owned();
            self.failures.add(Failure {
                test: None,
                file: Some(place.file),
                line: Some(place.line),
                message,
            });
            self.told = true;
        }
    }
}

impl Test {
    fn begin(line: &str) -> Option<Self> {
        let (name, _) = line.trim_start().strip_prefix("--- FAIL: ")?.rsplit_once(" (")?;
        let failure = Failure { test: Some(name.to_owned()), ..Failure::default() };
        Some(Self { failure, message: Message::default(), indent: line.len() - line.trim_start().len() })
    }

    /// `cart_test.go:13: Add(1, 2) = 3`, and its further lines. The last place counts: `t.Fatal` comes last, and what
    /// `t.Log` said comes before.
    fn line(&mut self, line: &str) {
        let text = line.trim_start();
        if text == "FAIL" || text.starts_with("--- ") || text.starts_with("=== ") {
            return;
        }
        if let Some((at, message)) = text.split_once(": ")
            && let Some(place) = stack::place(at).filter(|place| place.file.ends_with(".go"))
        {
            self.failure.file = Some(place.file);
            self.failure.line = Some(place.line);
            self.message.push(message);
        } else {
            self.message.push(text);
        }
    }
}

impl Panic {
    fn line(&mut self, line: &str) {
        if line.starts_with("goroutine ") {
            self.in_trace = true;
        } else if !self.in_trace {
            // The recovered panic is told twice.
            if !line.starts_with("\tpanic: ") {
                self.message.push(line.trim());
            }
        } else if self.place.is_none() && line.starts_with('\t') {
            let at = line.trim().split(" +0x").next().unwrap_or_default();
            let library = |file: &str| file.contains("/src/testing/") || file.contains("/src/runtime/");
            self.place = stack::place(at).filter(|place| !library(&place.file));
        }
    }
}

/// `ok shop/cart 0.006s`, with tabs, once a package, also with `FAIL`; behind it `[no tests to run]`, `[build failed]` and the like.
pub(crate) fn ran(line: &str) -> Option<u64> {
    let (verdict, package) = line.split_once('\t')?;
    match verdict.trim_end() {
        "?" => Some(0),
        "ok" => Some(u64::from(!package.ends_with("[no tests to run]"))),
        "FAIL" => (!package.ends_with(']')).then_some(1),
        _ => None,
    }
}
