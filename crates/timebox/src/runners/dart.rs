//! `dart test`, for Dart packages without Flutter.

use super::command::{Runner, Scope};
use super::program::Program;
use super::target::{file_argument, option, words};
use crate::failures::{WithFallback, dart};

/// `expanded` prints a line an event instead of redrawing one; GitHub's own reporter would come by itself in Actions.
const FIXED: &[&str] = &["test", "--reporter=expanded", "--no-color"];

pub(super) const DART: Runner = Runner {
    name: "dart",
    about: "tests of Dart packages (package:test)",
    notes: "",
    pattern: "a regular expression, searched in the test's full name",
    example: "test/cart_test.dart",
    programs: &[Program::on_path("dart")],
    install: "install the Dart SDK and put `dart` on PATH: https://dart.dev/get-dart",
    env: &[],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => words(FIXED, [file_argument(file)]),
            Scope::Pattern(pattern) => words(FIXED, [option("--name", pattern)]),
        })
    },
    extractor: WithFallback::<dart::Dart>::boxed,
    ran: dart::ran,
};
