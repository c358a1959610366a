//! `vitest run`, which never watches.
//!
//! The reporter is named, because Vitest chooses others by itself for CI services and for agents.

use super::command::{Runner, Scope};
use super::program::Program;
use super::target::{file_argument, option, words};
use crate::failures::{WithFallback, vitest};

const FIXED: &[&str] = &["run", "--reporter=default"];

pub(super) const VITEST: Runner = Runner {
    name: "vitest",
    about: "JavaScript and TypeScript tests under Vitest",
    notes: "A file is a part of a path to Vitest: `cart.test.ts` runs `old-cart.test.ts` too.",
    pattern: "a regular expression, searched in the test's full name",
    example: "src/cart.test.ts",
    programs: &[Program::in_project("node_modules/.bin/vitest"), Program::on_path("vitest")],
    install: "install it in the project: npm install --save-dev vitest",
    env: &[("FORCE_COLOR", "0")],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => words(FIXED, [file_argument(file)]),
            Scope::Pattern(pattern) => words(FIXED, [option("--testNamePattern", pattern)]),
        })
    },
    extractor: WithFallback::<vitest::Vitest>::boxed,
    ran: vitest::ran,
};
