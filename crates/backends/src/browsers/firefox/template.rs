//! A profile that Firefox has been started with once: what it makes at its first start, the cache of its own scripts
//! above all, need not be made again. A start from a copy of it takes about two thirds of the time.
//!
//! It is kept for one program of one version and for our settings, is never started with again itself, and nothing of a
//! user's is in it. Several servers may make it at the same time: whoever is first to lock it does.

use std::fs::{DirBuilder, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, test_kill_process};
use tempfile::TempDir;

use super::{Executable, home, prefs};
use crate::browsers::profile;

/// How the name of one that is being made begins; it goes on with the number of the process that makes it.
const BEGUN: &str = "begun-";
/// Whose lock lets one make it.
const LOCK: &str = "lock";
/// What a start leaves that is no good to another: who uses the profile, what it is like at the moment, what was cached
/// and reported.
const LEFT_OUT: &[&str] = &[
    ".parentlock",
    "lock",
    "parent.lock",
    "WebDriverBiDiServer.json",
    "cache2",
    "containers.json",
    "crashes",
    "datareporting",
    home::NAME,
    "minidumps",
    "sessionstore-backups",
    "sessionstore.jsonlz4",
    "t",
    "thumbnails",
];

/// The template for a program, whether it is there or not.
#[derive(Debug, Clone)]
pub(super) struct Template {
    templates: PathBuf,
    folder: PathBuf,
}

/// One that is being made. Nobody else does meanwhile.
#[derive(Debug)]
pub(super) struct Begun {
    profile: TempDir,
    _lock: File,
}

impl Begun {
    /// Where Firefox is to be started once.
    pub(super) fn profile(&self) -> &Path {
        self.profile.path()
    }
}

impl Template {
    /// The one for `executable` below `templates`. One that was made by a browser that is not confined is for those that are not, either:
    /// settings are kept in it.
    pub(super) fn of(templates: &Path, executable: &Executable, confined: bool) -> Self {
        let program = executable.path.canonicalize().unwrap_or_else(|_| executable.path.clone());
        let mut hasher = DefaultHasher::new();
        program.hash(&mut hasher);
        let changed = program.metadata().map(|metadata| (metadata.len(), metadata.mtime()));
        changed.ok().hash(&mut hasher);
        // Its version and build; where it lies elsewhere, the program itself has to do.
        std::fs::read(program.with_file_name("application.ini")).ok().hash(&mut hasher);
        prefs::user_js(confined).hash(&mut hasher);
        let folder = templates.join(format!("{:016x}", hasher.finish()));
        Self { templates: templates.to_owned(), folder }
    }

    pub(super) fn is_there(&self) -> bool {
        self.folder.is_dir()
    }

    /// Copies it into a new profile.
    pub(super) fn fill(&self, profile: &Path) -> io::Result<()> {
        copy(&self.folder, profile)
    }

    /// It is of no use.
    pub(super) fn discard(&self) {
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            tracing::warn!(component = "browsers", event = "template_not_removed", %error);
        }
    }

    /// Begins to make it; nothing if somebody else does, or did.
    pub(super) fn begin(&self) -> io::Result<Option<Begun>> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.templates)?;
        let lock = File::create(self.templates.join(LOCK))?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() || self.is_there() {
            return Ok(None);
        }
        sweep(&self.templates);
        let prefix = format!("{BEGUN}{}-", std::process::id());
        let private = std::fs::Permissions::from_mode(0o700);
        let profile =
            tempfile::Builder::new().prefix(&prefix).permissions(private).tempdir_in(&self.templates)?;
        DirBuilder::new().mode(0o700).create(profile::temporary(profile.path()))?;
        Ok(Some(Begun { profile, _lock: lock }))
    }

    /// Keeps what Firefox made, as a whole or not at all.
    pub(super) fn keep(&self, begun: Begun) -> io::Result<()> {
        for name in LEFT_OUT {
            let path = begun.profile().join(name);
            let removed = match path.symlink_metadata() {
                Ok(entry) if entry.is_dir() => std::fs::remove_dir_all(&path),
                Ok(_) => std::fs::remove_file(&path),
                Err(_) => Ok(()),
            };
            removed?;
        }
        std::fs::rename(begun.profile(), &self.folder)?;
        // It lies elsewhere now.
        let _ = begun.profile.keep();
        Ok(())
    }
}

/// Removes what those have left who were killed while they made one.
fn sweep(templates: &Path) {
    for entry in std::fs::read_dir(templates).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(BEGUN)?.split_once('-'));
        let owner = owner.and_then(|(pid, _)| Pid::from_raw(pid.parse().ok().filter(|pid| *pid > 0)?));
        if owner.is_some_and(|owner| test_kill_process(owner).is_err()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Copies what is in a folder; links and sockets are nothing that a profile needs.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            DirBuilder::new().recursive(true).mode(0o700).create(&to)?;
            copy(&entry.path(), &to)?;
        } else if kind.is_file() {
            std::fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(templates: &Path) -> Template {
        Template::of(templates, &Executable { path: "/usr/bin/env".into() }, false)
    }

    #[test]
    fn what_was_made_is_copied_without_what_only_one_browser_needs() {
        let folder = tempfile::tempdir().unwrap();
        let templates = folder.path().join("new/private");
        let template = template(&templates);
        let begun = template.begin().unwrap().unwrap();
        std::fs::create_dir(begun.profile().join("startupCache")).unwrap();
        std::fs::write(begun.profile().join("startupCache/x"), "x").unwrap();
        std::fs::write(begun.profile().join("containers.json"), "x").unwrap();
        assert!(!template.is_there());
        template.keep(begun).unwrap();
        let profile = tempfile::tempdir().unwrap();
        template.fill(profile.path()).unwrap();
        assert!(profile.path().join("startupCache/x").is_file());
        assert!(!profile.path().join("containers.json").exists());
        let others = templates.metadata().unwrap().permissions().mode() & 0o077;
        assert_eq!(others, 0);
        assert!(template.begin().unwrap().is_none(), "it is there");
    }

    #[test]
    fn only_one_makes_it_and_what_is_given_up_is_gone() {
        let templates = tempfile::tempdir().unwrap();
        let template = template(templates.path());
        let begun = template.begin().unwrap().unwrap();
        assert!(template.begin().unwrap().is_none());
        let folder = begun.profile().to_owned();
        drop(begun);
        assert!(!folder.exists() && !template.is_there());
        assert!(template.begin().unwrap().is_some());
    }

    #[test]
    fn another_program_has_another() {
        let templates = Path::new("/t");
        let other = Template::of(templates, &Executable { path: "/usr/bin/id".into() }, false);
        assert_ne!(template(templates).folder, other.folder);
    }

    #[test]
    fn a_confined_browser_has_another() {
        let templates = Path::new("/t");
        let confined = Template::of(templates, &Executable { path: "/usr/bin/env".into() }, true);
        assert_ne!(template(templates).folder, confined.folder);
    }
}
