//! Packages of npm that sample projects need: `cargo xtask test` installs them once, tests link them.

#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_dir as symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde_json::json;

/// Each package and its version.
pub const PACKAGES: &[(&str, &str)] =
    &[("@playwright/test", "1.65.0"), ("jest", "30.5.2"), ("vite", "8.3.8"), ("vitest", "4.1.12")];

/// Where they are installed, in cargo's target folder.
pub fn folder(target: &Path) -> PathBuf {
    target.join("testkit/node")
}

/// The `package.json` that asks for exactly these packages, each with its version.
pub fn manifest(packages: &[(&str, &str)]) -> String {
    let packages: serde_json::Map<_, _> =
        packages.iter().map(|(name, version)| ((*name).to_owned(), json!(version))).collect();
    format!("{:#}\n", json!({ "private": true, "dependencies": packages }))
}

/// Whether `folder` holds these very versions.
pub fn is_installed(folder: &Path, packages: &[(&str, &str)]) -> bool {
    let asked_for = std::fs::read_to_string(folder.join("package.json")).unwrap_or_default();
    asked_for == manifest(packages) && folder.join("node_modules").is_dir()
}

/// Links every installed package into `project`. Its `node_modules` is a folder of its own, because tools keep their
/// caches there.
pub(crate) fn link(target: &Path, project: &Path) -> anyhow::Result<()> {
    let installed = folder(target);
    ensure!(
        is_installed(&installed, PACKAGES),
        "{} does not hold the packages that this test needs; run `cargo xtask test`, which installs them",
        installed.display()
    );
    let modules = project.join("node_modules");
    std::fs::create_dir(&modules)?;
    for entry in std::fs::read_dir(installed.join("node_modules"))? {
        let entry = entry?;
        let link = modules.join(entry.file_name());
        symlink(entry.path(), &link).with_context(|| format!("can't link {}", link.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_are_missing_or_of_another_version_are_told_with_what_to_do() {
        let (target, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let told = link(target.path(), project.path()).unwrap_err().to_string();
        assert!(told.contains("run `cargo xtask test`"), "{told}");
        std::fs::create_dir_all(folder(target.path()).join("node_modules/jest")).unwrap();
        std::fs::write(folder(target.path()).join("package.json"), "{}").unwrap();
        assert!(link(target.path(), project.path()).is_err());
        std::fs::write(folder(target.path()).join("package.json"), manifest(PACKAGES)).unwrap();
        link(target.path(), project.path()).unwrap();
        assert!(project.path().join("node_modules/jest").is_dir());
    }
}
