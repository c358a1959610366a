//! The templates through the public surface: what a runner and a scope become (B2, BP1, BP2).
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "clippy knows only functions marked as tests, not their helpers")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::Workspace;
use proptest::prelude::*;
use timebox::runners::{self, CommandLine, CommandRefused, RUNNERS, Runner, Scope};

/// A workspace, and a PATH on which every runner is installed.
struct Machine {
    _folder: tempfile::TempDir,
    workspace: Workspace,
    path: OsString,
}

impl Machine {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let machine = Self {
            workspace: {
                std::fs::create_dir_all(folder.path().join("repo/src")).unwrap();
                Workspace::open(&folder.path().join("repo"), None).unwrap()
            },
            path: folder.path().join("bin").into_os_string(),
            _folder: folder,
        };
        for program in RUNNERS.iter().flat_map(|runner| runner.program_names()) {
            let name = program.split(' ').next().unwrap();
            if !name.starts_with("./") {
                executable(&PathBuf::from(&machine.path).join(name));
            }
        }
        machine.write("Cargo.toml", "");
        machine.write("src/lib.rs", "");
        machine
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.workspace.root().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    fn command(&self, runner: &Runner, scope: &Scope) -> Result<CommandLine, CommandRefused> {
        runner.command_on(scope, &self.workspace, Some(&self.path))
    }

    fn file(&self, name: &str) -> Scope {
        Scope::File(self.workspace.locate(name).unwrap())
    }

    fn shown(&self, runner: &str, scope: &Scope) -> String {
        self.command(runners::find(runner).unwrap(), scope).unwrap().to_string()
    }
}

fn executable(file: &Path) {
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, "").unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn pattern(pattern: &str) -> Scope {
    Scope::Pattern(pattern.to_owned())
}

fn words(command: &CommandLine) -> Vec<String> {
    command.args.iter().map(|word| word.to_str().unwrap().to_owned()).collect()
}

#[test]
fn flutters_three_command_lines_are_the_seeds_own() {
    let machine = Machine::new();
    assert_eq!(machine.shown("flutter", &Scope::All), "flutter test");
    assert_eq!(
        machine.shown("flutter", &machine.file("test/cart_test.dart")),
        "flutter test test/cart_test.dart"
    );
    assert_eq!(machine.shown("flutter", &pattern("adds")), "flutter test --name adds");
    assert_eq!(machine.shown("flutter", &pattern("--help")), "flutter test --name --help");
    assert_eq!(machine.shown("flutter", &machine.file("-x_test.dart")), "flutter test ./-x_test.dart");
}

#[test]
fn every_run_is_told_that_nobody_watches_and_no_colour_is_wanted() {
    let machine = Machine::new();
    for runner in RUNNERS {
        let command = machine.command(runner, &Scope::All).unwrap();
        for set in [("CI", "true"), ("NO_COLOR", "1"), ("TERM", "dumb")] {
            assert!(command.env.contains(&set), "{}: {set:?}", runner.name);
        }
        let forced = command.env.iter().find(|(name, _)| *name == "FORCE_COLOR").map(|(_, value)| *value);
        assert!(forced == Some("0") || command.unset.contains(&"FORCE_COLOR"), "{}", runner.name);
        assert!(command.program.is_absolute());
    }
}

#[test]
fn a_rust_file_is_run_by_its_target_or_its_module() {
    let machine = Machine::new();
    for file in ["tests/deep/main.rs", "member/Cargo.toml", "member/src/main.rs", "other/Cargo.toml"] {
        machine.write(file, "");
    }
    let cases = [
        ("src/lib.rs", "--lib"),
        ("src/cart.rs", "--lib -- -- cart::"),
        ("src/cart/mod.rs", "--lib -- -- cart::"),
        ("src/cart/item.rs", "--lib -- -- cart::item::"),
        ("src/bin/tool.rs", "--bin=tool"),
        ("tests/checkout.rs", "--test=checkout"),
        ("tests/deep/main.rs", "--test=deep"),
        ("tests/deep/part.rs", "--test=deep -- -- part::"),
        ("examples/show.rs", "--example=show"),
        ("benches/fast.rs", "--bench=fast"),
        ("member/src/main.rs", "--manifest-path=member/Cargo.toml --bins"),
        ("member/src/args.rs", "--manifest-path=member/Cargo.toml --bins -- -- args::"),
        ("member/tests/it.rs", "--manifest-path=member/Cargo.toml --test=it"),
    ];
    for (file, expected) in cases {
        assert_eq!(
            machine.shown("cargo", &machine.file(file)),
            format!("cargo test --no-fail-fast {expected}")
        );
        let nextest = machine.shown("nextest", &machine.file(file));
        assert_eq!(nextest, format!("cargo-nextest nextest run --no-fail-fast {expected}"));
    }
    for file in ["build.rs", "tests/common/mod.rs", "README.md", "other/src/x.rs", "tests"] {
        let refused = machine.command(runners::find("cargo").unwrap(), &machine.file(file));
        assert!(matches!(refused, Err(CommandRefused::FileUntranslatable { .. })), "{file}: {refused:?}");
    }
}

