//! `pytest`.
//!
//! `-k=` rather than `-k `, because argparse takes a value that begins with `-` for an option. A path that begins with
//! `@` gets `./`, because pytest 8.2 and later read `@file` as a file of options.

use super::command::{Runner, Scope};
use super::program::Program;
use super::target::{file_argument, option, words};
use crate::failures::{WithFallback, pytest};

const FIXED: &[&str] = &["--color=no"];

pub(super) const PYTEST: Runner = Runner {
    name: "pytest",
    about: "Python tests under pytest",
    notes: "The project's virtual environment (`.venv` or `venv`) comes before PATH.",
    pattern: "a `-k` expression: a part of the test's name, or names joined by `and`, `or`, `not`",
    example: "tests/test_cart.py",
    programs: &[
        Program::in_project(if cfg!(windows) { ".venv/Scripts/pytest" } else { ".venv/bin/pytest" }),
        Program::in_project(if cfg!(windows) { "venv/Scripts/pytest" } else { "venv/bin/pytest" }),
        Program::on_path("pytest"),
    ],
    install: "install it into the project's environment: python -m pip install pytest",
    env: &[("PYTHONUNBUFFERED", "1"), ("PY_COLORS", "0"), ("PYTHONIOENCODING", "utf-8")],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => words(FIXED, [file_argument(file)]),
            Scope::Pattern(pattern) => words(FIXED, [option("-k", pattern)]),
        })
    },
    extractor: WithFallback::<pytest::Pytest>::boxed,
    ran: pytest::ran,
};
