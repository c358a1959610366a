//! The private folder of one project and command: `<root>/<project>-<hash>/`, and a lock beside it.
//!
//! Everything here is ours alone (mode 700, owner checked), because whoever could write here would name processes for
//! us to end.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base::Deadline;

use super::state::State;

/// How often a lock that others hold is tried.
const TRY_EVERY: Duration = Duration::from_millis(20);
/// What a stopped server left is evidence for so long.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Where the adapter keeps what it knows: below the user's runtime folder if there is one, otherwise in the temporary
/// folder under a name that is the user's own.
pub fn state_root(runtime: Option<&OsStr>, temporary: &Path) -> PathBuf {
    let me = rustix::process::geteuid().as_raw();
    let runtime = runtime.map(Path::new).filter(|path| path.is_absolute());
    let usable = |path: &&Path| path.metadata().is_ok_and(|entry| entry.is_dir() && entry.uid() == me);
    match runtime.filter(usable) {
        Some(runtime) => runtime.join("e2e-mcp-server"),
        None => temporary.join(format!("e2e-mcp-server-{me}")),
    }
}

/// Why there is no such folder.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoPlace {
    #[error("the folder {} can't be used: {source}", path.display())]
    Failed { path: PathBuf, source: io::Error },
    #[error("the folder {} belongs to another user or is open to others; remove it", path.display())]
    NotPrivate { path: PathBuf },
    #[error("another call for the same dev server has been going on for too long")]
    Busy,
}

/// The folder of one dev server.
#[derive(Debug, Clone)]
pub(super) struct Place {
    root: PathBuf,
    name: String,
}

/// Held while something about a dev server changes.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Place {
    /// The place of `command` in `folder`, which must be canonical.
    pub(super) fn of(root: &Path, folder: &Path, command: &[OsString]) -> Result<Self, NoPlace> {
        make_private(root)?;
        let project = folder.file_name().unwrap_or(OsStr::new("root")).to_string_lossy();
        let project: String =
            project.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).take(40).collect();
        let words = std::iter::once(folder.as_os_str()).chain(command.iter().map(OsString::as_os_str));
        let name = format!("{project}-{}", fingerprint(words.map(OsStrExt::as_bytes)));
        Ok(Self { root: root.to_owned(), name })
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.root.join(&self.name)
    }

    pub(super) fn state(&self) -> Option<State> {
        State::read(&self.folder())
    }

    /// Makes the folder, and takes away what an earlier server left in it.
    pub(super) fn prepare(&self) -> Result<PathBuf, NoPlace> {
        let folder = self.folder();
        let cleared = match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        cleared.map_err(|source| NoPlace::Failed { path: folder.clone(), source })?;
        make_private(&folder)?;
        Ok(folder)
    }

    /// Waits for the lock.
    pub(super) async fn lock(&self, deadline: Deadline) -> Result<Lock, NoPlace> {
        loop {
            if let Some(lock) = self.try_lock()? {
                return Ok(lock);
            }
            if deadline.has_passed() {
                return Err(NoPlace::Busy);
            }
            tokio::time::sleep(TRY_EVERY.min(deadline.remaining())).await;
        }
    }

    fn try_lock(&self) -> Result<Option<Lock>, NoPlace> {
        let path = self.root.join(format!("{}.lock", self.name));
        let failed = |source| NoPlace::Failed { path: path.clone(), source };
        let file = File::options().write(true).create(true).truncate(false).mode(0o600).open(&path);
        let file = file.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // Whoever tidied up may have removed the file between our opening and our locking it.
        let ours = file.metadata().map_err(failed)?;
        let still_there = path.symlink_metadata().is_ok_and(|entry| entry.ino() == ours.ino());
        Ok(still_there.then_some(Lock { _file: file }))
    }

    /// Removes what servers of long ago, or of folders that are gone, left here. What resists stays.
    pub(super) fn tidy(&self) {
        let Ok(entries) = std::fs::read_dir(&self.root) else { return };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> =
            names.map(|name| name.strip_suffix(".lock").unwrap_or(&name).to_owned()).collect();
        names.sort();
        names.dedup();
        for name in names.into_iter().filter(|name| *name != self.name) {
            let other = Self { root: self.root.clone(), name };
            if let Ok(Some(_lock)) = other.try_lock() {
                if other.is_old() {
                    let _ = std::fs::remove_dir_all(other.folder());
                }
                if !other.folder().exists() {
                    let _ = std::fs::remove_file(self.root.join(format!("{}.lock", other.name)));
                }
            }
        }
    }

    fn is_old(&self) -> bool {
        let age = |entry: std::fs::Metadata| SystemTime::now().duration_since(entry.modified().ok()?).ok();
        let aged = self.folder().metadata().ok().and_then(age).is_some_and(|age| age > KEPT);
        match self.state() {
            Some(state) => !state.anything_lives() && (aged || !state.folder.exists()),
            None => aged,
        }
    }
}

