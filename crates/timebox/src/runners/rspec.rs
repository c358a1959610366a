//! `rspec`, through Bundler where the project's lock file names it.

use super::command::{Runner, Scope};
use super::program::{Place, Program};
use super::target::{dotted, option, words};
use crate::failures::{WithFallback, rspec};

/// The documentation format prints a line an example, so that a run that hangs shows where.
const FIXED: &[&str] = &["--no-color", "--format=documentation"];

pub(super) const RSPEC: Runner = Runner {
    name: "rspec",
    about: "Ruby specs under RSpec",
    notes: "`bundle exec rspec` when Gemfile.lock names rspec, otherwise `bin/rspec`, otherwise `rspec` on PATH.",
    pattern: "a part of the example's full description",
    example: "spec/cart_spec.rb",
    programs: &[
        Program { name: "bundle", place: Place::Path, leading: &["exec", "rspec"], counts: locked },
        Program::in_project("bin/rspec"),
        Program::on_path("rspec"),
    ],
    install: "install it: gem install rspec, or add it to the Gemfile and run bundle install",
    env: &[],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => words(FIXED, [dotted(file)]),
            Scope::Pattern(pattern) => words(FIXED, [option("--example", pattern)]),
        })
    },
    extractor: WithFallback::<rspec::Rspec>::boxed,
    ran: rspec::ran,
};

fn locked(workspace: &base::Workspace) -> bool {
    let lock = std::fs::read_to_string(workspace.root().join("Gemfile.lock"));
    lock.is_ok_and(|lock| lock.lines().any(|line| line.trim_start().starts_with("rspec")))
}
