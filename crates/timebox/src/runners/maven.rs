//! `mvn test`, with Surefire.
//!
//! Surefire selects by `-Dtest=`, whose language is made of class patterns and `Class#method`. A pattern that is one
//! plain word, as callers of other runners write it, becomes "classes or methods that contain the word"; anything else
//! goes through as it is. In a build of several modules, those in which nothing matches must not fail the build.

use std::ffi::OsString;

use base::Workspace;

use super::command::{Runner, Scope};
use super::jvm;
use super::program::Program;
use super::target::{option, words};
use crate::failures::{WithFallback, surefire};

const FIXED: &[&str] =
    &["--batch-mode", "--no-transfer-progress", "--fail-at-end", "-Dstyle.color=never", "test"];

/// Surefire's name for it from 3.0 on, then the one before.
const MAY_BE_EMPTY: &[&str] = &["-Dsurefire.failIfNoSpecifiedTests=false", "-DfailIfNoTests=false"];

pub(super) const MAVEN: Runner = Runner {
    name: "maven",
    about: "JVM tests under Maven Surefire",
    notes: "`./mvnw` comes before PATH. A file becomes the class of its name (`-Dtest=`), in the module of the nearest \
            pom.xml, together with the modules it needs.",
    pattern: "a word in the class's or method's name, or a Surefire expression such as `CartTest#adds*`",
    example: "src/test/java/shop/CartTest.java",
    programs: &[Program::in_project("mvnw"), Program::on_path("mvn")],
    install: "install Maven and put `mvn` on PATH, or add the wrapper `mvnw`: https://maven.apache.org/install.html",
    env: &[],
    arguments: |scope, workspace| {
        Ok(match scope {
            Scope::All => words(FIXED, []),
            Scope::File(file) => {
                let class = jvm::test_class(file, workspace, &["pom.xml"])?;
                let mut args = words(FIXED, [option("-Dtest", &class.name)]);
                if !class.module.as_os_str().is_empty() {
                    args.push(option("--projects", &class.module.to_string_lossy()));
                    args.extend(words(&["--also-make"], may_be_empty()));
                }
                args
            }
            Scope::Pattern(pattern) => {
                let rest = if has_modules(workspace) { may_be_empty() } else { Vec::new() };
                words(FIXED, std::iter::once(option("-Dtest", &expression(pattern))).chain(rest))
            }
        })
    },
    extractor: WithFallback::<surefire::Surefire>::boxed,
    ran: surefire::ran,
};

fn may_be_empty() -> Vec<OsString> {
    words(MAY_BE_EMPTY, [])
}

fn has_modules(workspace: &Workspace) -> bool {
    std::fs::read_to_string(workspace.root().join("pom.xml")).is_ok_and(|pom| pom.contains("<module>"))
}

/// A plain word, in Surefire's language; what is not one plain word is taken to be in that language already.
fn expression(pattern: &str) -> String {
    let plain = pattern.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    if plain { format!("*{pattern}*,*#*{pattern}*") } else { pattern.to_owned() }
}