/// Makes a folder that is ours alone, or sees that it is.
fn make_private(path: &Path) -> Result<(), NoPlace> {
    let failed = |source| NoPlace::Failed { path: path.to_owned(), source };
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
        _ => {}
    }
    let entry = path.symlink_metadata().map_err(failed)?;
    let private = entry.is_dir()
        && entry.uid() == rustix::process::geteuid().as_raw()
        && entry.mode().trailing_zeros() >= 6;
    if private { Ok(()) } else { Err(NoPlace::NotPrivate { path: path.to_owned() }) }
}

/// A name for some words (FNV-1a, 128 bits). Not secret, only distinct and the same in every version of this program.
fn fingerprint<'a>(words: impl Iterator<Item = &'a [u8]>) -> String {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let step = |hash: u128, byte: u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    let hash = words.fold(BASIS, |hash, word| step(word.iter().copied().fold(hash, step), 0));
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn each_project_and_each_command_has_its_own_place() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        let name = |folder: &str, command: &[&str]| {
            Place::of(&root, Path::new(folder), &words(command)).unwrap().name
        };
        let first = name("/a/app", &["npm", "run", "dev"]);
        assert!(first.starts_with("app-"), "{first}");
        assert_eq!(first, name("/a/app", &["npm", "run", "dev"]));
        for other in [name("/b/app", &["npm", "run", "dev"]), name("/a/app", &["npm", "run dev"])] {
            assert_ne!(first, other);
        }
        assert_eq!(root.metadata().unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_folder_that_others_may_enter_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::set_permissions(&root, std::fs::Permissions::from_mode(0o755)).unwrap();
        let refused = Place::of(&root, Path::new("/a"), &words(&["x"])).unwrap_err();
        assert!(matches!(refused, NoPlace::NotPrivate { .. }));
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(dir.path(), &link).unwrap();
        assert!(Place::of(&link, Path::new("/a"), &words(&["x"])).is_err());
    }

    #[test]
    fn the_root_is_the_runtime_folder_if_that_is_ours() {
        let dir = tempfile::tempdir().unwrap();
        let temporary = Path::new("/tmp");
        let runtime = Some(dir.path().as_os_str());
        assert_eq!(state_root(runtime, temporary), dir.path().join("e2e-mcp-server"));
        let me = rustix::process::geteuid().as_raw();
        let elsewhere = temporary.join(format!("e2e-mcp-server-{me}"));
        assert_eq!(state_root(Some(OsStr::new("/no/such/folder")), temporary), elsewhere);
        assert_eq!(state_root(None, temporary), elsewhere);
    }

    #[tokio::test]
    async fn one_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let place = Place::of(&dir.path().join("root"), Path::new("/a"), &words(&["x"])).unwrap();
        let lock = place.lock(Deadline::after(Duration::from_secs(30))).await.unwrap();
        let refused = place.lock(Deadline::after(Duration::from_millis(50))).await;
        assert!(matches!(refused, Err(NoPlace::Busy)));
        drop(lock);
        place.lock(Deadline::after(Duration::from_secs(30))).await.unwrap();
    }
}
