//! The workspace: the folder that the agent works on, and the paths that lie inside it (B2.6, B4.6, B4.7).
//!
//! A path that comes from an agent is a string until [`Workspace::locate`] has shown that it leads into the
//! workspace; after that it is a [`WorkspacePath`], and only those are opened, created or handed to a runner.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// A folder that exists, in its real spelling: absolute, no symbolic links, no `..`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    root: PathBuf,
}

/// A path inside the workspace, in the spelling that was asked for and in its real one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspacePath {
    relative: PathBuf,
    absolute: PathBuf,
}

/// Why a folder can't be the workspace.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceRefused {
    /// It does not exist, or can't be read.
    #[error("the workspace {} can't be used: {source}", path.display())]
    Unreadable {
        /// What was asked for.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is a file.
    #[error("the workspace {} is not a folder", path.display())]
    NotAFolder {
        /// What was asked for.
        path: PathBuf,
    },
    /// It is the file system's root or the user's home: clients start servers there by mistake, and a tool that
    /// writes reports there does harm.
    #[error("the workspace {} is {what}, not a project; start the server in the project's folder or pass --workspace", path.display())]
    TooBroad {
        /// What was asked for.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
}

/// Why a path from an agent was refused. Nothing was opened, created or started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathRefused {
    /// Nothing was given.
    #[error("the path is empty")]
    Empty,
    /// It begins at the file system's root or at a drive.
    #[error("the path {0:?} is absolute; give it relative to the workspace")]
    Absolute(String),
    /// It has a `..`, which could lead out.
    #[error("the path {0:?} contains `..`; give it relative to the workspace, without going up")]
    GoesUp(String),
    /// It has a NUL, a line break or another control character, which no honest path has.
    #[error("the path {0:?} contains a control character")]
    ControlCharacter(String),
    /// A symbolic link on the way leads out of the workspace.
    #[error("the path {path:?} leads out of the workspace to {}", target.display())]
    Escapes {
        /// What was asked for.
        path: String,
        /// Where it leads.
        target: PathBuf,
    },
    /// The way can't be followed: a link that loops, a folder that can't be entered, a file where a folder must be.
    #[error("the path {path:?} can't be followed: {reason}")]
    Unfollowable {
        /// What was asked for.
        path: String,
        /// What the system said.
        reason: String,
    },
}

impl Workspace {
    /// Takes `path` as the workspace.
    ///
    /// # Errors
    /// [`WorkspaceRefused`] when it is not a folder, or is `/` or `home`.
    pub fn open(path: &Path, home: Option<&Path>) -> Result<Self, WorkspaceRefused> {
        let unreadable = |source| WorkspaceRefused::Unreadable { path: path.to_owned(), source };
        let root = path.canonicalize().map_err(unreadable)?;
        if !root.is_dir() {
            return Err(WorkspaceRefused::NotAFolder { path: root });
        }
        if root.parent().is_none() {
            return Err(WorkspaceRefused::TooBroad { path: root, what: "the root of the file system" });
        }
        if home.and_then(|home| home.canonicalize().ok()).is_some_and(|home| home == root) {
            return Err(WorkspaceRefused::TooBroad { path: root, what: "your home folder" });
        }
        Ok(Self { root })
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Finds out where `path` leads, and takes it only if that is inside the workspace.
    ///
    /// What does not exist yet is fine, as long as the part that exists stays inside: a report's folder is made later.
    ///
    /// # Errors
    /// [`PathRefused`] says why not.
    pub fn locate(&self, path: &str) -> Result<WorkspacePath, PathRefused> {
        let relative = plain_relative(path)?;
        let absolute = self.resolve(path, &relative)?;
        // Compared by components, so `/repo-evil` is not inside `/repo`.
        if !absolute.starts_with(&self.root) {
            return Err(PathRefused::Escapes { path: path.to_owned(), target: absolute });
        }
        Ok(WorkspacePath { relative, absolute })
    }

    /// Resolves the longest part of the path that exists, links included, and appends the rest.
    fn resolve(&self, asked: &str, relative: &Path) -> Result<PathBuf, PathRefused> {
        let unfollowable = |reason: String| PathRefused::Unfollowable { path: asked.to_owned(), reason };
        let mut existing = self.root.join(relative);
        let mut missing: Vec<OsString> = Vec::new();
        loop {
            // A dangling link exists as a link: what would be created through it lies where it points.
            match existing.symlink_metadata() {
                Ok(_) => break,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    let Some(name) = existing.file_name() else { break };
                    missing.push(name.to_owned());
                    existing.pop();
                }
                Err(error) => return Err(unfollowable(error.to_string())),
            }
        }
        let mut resolved = existing.canonicalize().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                unfollowable("a symbolic link on the way points nowhere".to_owned())
            }
            _ => unfollowable(error.to_string()),
        })?;
        resolved.extend(missing.iter().rev());
        Ok(resolved)
    }
}

/// The path as plain components: no root, no drive, no `..`, no `.`.
fn plain_relative(path: &str) -> Result<PathBuf, PathRefused> {
    if path.is_empty() {
        return Err(PathRefused::Empty);
    }
    if path.chars().any(char::is_control) {
        return Err(PathRefused::ControlCharacter(path.to_owned()));
    }
    // Windows spellings are refused on every system: the same call must mean the same everywhere.
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    if drive || path.starts_with(['/', '\\']) {
        return Err(PathRefused::Absolute(path.to_owned()));
    }
    if path.split(['/', '\\']).any(|part| part == "..") {
        return Err(PathRefused::GoesUp(path.to_owned()));
    }
    let mut plain = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(part) => plain.push(part),
            Component::CurDir => {}
            Component::ParentDir => return Err(PathRefused::GoesUp(path.to_owned())),
            Component::RootDir | Component::Prefix(_) => return Err(PathRefused::Absolute(path.to_owned())),
        }
    }
    Ok(plain)
}