#[test]
fn a_jvm_file_is_run_by_its_class_in_its_module() {
    let machine = Machine::new();
    machine.write("app/pom.xml", "");
    machine.write("app/build.gradle", "");
    let ends_with = |runner: &str, file: &str, expected: &str| {
        let shown = machine.shown(runner, &machine.file(file));
        assert!(shown.ends_with(expected), "{shown}");
    };
    ends_with("maven", "src/test/java/shop/CartTest.java", " test -Dtest=shop.CartTest");
    ends_with("gradle", "src/test/kotlin/CartTest.kt", " test --tests=CartTest");
    ends_with("gradle", "app/src/test/java/shop/CartTest.java", " :app:test --tests=shop.CartTest");
    assert!(
        machine
            .shown("maven", &machine.file("app/src/test/java/CartTest.java"))
            .contains("--projects=app --also-make")
    );
    for runner in ["maven", "gradle"] {
        for file in ["src/test/resources/a.txt", "src/test/java/A,B.java", "src/test/java/*.java"] {
            let refused = machine.command(runners::find(runner).unwrap(), &machine.file(file));
            assert!(matches!(refused, Err(CommandRefused::FileUntranslatable { .. })), "{file}: {refused:?}");
        }
    }
}

#[test]
fn other_files_become_what_their_runner_takes() {
    let machine = Machine::new();
    machine.write("tests/Shop.Tests.csproj", "");
    let cases = [
        ("go", "cart/cart_test.go", "go test -count=1 ./cart"),
        ("go", "cart_test.go", "go test -count=1 ."),
        ("playwright", "tests/a+b.spec.ts", r"playwright test --reporter=list '/tests/a\+b\.spec\.ts'"),
        (
            "dotnet",
            "tests/CartTests.cs",
            "dotnet test --nologo ./tests --filter=FullyQualifiedName~CartTests.",
        ),
        ("dotnet", "tests/Shop.Tests.csproj", "dotnet test --nologo tests/Shop.Tests.csproj"),
        ("pytest", "@args.py", "pytest --color=no ./@args.py"),
        ("rspec", "spec/cart_spec.rb", "rspec --no-color --format=documentation ./spec/cart_spec.rb"),
    ];
    for (runner, file, expected) in cases {
        assert_eq!(machine.shown(runner, &machine.file(file)), expected);
    }
}

#[test]
fn the_projects_own_program_comes_first_up_to_the_repositorys_top_and_no_further() {
    let machine = Machine::new();
    let vitest = runners::find("vitest").unwrap();
    let program = |machine: &Machine| machine.command(vitest, &Scope::All).unwrap().program;
    let above = machine.workspace.root().parent().unwrap().to_owned();
    executable(&above.join("node_modules/.bin/vitest"));
    assert_eq!(program(&machine), PathBuf::from(&machine.path).join("vitest"), "outside of a repository");
    std::fs::create_dir(above.join(".git")).unwrap();
    assert_eq!(program(&machine), above.join("node_modules/.bin/vitest"));
    executable(&machine.workspace.root().join("node_modules/.bin/vitest"));
    assert_eq!(program(&machine), machine.workspace.root().join("node_modules/.bin/vitest"));
}

#[test]
fn a_file_that_may_not_be_executed_is_no_program() {
    let machine = Machine::new();
    machine.write("gradlew", "");
    assert!(machine.shown("gradle", &Scope::All).starts_with("gradle "));
    executable(&machine.workspace.root().join("gradlew"));
    assert!(machine.shown("gradle", &Scope::All).starts_with("gradlew "));
}

#[test]
fn rspec_goes_through_bundler_only_when_the_lock_file_names_it() {
    let machine = Machine::new();
    machine.write("Gemfile.lock", "GEM\n  specs:\n    rake (13.0)\n");
    assert!(machine.shown("rspec", &Scope::All).starts_with("rspec "));
    machine.write("Gemfile.lock", "GEM\n  specs:\n    rspec (3.12.0)\n      rspec-core (~> 3.12.0)\n");
    assert!(machine.shown("rspec", &Scope::All).starts_with("bundle exec rspec "));
}

