//! `jest --ci`, which writes no snapshots; `--watchAll=false` in case the configuration says otherwise.

use super::command::{Runner, Scope};
use super::program::Program;
use super::target::{file_argument, option, words};
use crate::failures::{WithFallback, jest};

const FIXED: &[&str] = &["--ci", "--watchAll=false", "--color=false"];

pub(super) const JEST: Runner = Runner {
    name: "jest",
    about: "JavaScript and TypeScript tests under Jest",
    notes: "A file is taken by its path, not as a pattern (`--runTestsByPath`).",
    pattern: "a regular expression, searched in the test's full name",
    example: "src/cart.test.ts",
    programs: &[Program::in_project("node_modules/.bin/jest"), Program::on_path("jest")],
    install: "install it in the project: npm install --save-dev jest",
    env: &[("FORCE_COLOR", "0")],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => words(FIXED, words(&["--runTestsByPath"], [file_argument(file)])),
            Scope::Pattern(pattern) => words(FIXED, [option("--testNamePattern", pattern)]),
        })
    },
    extractor: WithFallback::<jest::Jest>::boxed,
    ran: jest::ran,
};
