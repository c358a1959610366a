//! `cargo test`: unit tests, integration tests and doctests.
//!
//! `--no-fail-fast`, because otherwise the first failing target hides the others. A filter stands behind two `--`: the
//! first ends Cargo's options, the second libtest's. The second matters for doctests too, whose arguments rustdoc
//! splits at spaces: without it the pattern `x --list` would be an option there.

use super::command::{Runner, Scope};
use super::program::Program;
use super::rust;
use super::target::words;
use crate::failures::{WithFallback, libtest};

pub(super) const CARGO: Runner = Runner {
    name: "cargo",
    about: "Rust's built-in tests and doctests",
    notes: "A file under `tests/`, `examples/`, `benches/` or `src/bin/` runs its target; another file under `src/` \
            runs the tests of its module (`src/a/b.rs`: those whose path contains `a::b::`). The package is the \
            nearest Cargo.toml above the file.",
    pattern: "a part of the test's path, such as `cart::tests::adds`",
    example: "src/cart.rs",
    programs: &[Program::on_path("cargo")],
    install: "install Rust and put `cargo` on PATH: https://rustup.rs",
    env: &[("CARGO_TERM_COLOR", "never"), ("CARGO_TERM_PROGRESS_WHEN", "never")],
    arguments: |scope, workspace| {
        Ok(match scope {
            Scope::All => words(&["test", "--workspace", "--no-fail-fast"], []),
            Scope::File(file) => {
                let selection = rust::select(file, workspace)?;
                let mut args = words(&["test", "--no-fail-fast"], selection.options);
                if let Some(module) = selection.module {
                    args.extend(words(&["--", "--"], [module.into()]));
                }
                args
            }
            Scope::Pattern(pattern) => {
                words(&["test", "--workspace", "--no-fail-fast", "--", "--"], [pattern.into()])
            }
        })
    },
    extractor: WithFallback::<libtest::Libtest>::boxed,
    ran: libtest::ran,
};
