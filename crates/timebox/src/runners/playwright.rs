//! `playwright test`.
//!
//! A file is a regular expression to Playwright, searched in the absolute path. Ours is the path with every special
//! character escaped and a `/` before it, so that it begins neither inside another name nor with a `-`.

use super::command::{Runner, Scope};
use super::program::Program;
use super::target::{option, slashed, words};
use crate::failures::{WithFallback, playwright};

const FIXED: &[&str] = &["test", "--reporter=list"];

pub(super) const PLAYWRIGHT: Runner = Runner {
    name: "playwright",
    about: "browser tests under @playwright/test",
    notes: "A file becomes a regular expression that matches its path, because that is what Playwright takes.",
    pattern: "a regular expression, searched in project, file and title of the test",
    example: "tests/cart.spec.ts",
    programs: &[Program::in_project("node_modules/.bin/playwright"), Program::on_path("playwright")],
    install: "install it in the project: npm install --save-dev @playwright/test",
    env: &[("FORCE_COLOR", "0"), ("PLAYWRIGHT_HTML_OPEN", "never"), ("PLAYWRIGHT_FORCE_TTY", "0")],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => words(FIXED, [format!("/{}", escaped(&slashed(file))).into()]),
            Scope::Pattern(pattern) => words(FIXED, [option("--grep", pattern)]),
        })
    },
    extractor: WithFallback::<playwright::Playwright>::boxed,
    ran: playwright::ran,
};

/// The text as a JavaScript regular expression that matches nothing but itself.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if r".*+?^${}()|[]\".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
