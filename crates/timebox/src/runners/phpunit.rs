//! `phpunit`.

use super::command::{Runner, Scope};
use super::program::Program;
use super::target::{dotted, option, words};
use crate::failures::{WithFallback, phpunit};

const FIXED: &[&str] = &["--colors=never"];

pub(super) const PHPUNIT: Runner = Runner {
    name: "phpunit",
    about: "PHP tests under PHPUnit",
    notes: "`vendor/bin/phpunit` and `bin/phpunit` come before PATH.",
    pattern: "a regular expression, searched in `Class::method`",
    example: "tests/CartTest.php",
    programs: &[
        Program::in_project("vendor/bin/phpunit"),
        Program::in_project("bin/phpunit"),
        Program::on_path("phpunit"),
    ],
    install: "install it in the project: composer require --dev phpunit/phpunit",
    env: &[],
    arguments: |scope, _| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => words(FIXED, [dotted(file)]),
            Scope::Pattern(pattern) => words(FIXED, [option("--filter", pattern)]),
        })
    },
    extractor: WithFallback::<phpunit::Phpunit>::boxed,
    ran: phpunit::ran,
};