#[test]
fn a_runner_that_is_not_installed_says_how_to_get_it() {
    let machine = Machine::new();
    for runner in RUNNERS {
        let refused =
            runner.command_on(&Scope::All, &machine.workspace, Some("/nowhere".as_ref())).unwrap_err();
        let text = refused.to_string();
        assert!(matches!(refused, CommandRefused::NotInstalled(_)) && text.contains("install"), "{text}");
        assert_eq!(text.lines().count(), 1);
    }
}

#[test]
fn a_pattern_that_no_argument_can_hold_is_refused() {
    let machine = Machine::new();
    for bad in ["", "  ", "a\0b", "a\nb", &"x".repeat(5000)] {
        for runner in RUNNERS {
            let refused = machine.command(runner, &pattern(bad));
            assert!(matches!(refused, Err(CommandRefused::PatternUnusable { .. })), "{bad:?}");
        }
    }
}

/// The options of a runner's templates, without their values.
fn known_options(machine: &Machine, runner: &Runner) -> BTreeSet<String> {
    let scopes = [Scope::All, machine.file(runner.example), pattern("zq")];
    let commands = scopes.iter().map(|scope| machine.command(runner, scope).unwrap());
    let options = commands.flat_map(|command| words(&command)).filter(|word| word.starts_with('-'));
    let rust = ["--lib", "--bins", "--bin", "--test", "--example", "--bench", "--manifest-path"];
    let rust = rust.iter().filter(|_| ["cargo", "nextest"].contains(&runner.name)).map(ToString::to_string);
    options.map(|word| word.split('=').next().unwrap().to_owned()).chain(rust).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// BP1: a pattern ends up in one argument, the others are the template's, and that one can't be an option: it is
    /// a value behind `=`, the value of flutter's `--name`, or behind `--`.
    #[test]
    fn a_pattern_is_one_argument_and_never_an_option(target in "(-{1,2}|@|\\./)?[^\\x00\\n\\r]{1,30}") {
        prop_assume!(!target.trim().is_empty());
        let machine = Machine::new();
        for runner in RUNNERS {
            let template = words(&machine.command(runner, &pattern("zq")).unwrap());
            let args = words(&machine.command(runner, &pattern(&target)).unwrap());
            prop_assert_eq!(template.len(), args.len(), "{}", runner.name);
            let changed: Vec<usize> = (0..args.len()).filter(|at| args[*at] != template[*at]).collect();
            prop_assert!(changed.len() <= 1, "{}: {:?}", runner.name, args);
            let Some(at) = changed.first().copied() else { continue };
            prop_assert!(args[at].contains(&target));
            let option = template[at].split_once('=').map(|(option, _)| format!("{option}="));
            let as_value = option.is_some_and(|option| option.starts_with('-') && args[at].starts_with(&option));
            let before = &args[..at];
            let is_protected = before.contains(&"--".to_owned()) && before.last().unwrap() == "--";
            let is_flutter = runner.name == "flutter" && before == ["test", "--name"];
            prop_assert!(as_value || is_protected || is_flutter, "{}: {:?}", runner.name, args);
        }
    }

    /// BP1: whatever the file's name, a command has no option that the template has not.
    #[test]
    fn a_file_never_becomes_an_option(
        folder in prop::sample::select(vec!["", "src/", "tests/", "src/test/java/", "-d/"]),
        name in "(-{1,2}|@)?[^\\x00-\\x1f/\\\\\\x7f-\\x9f]{1,20}",
        extension in prop::sample::select(vec!["rs", "py", "go", "ts", "java", "cs", "rb", "php", "dart", "kt"]),
    ) {
        let machine = Machine::new();
        let Ok(file) = machine.workspace.locate(&format!("{folder}{name}.{extension}")) else { return Ok(()) };
        for runner in RUNNERS {
            let options = known_options(&machine, runner);
            match machine.command(runner, &Scope::File(file.clone())) {
                Ok(command) => {
                    let words = words(&command);
                    for (at, word) in words.iter().enumerate() {
                        let option = word.split('=').next().unwrap();
                        let is_protected = at > 0 && words[at - 1] == "--";
                        let is_plain = !word.starts_with(['-', '@']) || is_protected;
                        prop_assert!(is_plain || options.contains(option), "{}: {word:?}", runner.name);
                    }
                }
                Err(refused) => prop_assert!(
                    matches!(refused, CommandRefused::FileUntranslatable { .. }), "{}: {refused}", runner.name
                ),
            }
        }
    }

    /// BP2: nothing but the exact name of a runner is a runner.
    #[test]
    fn an_unknown_runner_is_refused(name in "\\PC{0,20}|(?i)(flutter|cargo|go) ?") {
        let known = RUNNERS.iter().any(|runner| runner.name == name);
        prop_assert_eq!(runners::find(&name).is_ok(), known);
        if let Err(refused) = runners::find(&name) {
            prop_assert!(refused.to_string().contains("flutter, dart, cargo"));
        }
    }
}
