//! `gradle test`, without a daemon that would outlive the run, the Kotlin compiler's included.
//!
//! `--tests` matches whole names with `*` in them. A pattern without `*` becomes `*pattern*`, as callers of other
//! runners expect.

use super::command::{Runner, Scope};
use super::jvm;
use super::program::Program;
use super::target::{option, words};
use crate::failures::{WithFallback, gradle};

const FIXED: &[&str] =
    &["--no-daemon", "--console=plain", "--continue", "-Pkotlin.compiler.execution.strategy=in-process"];

const BUILD_FILES: &[&str] = &["build.gradle", "build.gradle.kts"];

pub(super) const GRADLE: Runner = Runner {
    name: "gradle",
    about: "JVM tests under Gradle",
    notes: "`./gradlew` comes before PATH. A file becomes the class of its name (`--tests`), in the project of the \
            nearest build.gradle. Gradle runs nothing again that is up to date; the warning that no tests ran says so.",
    pattern: "a part of class and method (`CartTest.adds`), or a whole name with `*`",
    example: "src/test/java/shop/CartTest.java",
    programs: &[Program::in_project("gradlew"), Program::on_path("gradle")],
    install: "add the wrapper `gradlew` to the project, or put `gradle` on PATH: https://gradle.org/install",
    env: &[],
    arguments: |scope, workspace| {
        Ok(match scope {
            Scope::All => words(FIXED, ["test".into()]),
            Scope::File(file) => {
                let class = jvm::test_class(file, workspace, BUILD_FILES)?;
                words(FIXED, [task_in(&class).into(), option("--tests", &class.name)])
            }
            Scope::Pattern(pattern) => {
                let name = if pattern.contains('*') { pattern.clone() } else { format!("*{pattern}*") };
                words(FIXED, ["test".into(), option("--tests", &name)])
            }
        })
    },
    extractor: WithFallback::<gradle::Gradle>::boxed,
    ran: gradle::ran,
};

/// `:app:test` for a class in the folder `app`: by default a project's path is its folder's.
fn task_in(class: &jvm::TestClass) -> String {
    let mut task: String = class.module.iter().map(|part| format!(":{}", part.to_string_lossy())).collect();
    task.push_str(if task.is_empty() { "test" } else { ":test" });
    task
}
