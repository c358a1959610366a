//! A browser's profile: a folder of its own that goes with it, and the sweeping of those that a killed owner left behind.
//!
//! From the moment that a browser runs, its watchdog removes the profile. An owner that is killed before that leaves an
//! empty folder, which whoever makes the next profile in the same place takes away.

use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use tempfile::TempDir;

/// Its name goes on with the number of the process that made it.
const PREFIX: &str = "e2e-mcp-";
/// What is younger may be about to be used, by an owner that can't be seen from here (another container's).
const STALE: Duration = Duration::from_secs(60);

/// A folder that only we can look into, with one for temporary files in it.
pub(in crate::browsers) fn make(profiles: &Path) -> std::io::Result<TempDir> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(profiles)?;
    sweep(profiles);
    let private = std::fs::Permissions::from_mode(0o700);
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let profile = tempfile::Builder::new().prefix(&prefix).permissions(private).tempdir_in(profiles)?;
    std::fs::DirBuilder::new().mode(0o700).create(temporary(profile.path()))?;
    Ok(profile)
}

/// Where the browser puts its temporary files: its sockets and shared memory go with the profile.
pub(in crate::browsers) fn temporary(profile: &Path) -> PathBuf {
    profile.join("t")
}

/// Removes the empty profiles of owners that are gone. What can't be removed is not ours, or not empty.
fn sweep(profiles: &Path) {
    let entries = std::fs::read_dir(profiles).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let owner = name.to_str().and_then(owner_of);
        if owner.is_some_and(|owner| !lives(owner)) && is_stale(&entry) {
            let profile = entry.path();
            // Neither removes a folder with something in it.
            let _ = std::fs::remove_dir(temporary(&profile));
            let _ = std::fs::remove_dir(&profile);
        }
    }
}

fn owner_of(name: &str) -> Option<Pid> {
    let (pid, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
    Pid::from_raw(pid.parse().ok().filter(|pid| *pid > 0)?)
}

fn lives(pid: Pid) -> bool {
    !matches!(test_kill_process(pid), Err(Errno::SRCH))
}

/// Whether nobody can be about to use it any more.
pub(in crate::browsers) fn is_stale(entry: &std::fs::DirEntry) -> bool {
    let changed = entry.metadata().and_then(|metadata| metadata.modified());
    changed.is_ok_and(|changed| changed.elapsed().is_ok_and(|age| age > STALE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile as an owner that was killed left it, this old.
    fn left_behind(profiles: &Path, owner: u32, age: Duration) -> PathBuf {
        let profile = profiles.join(format!("{PREFIX}{owner}-x{}", age.as_secs()));
        std::fs::create_dir_all(temporary(&profile)).unwrap();
        let then = std::time::SystemTime::now() - age;
        std::fs::File::open(&profile).unwrap().set_modified(then).unwrap();
        profile
    }

    /// A process that has been, and is no more.
    fn dead() -> u32 {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    }

    #[test]
    fn what_a_killed_owner_left_is_swept_and_nothing_else() {
        let profiles = tempfile::tempdir().unwrap();
        let (dead, old) = (dead(), STALE * 2);
        let stale = left_behind(profiles.path(), dead, old);
        let young = left_behind(profiles.path(), dead, Duration::ZERO);
        let owned = left_behind(profiles.path(), std::process::id(), old);
        let full = left_behind(profiles.path(), dead, old * 2);
        std::fs::write(full.join("Cookies"), "x").unwrap();
        std::fs::File::open(&full).unwrap().set_modified(std::time::SystemTime::now() - old).unwrap();
        let others = profiles.path().join("somebody's");
        std::fs::create_dir(&others).unwrap();
        let made = make(profiles.path()).unwrap();
        assert!(!stale.exists());
        assert!([young, owned, full, others, made.path().to_owned()].iter().all(|path| path.exists()));
        assert_eq!(
            owner_of(made.path().file_name().unwrap().to_str().unwrap())
                .map(|pid| pid.as_raw_nonzero().get().unsigned_abs()),
            Some(std::process::id())
        );
    }
}