impl WorkspacePath {
    /// Relative to the workspace, without `.`; what a command line and a result show.
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// The real place, links resolved.
    pub fn absolute(&self) -> &Path {
        &self.absolute
    }

    /// This path's child `name`, which must be a plain file name of our own choosing.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        debug_assert!(!name.contains(['/', '\\']) && name != "..");
        Self { relative: self.relative.join(name), absolute: self.absolute.join(name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("repo/sub")).unwrap();
        std::fs::create_dir_all(dir.path().join("repo-evil")).unwrap();
        let workspace = Workspace::open(&dir.path().join("repo"), None).unwrap();
        (dir, workspace)
    }

    #[test]
    fn paths_inside_are_taken_whether_they_exist_or_not() {
        let (_dir, workspace) = workspace();
        for path in ["sub", "sub/", "./sub", "sub/new/deep", "new", "a b/c", "日本/テスト", "-n", "..."]
        {
            let located = workspace.locate(path).unwrap();
            assert!(located.absolute().starts_with(workspace.root()), "{path}");
        }
        assert_eq!(workspace.locate("./sub/./x").unwrap().relative(), Path::new("sub/x"));
        assert_eq!(workspace.locate(".").unwrap().absolute(), workspace.root());
    }

    #[test]
    fn absolute_paths_are_refused_in_every_systems_spelling() {
        let (_dir, workspace) = workspace();
        for path in ["/etc/passwd", "//host/share", "\\windows", "C:\\x", "c:/x", "C:x"] {
            assert!(matches!(workspace.locate(path), Err(PathRefused::Absolute(_))), "{path}");
        }
    }

    #[test]
    fn going_up_is_refused_even_where_it_would_come_back() {
        let (_dir, workspace) = workspace();
        for path in ["..", "../repo", "sub/..", "sub/../../repo-evil", "sub\\..\\x", "./.."] {
            assert!(matches!(workspace.locate(path), Err(PathRefused::GoesUp(_))), "{path}");
        }
    }

    #[test]
    fn control_characters_and_nothing_are_refused() {
        let (_dir, workspace) = workspace();
        assert!(matches!(workspace.locate("a\0b"), Err(PathRefused::ControlCharacter(_))));
        assert!(matches!(workspace.locate("a\nb"), Err(PathRefused::ControlCharacter(_))));
        assert_eq!(workspace.locate(""), Err(PathRefused::Empty));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_refused_also_towards_a_folder_that_only_looks_like_the_root() {
        let (dir, workspace) = workspace();
        let link = |target: &str, name: &str| {
            std::os::unix::fs::symlink(dir.path().join(target), workspace.root().join(name)).unwrap();
        };
        link("repo-evil", "out");
        link("nowhere", "dangling");
        link("repo/sub", "in");
        link("repo/loop", "loop");
        assert!(matches!(workspace.locate("out"), Err(PathRefused::Escapes { .. })));
        assert!(matches!(workspace.locate("out/report"), Err(PathRefused::Escapes { .. })));
        assert!(matches!(workspace.locate("dangling/x"), Err(PathRefused::Unfollowable { .. })));
        assert!(matches!(workspace.locate("loop"), Err(PathRefused::Unfollowable { .. })));
        assert_eq!(workspace.locate("in/x").unwrap().absolute(), workspace.root().join("sub/x"));
    }

    #[test]
    fn a_file_on_the_way_is_refused() {
        let (_dir, workspace) = workspace();
        std::fs::write(workspace.root().join("file"), "").unwrap();
        assert!(matches!(workspace.locate("file/x"), Err(PathRefused::Unfollowable { .. })));
    }

    #[test]
    fn the_root_of_the_file_system_and_the_home_are_no_workspace() {
        let (dir, _) = workspace();
        let open = |path: &Path| Workspace::open(path, Some(dir.path()));
        assert!(matches!(open(Path::new("/")), Err(WorkspaceRefused::TooBroad { .. })));
        assert!(matches!(open(dir.path()), Err(WorkspaceRefused::TooBroad { .. })));
        assert!(matches!(open(&dir.path().join("none")), Err(WorkspaceRefused::Unreadable { .. })));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        /// BP3: whatever the string, a path that is taken lies inside.
        #[test]
        fn whatever_is_taken_lies_inside(path in "(\\.\\.|\\.|sub|new|out|/|\\\\|[a-z]{1,3}|\\PC){0,8}") {
            let (dir, workspace) = workspace();
            #[cfg(unix)]
            std::os::unix::fs::symlink(dir.path(), workspace.root().join("out")).unwrap();
            let _ = &dir;
            if let Ok(located) = workspace.locate(&path) {
                prop_assert!(located.absolute().starts_with(workspace.root()));
                prop_assert!(!located.relative().components().any(|part| part == Component::ParentDir));
                prop_assert!(located.relative().is_relative());
            }
        }

        /// BP3: names without dots, slashes or control characters are always taken.
        #[test]
        fn plain_names_are_always_taken(parts in prop::collection::vec("[A-Za-z0-9_ -]{1,8}", 1..4)) {
            let (_dir, workspace) = workspace();
            prop_assert!(workspace.locate(&parts.join("/")).is_ok());
        }
    }
}
