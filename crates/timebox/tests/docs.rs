//! docs/runners.md is made from the runners themselves. `UPDATE_DOCS=1 cargo nextest run -p timebox` rewrites it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "clippy knows only functions marked as tests, not their helpers")]

use std::fmt::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::Workspace;
use timebox::runners::{RUNNERS, Runner, Scope};

#[test]
fn the_page_about_runners_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/runners.md");
    let made = made();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(page.parent().unwrap()).unwrap();
        std::fs::write(&page, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(kept == made, "docs/runners.md is not what the runners say; run the tests with UPDATE_DOCS=1");
}

fn made() -> String {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    std::fs::create_dir_all(folder.path().join("repo/src")).unwrap();
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(folder.path().join("repo/Cargo.toml"), "").unwrap();
    std::fs::write(folder.path().join("repo/src/lib.rs"), "").unwrap();
    let workspace = Workspace::open(&folder.path().join("repo"), None).unwrap();
    for name in
        RUNNERS.iter().flat_map(|runner| runner.program_names()).filter(|name| !name.starts_with("./"))
    {
        let file: PathBuf = bin.join(name.split(' ').next().unwrap());
        std::fs::write(&file, "").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut page = String::from(INTRODUCTION);
    for runner in RUNNERS {
        section(&mut page, runner, &workspace, &bin);
    }
    page
}

fn section(page: &mut String, runner: &Runner, workspace: &Workspace, bin: &Path) {
    let file = workspace.locate(runner.example).unwrap();
    let scopes = [
        ("all".to_owned(), Scope::All),
        (format!("file `{}`", runner.example), Scope::File(file)),
        ("pattern `adds`".to_owned(), Scope::Pattern("adds".to_owned())),
    ];
    let own: Vec<String> = runner
        .env()
        .into_iter()
        .filter(|set| !COMMON.contains(set))
        .map(|(name, value)| format!("`{name}={value}`"))
        .collect();
    writeln!(page, "\n## {}\n\nRuns {}.\n\n| scope | command |\n|---|---|", runner.name, runner.about)
        .unwrap();
    for (name, scope) in scopes {
        let command = runner.command_on(&scope, workspace, Some(bin.as_os_str())).unwrap();
        writeln!(page, "| {name} | `{}` |", command.to_string().replace('|', "\\|")).unwrap();
    }
    let programs: Vec<String> = runner.program_names().iter().map(|name| format!("`{name}`")).collect();
    writeln!(page, "\n- Pattern: {}.", runner.pattern).unwrap();
    writeln!(page, "- Program, the first that is there: {}.", programs.join(", ")).unwrap();
    if !own.is_empty() {
        writeln!(page, "- Environment: {}.", own.join(", ")).unwrap();
    }
    if !runner.notes.is_empty() {
        writeln!(page, "- {}", runner.notes).unwrap();
    }
}

const COMMON: &[(&str, &str)] =
    &[("CI", "true"), ("NO_COLOR", "1"), ("TERM", "dumb"), ("GIT_TERMINAL_PROMPT", "0")];

const INTRODUCTION: &str = "\
# Runners

`run_test` starts nothing but these command lines. The caller chooses a runner and a scope (`all`, `file` or `pattern`); the target
ends up in one argument that the runner can't take for an option. This page is made from the code (`crates/timebox/src/runners`).

Every run gets `CI=true`, `NO_COLOR=1`, `TERM=dumb` and `GIT_TERMINAL_PROMPT=0`, has its standard input closed, and works in the
workspace's folder. `FORCE_COLOR` and `CLICOLOR_FORCE` are taken out of the environment, or set as below. A program written with `./` is
looked for in the workspace and in the folders above it up to the repository's top; the others on `PATH`. Nothing is ever downloaded.

A pattern that matches nothing is an error to nextest, pytest, playwright, maven and gradle; the others pass then. Either way the
answer's `message` and `warnings` say that no tests ran, as far as the output tells.

Tried with cargo 1.95, cargo-nextest 0.9.143, pytest 7.2 and 9.2, Go 1.19, Vitest 4.1, Jest 30.5, Playwright 1.65, Node 20.20, Maven 3.8.7 with
Surefire 2.22, Gradle 4.4, RSpec 3.12 and PHPUnit 9.6. All of them run for real in
`crates/server/tests/real_runners`. The templates of flutter, dart and dotnet follow their documentation.
";
