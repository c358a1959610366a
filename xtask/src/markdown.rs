//! Checks of what people read: links lead somewhere, and the README has the two set-up commands and no third.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::repo;

/// All that one types on a fresh machine.
const SET_UP: &[&str] = &["cargo xtask demo", "cargo xtask test"];

pub(crate) fn check() -> anyhow::Result<String> {
    let root = repo::root();
    let readme = std::fs::read_to_string(root.join("README.md")).context("README.md")?;
    let found = commands_under(&readme, "## Set up");
    ensure!(found == SET_UP, "README.md, under \"Set up\", must have the commands {SET_UP:?}, not {found:?}");

    let files = documents(&root)?;
    let mut dead = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file)?;
        let folder = file.parent().unwrap_or(&root);
        dead.extend(
            links(&text)
                .filter(|link| !folder.join(link).exists())
                .map(|link| format!("{}: {link}", file.strip_prefix(&root).unwrap_or(file).display())),
        );
    }
    ensure!(dead.is_empty(), "links that lead nowhere:\n{}", dead.join("\n"));
    Ok(format!("{} documents", files.len()))
}

/// The documents of the repository itself; what tests keep as samples is not for reading.
fn documents(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = markdown_in(root)?;
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        found.extend(markdown_in(&folder)?);
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn markdown_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    Ok(found)
}

/// The links to files of the repository, without the part after `#`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| {
        let link = rest.split([')', ' ']).next()?;
        let file = link.split('#').next()?;
        let outside = link.contains("://") || link.starts_with("mailto:");
        (!outside && !file.is_empty()).then_some(file)
    })
}

/// The lines of the code blocks under a heading, up to the next heading of any level.
fn commands_under<'text>(text: &'text str, heading: &str) -> Vec<&'text str> {
    let mut commands = Vec::new();
    let (mut inside, mut code) = (false, false);
    for line in text.lines() {
        if line.starts_with("```") {
            code = !code;
        } else if line.starts_with('#') && !code {
            inside = line == heading;
        } else if inside && code && !line.is_empty() {
            commands.push(line.split(" #").next().unwrap_or(line).trim());
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_to_files_are_followed() {
        let text =
            "[a](docs/a.md#part) [b](https://b.example) [c](#here) ![d](d.png \"title\") [e](mailto:e@f)";
        assert_eq!(links(text).collect::<Vec<_>>(), ["docs/a.md", "d.png"]);
    }

    #[test]
    fn commands_are_read_without_their_comments_and_only_under_their_heading() {
        let text = "## Set up\n```sh\ncargo xtask demo   # look\n```\ntext\n```sh\ncargo xtask test\n```\n\
                    ## Other\n```sh\nrm\n```\n";
        assert_eq!(commands_under(text, "## Set up"), SET_UP);
    }
}
