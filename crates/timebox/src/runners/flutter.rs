//! `flutter test`, word for word as in seed B (B2.3–B2.5).
//!
//! Dart's `args` package takes the word after `--name` as its value whatever it looks like, so the two-word form of
//! B2.5 is safe for a target that begins with `-`. A file that does gets `./`.

use super::command::{Runner, Scope};
use super::program::Program;
use super::target::{file_argument, words};
use crate::failures::{WithFallback, dart};

pub(super) const FLUTTER: Runner = Runner {
    name: "flutter",
    about: "Flutter's unit and widget tests",
    notes: "The three command lines are seed B's, word for word.",
    pattern: "a regular expression, searched in the test's full name",
    example: "test/cart_test.dart",
    programs: &[Program::on_path("flutter")],
    install: "install Flutter and put `flutter` on PATH: https://docs.flutter.dev/get-started/install",
    env: &[("FLUTTER_SUPPRESS_ANALYTICS", "true")],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(&["test"], []),
            Scope::File(file) => words(&["test"], [file_argument(file)]),
            Scope::Pattern(pattern) => words(&["test", "--name"], [pattern.into()]),
        })
    },
    extractor: WithFallback::<dart::Dart>::boxed,
    ran: dart::ran,
};
