//! `cargo nextest run`: Rust tests, each in a process of its own; no doctests.
//!
//! Files are selected as for `cargo` (see [`super::rust`]), filters stand behind two `--` for the same reason: nextest
//! reads the words after the first one as libtest's options.

use super::command::{Runner, Scope};
use super::program::Program;
use super::rust;
use super::target::words;
use crate::failures::{WithFallback, nextest};

const RUN: &[&str] = &["nextest", "run"];

pub(super) const NEXTEST: Runner = Runner {
    name: "nextest",
    about: "Rust tests under cargo-nextest",
    notes: "Files as for `cargo`. Doctests do not run; use `cargo` for them.",
    pattern: "a part of the test's path, such as `cart::tests::adds`",
    example: "src/cart.rs",
    // `cargo nextest` is found by Cargo through this very program, so that is what must be there.
    programs: &[Program::on_path("cargo-nextest")],
    install: "install cargo-nextest: https://nexte.st/docs/installation/pre-built-binaries",
    env: &[
        ("CARGO_TERM_COLOR", "never"),
        ("CARGO_TERM_PROGRESS_WHEN", "never"),
        ("NEXTEST_NO_INPUT_HANDLER", "1"),
    ],
    arguments: |scope, workspace| {
        Ok(match scope {
            Scope::All => words(RUN, words(&["--workspace", "--no-fail-fast"], [])),
            Scope::File(file) => {
                let selection = rust::select(file, workspace)?;
                let mut args = words(RUN, words(&["--no-fail-fast"], selection.options));
                if let Some(module) = selection.module {
                    args.extend(words(&["--", "--"], [module.into()]));
                }
                args
            }
            Scope::Pattern(pattern) => {
                words(RUN, words(&["--workspace", "--no-fail-fast", "--", "--"], [pattern.into()]))
            }
        })
    },
    extractor: WithFallback::<nextest::Nextest>::boxed,
    ran: nextest::ran,
};
