//! Which Cargo target, and which module in it, a Rust file is.
//!
//! Cargo runs targets, not files. A file under `tests/`, `examples/`, `benches/` or `src/bin/` is a target of its own
//! or part of one; another file under `src/` is a module, and its tests are those whose path begins with the module's.
//! The rules are those by which Cargo finds targets itself; a target with a `path` of its own in Cargo.toml is refused.

use std::ffi::OsString;
use std::path::{Component, Path};

use base::{Workspace, WorkspacePath};

use super::command::Untranslatable;
use super::target::option;

const NO_PACKAGE: Untranslatable =
    Untranslatable("no Cargo.toml lies beside or above it; use scope `pattern`");
const NO_TARGET: Untranslatable = Untranslatable(
    "Cargo runs it as part of no target that it finds by itself (src, src/bin, tests, examples, benches); \
     use scope `pattern`",
);
const NO_RUST: Untranslatable = Untranslatable("it is no .rs file; use scope `pattern`");

/// A file, as Cargo selects it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Selection {
    /// The package and the targets.
    pub(super) options: Vec<OsString>,
    /// The module's path with its last `::`, when the file is only a part of its targets.
    pub(super) module: Option<String>,
}

pub(super) fn select(file: &WorkspacePath, workspace: &Workspace) -> Result<Selection, Untranslatable> {
    if file.relative().extension().is_none_or(|extension| extension != "rs") {
        return Err(NO_RUST);
    }
    let package = package_of(file, workspace)?;
    // `package` came from the file's own ancestors.
    let inside = file.relative().strip_prefix(package).map_err(|_| NO_PACKAGE)?;
    let (targets, module) = targets_of(inside, &workspace.root().join(package))?;
    let mut options = Vec::new();
    if package != Path::new("") {
        let manifest = package.join("Cargo.toml");
        options.push(option("--manifest-path", &manifest.to_string_lossy()));
    }
    options.extend(targets);
    Ok(Selection { options, module })
}

/// The nearest folder above the file that has a Cargo.toml, relative to the workspace.
fn package_of<'a>(file: &'a WorkspacePath, workspace: &Workspace) -> Result<&'a Path, Untranslatable> {
    let above = file.relative().ancestors().skip(1);
    above
        .into_iter()
        .find(|folder| workspace.root().join(folder).join("Cargo.toml").is_file())
        .ok_or(NO_PACKAGE)
}

fn targets_of(inside: &Path, package: &Path) -> Result<(Vec<OsString>, Option<String>), Untranslatable> {
    let parts: Vec<String> = inside
        .with_extension("")
        .components()
        .filter_map(|part| match part {
            Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match parts.as_slice() {
        ["src", "bin", rest @ ..] => named_target("--bin", rest, &package.join("src/bin")),
        ["tests", rest @ ..] => named_target("--test", rest, &package.join("tests")),
        ["examples", rest @ ..] => named_target("--example", rest, &package.join("examples")),
        ["benches", rest @ ..] => named_target("--bench", rest, &package.join("benches")),
        ["src", "lib"] => Ok((vec!["--lib".into()], None)),
        ["src", "main"] => Ok((vec!["--bins".into()], None)),
        ["src", module @ ..] => {
            let roots = [("lib.rs", "--lib"), ("main.rs", "--bins")];
            let present = roots.iter().filter(|(root, _)| package.join("src").join(root).is_file());
            let targets: Vec<OsString> = present.map(|(_, flag)| flag.into()).collect();
            if targets.is_empty() { Err(NO_TARGET) } else { Ok((targets, module_path(module))) }
        }
        _ => Err(NO_TARGET),
    }
}

/// `tests/NAME.rs`, `tests/NAME/main.rs`, or a module beside such a `main.rs`.
fn named_target(
    flag: &str,
    rest: &[&str],
    folder: &Path,
) -> Result<(Vec<OsString>, Option<String>), Untranslatable> {
    let target = |name: &str| vec![option(flag, name)];
    match rest {
        [name] | [name, "main"] => Ok((target(name), None)),
        [name, module @ ..] if folder.join(name).join("main.rs").is_file() => {
            Ok((target(name), module_path(module)))
        }
        _ => Err(NO_TARGET),
    }
}

fn module_path(module: &[&str]) -> Option<String> {
    let module = match module {
        [parents @ .., "mod"] => parents,
        whole => whole,
    };
    (!module.is_empty()).then(|| format!("{}::", module.join("::")))
}
