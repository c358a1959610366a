//! `go test`.
//!
//! Go compiles packages, not files: `go test x_test.go` would miss the rest of the package. A file runs its package.
//!
//! `-count=1`, because otherwise Go answers `ok (cached)` for a package that passed before, and runs nothing: whoever
//! asks for tests wants to know how they go now, also when what they talk to has changed.

use super::command::{Runner, Scope, Untranslatable};
use super::program::Program;
use super::target::{option, words};
use crate::failures::{WithFallback, go};

const FIXED: &[&str] = &["test", "-count=1"];

pub(super) const GO: Runner = Runner {
    name: "go",
    about: "Go tests",
    notes: "A file runs the package of its folder, because Go compiles packages, not files. `-count=1` makes Go run \
            also what it knows to have passed.",
    pattern: "a regular expression for `-run`; `/` separates the levels of subtests",
    example: "cart/cart_test.go",
    programs: &[Program::on_path("go")],
    install: "install Go and put `go` on PATH: https://go.dev/doc/install",
    env: &[],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, ["./...".into()]),
            Scope::File(file) => {
                if file.relative().extension().is_none_or(|extension| extension != "go") {
                    return Err(Untranslatable("it is no .go file; use scope `pattern`"));
                }
                words(FIXED, [package_of(file).into()])
            }
            Scope::Pattern(pattern) => words(FIXED, [option("-run", pattern), "./...".into()]),
        })
    },
    extractor: WithFallback::<go::Go>::boxed,
    ran: go::ran,
};

/// The folder, with the `./` that makes it a place and not an import path.
fn package_of(file: &base::WorkspacePath) -> String {
    let path = super::target::slashed(file);
    path.rsplit_once('/').map_or_else(|| ".".to_owned(), |(folder, _)| format!("./{folder}"))
}
