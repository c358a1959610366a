//! A tree's last will: what is to be removed once nothing of it lives any more.
//!
//! Only paths that were named before the tree started are removed. A symbolic link goes, what it points to stays.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Files and folders to be removed. As `OsString`, because a path in JSON must be UTF-8 and a file's name need not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Will(Vec<OsString>);

/// On a busy system the last file of a process may appear after its death was reported; on Windows its handles close
/// a moment later.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(20);

impl Will {
    pub(crate) fn add(&mut self, path: PathBuf) {
        self.0.push(path.into_os_string());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first path that can't be meant: one that names no entry of a folder, such as `/`.
    pub(crate) fn nonsense(&self) -> Option<&Path> {
        self.0.iter().map(Path::new).find(|path| path.file_name().is_none() || !path.is_absolute())
    }

    /// Removes everything that is still there. Blocking. What resists is left: nobody is there to be told.
    pub(crate) fn execute(&self) {
        for path in self.0.iter().map(Path::new) {
            let gone = (1..=TRIES).any(|attempt| {
                if attempt > 1 {
                    std::thread::sleep(PAUSE);
                }
                remove(path).is_ok()
            });
            if !gone {
                tracing::warn!(component = "supervise", event = "not_removed", path = %path.display());
            }
        }
    }

    /// The same, away from the tasks.
    pub(crate) async fn execute_aside(self) {
        if !self.is_empty() {
            let _ = tokio::task::spawn_blocking(move || self.execute()).await;
        }
    }
}

fn remove(path: &Path) -> io::Result<()> {
    let removed = match path.symlink_metadata() {
        // Does not follow links, and does not let itself be tricked into it by a change under way.
        Ok(entry) if entry.is_dir() => std::fs::remove_dir_all(path),
        Ok(_) => std::fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_link_goes_and_what_it_points_to_stays() {
        let dir = tempfile::tempdir().unwrap();
        let (kept, profile, link) =
            (dir.path().join("kept"), dir.path().join("profile"), dir.path().join("link"));
        std::fs::create_dir_all(kept.join("inner")).unwrap();
        std::fs::create_dir_all(profile.join("a/b")).unwrap();
        std::os::unix::fs::symlink(&kept, profile.join("a/out")).unwrap();
        std::os::unix::fs::symlink(&kept, &link).unwrap();
        let mut will = Will::default();
        will.add(profile.clone());
        will.add(link.clone());
        will.add(dir.path().join("never was"));
        will.execute();
        assert!(!profile.exists() && link.symlink_metadata().is_err());
        assert!(kept.join("inner").exists());
    }

    #[test]
    fn what_names_no_entry_is_nonsense() {
        let mut will = Will::default();
        will.add(std::env::temp_dir().join("x"));
        assert_eq!(will.nonsense(), None);
        will.add(PathBuf::from("/"));
        assert_eq!(will.nonsense(), Some(Path::new("/")));
    }
}
