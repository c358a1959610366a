//! `node --test`, Node's own runner.
//!
//! The reporter is named, because Node 18 and 20 write TAP when nobody watches.

use super::command::{Runner, Scope};
use super::program::Program;
use super::target::{file_argument, option, words};
use crate::failures::{WithFallback, node};

const FIXED: &[&str] = &["--test", "--test-reporter=spec"];

pub(super) const NODE: Runner = Runner {
    name: "node",
    about: "Node's built-in test runner",
    notes: "From Node 21 on, a file is a glob: one with `*`, `?`, `[` or `{` in its name is better run by pattern.",
    pattern: "a regular expression, searched in the test's name",
    example: "test/cart.test.js",
    programs: &[Program::on_path("node")],
    install: "install Node.js 20 or later and put `node` on PATH: https://nodejs.org",
    env: &[("FORCE_COLOR", "0")],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => words(FIXED, [file_argument(file)]),
            Scope::Pattern(pattern) => words(FIXED, [option("--test-name-pattern", pattern)]),
        })
    },
    extractor: WithFallback::<node::Node>::boxed,
    ran: node::ran,
};
