//! Which class, in which module, a file of JVM tests is. Maven and Gradle select classes, not files.

use std::path::{Path, PathBuf};

use base::{Workspace, WorkspacePath};

use super::command::Untranslatable;

const NO_CLASS: Untranslatable = Untranslatable(
    "only .java, .kt, .groovy and .scala files with a class of the same name can be selected; use scope `pattern`",
);

/// A test class, by the convention that a file is named after its class.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TestClass {
    /// The folder of its module, relative to the workspace; empty for the workspace itself.
    pub(super) module: PathBuf,
    /// The class with its package: `shop.CartTest`.
    pub(super) name: String,
}

/// Reads class and module off the path: `app/src/test/java/shop/CartTest.java` is `shop.CartTest` in `app`. A module
/// is the nearest folder above the file that holds one of `build_files`.
pub(super) fn test_class(
    file: &WorkspacePath,
    workspace: &Workspace,
    build_files: &[&str],
) -> Result<TestClass, Untranslatable> {
    let path = file.relative();
    let known = ["java", "kt", "groovy", "scala"];
    if !path.extension().is_some_and(|extension| known.iter().any(|known| extension == *known)) {
        return Err(NO_CLASS);
    }
    let is_module = |folder: &&Path| {
        build_files.iter().any(|build_file| workspace.root().join(folder).join(build_file).is_file())
    };
    let module = path.ancestors().skip(1).find(is_module).unwrap_or(Path::new(""));
    let name = class_name(path).ok_or(NO_CLASS)?;
    Ok(TestClass { module: module.to_owned(), name })
}

/// What follows `src/<source set>/<language>/`, with dots; the bare name where the layout is another.
fn class_name(path: &Path) -> Option<String> {
    let stem = path.with_extension("");
    let parts: Vec<&str> = stem.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let source = parts.iter().rposition(|part| *part == "src").filter(|at| at + 3 < parts.len());
    let package = source.map_or_else(|| parts.len() - 1, |at| at + 3);
    let name = &parts[package..];
    // An identifier holds nothing that a filter expression could take for an operator.
    let identifier = |part: &&str| part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    name.iter().all(identifier).then(|| name.join("."))
}
