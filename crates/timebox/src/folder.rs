//! The folder of one run's report (B4.5–B4.7), and the three files in it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base::{Workspace, WorkspacePath};

use crate::run::NotStarted;
use crate::time;

/// Where reports go that nobody asked for elsewhere.
const DEFAULT: &str = ".cache/mcp-test-timebox/reports";

/// The folders that runs are writing to right now.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folders(Arc<Mutex<BTreeSet<PathBuf>>>);

/// A folder that belongs to one run until this is dropped.
#[derive(Debug)]
pub(crate) struct ReportFolder {
    path: PathBuf,
    folders: Folders,
}

impl Folders {
    /// Makes the folder for a run that begins now: the one asked for, or a fresh one named after the time.
    pub(crate) fn claim(
        &self,
        asked: Option<&WorkspacePath>,
        workspace: &Workspace,
    ) -> Result<ReportFolder, NotStarted> {
        match asked {
            Some(path) => {
                let folder = self.take(path.absolute().to_owned())?;
                std::fs::create_dir_all(&folder.path)
                    .and_then(|()| folder.clear())
                    .map_err(|source| folder.refused(source))?;
                Ok(folder)
            }
            None => self.claim_default(workspace),
        }
    }

    fn claim_default(&self, workspace: &Workspace) -> Result<ReportFolder, NotStarted> {
        let refused = |source: io::Error| NotStarted::Report { folder: DEFAULT.to_owned(), source };
        // Located like any path from outside: `.cache` may be a link that leads out of the workspace.
        let parent = workspace.locate(DEFAULT).map_err(|why| refused(io::Error::other(why)))?;
        std::fs::create_dir_all(parent.absolute()).map_err(refused)?;
        let name = time::file_name(time::now());
        for number in 1.. {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let folder = self.take(parent.absolute().join(format!("{name}{suffix}")))?;
            match std::fs::create_dir(&folder.path) {
                Ok(()) => return Ok(folder),
                // Another run began in the same millisecond.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(folder.refused(error)),
            }
        }
        unreachable!("numbers don't end")
    }

    fn take(&self, path: PathBuf) -> Result<ReportFolder, NotStarted> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.insert(path.clone()) {
            Ok(ReportFolder { path, folders: self.clone() })
        } else {
            Err(NotStarted::ReportInUse { folder: path.display().to_string() })
        }
    }
}

impl ReportFolder {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn raw_log(&self) -> PathBuf {
        self.path.join("raw.log")
    }

    pub(crate) fn summary_md(&self) -> PathBuf {
        self.path.join("summary.md")
    }

    pub(crate) fn summary_json(&self) -> PathBuf {
        self.path.join("summary.json")
    }

    /// Takes an earlier report away. Links are removed, not followed.
    fn clear(&self) -> io::Result<()> {
        for file in [self.raw_log(), self.summary_md(), self.summary_json()] {
            match std::fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Leaves nothing where no run began: the folder goes unless it holds something else.
    pub(crate) fn discard(self) {
        let _ = std::fs::remove_dir(&self.path);
    }

    fn refused(&self, source: io::Error) -> NotStarted {
        NotStarted::Report { folder: self.path.display().to_string(), source }
    }
}

impl Drop for ReportFolder {
    fn drop(&mut self) {
        self.folders.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(dir.path(), None).unwrap();
        (dir, workspace)
    }

    #[test]
    fn runs_that_begin_at_the_same_time_get_folders_of_their_own() {
        let (_dir, workspace) = workspace();
        let folders = Folders::default();
        let claimed: Vec<ReportFolder> = (0..20).map(|_| folders.claim(None, &workspace).unwrap()).collect();
        let distinct: BTreeSet<_> = claimed.iter().map(|folder| folder.path().to_owned()).collect();
        assert_eq!(distinct.len(), 20);
        let parent = workspace.root().join(".cache/mcp-test-timebox/reports");
        assert!(distinct.iter().all(|path| path.parent() == Some(&parent) && path.is_dir()));
    }

    #[test]
    fn a_folder_that_a_run_writes_to_is_refused_to_another_until_it_is_done() {
        let (_dir, workspace) = workspace();
        let folders = Folders::default();
        let asked = workspace.locate("reports/mine").unwrap();
        let first = folders.claim(Some(&asked), &workspace).unwrap();
        assert!(matches!(folders.claim(Some(&asked), &workspace), Err(NotStarted::ReportInUse { .. })));
        drop(first);
        folders.claim(Some(&asked), &workspace).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_an_artifact_is_removed_and_not_followed() {
        let (dir, workspace) = workspace();
        let precious = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(precious.path(), "precious").unwrap();
        std::fs::create_dir(dir.path().join("mine")).unwrap();
        std::os::unix::fs::symlink(precious.path(), dir.path().join("mine/raw.log")).unwrap();
        let asked = workspace.locate("mine").unwrap();
        let folder = Folders::default().claim(Some(&asked), &workspace).unwrap();
        assert!(!folder.raw_log().exists());
        assert_eq!(std::fs::read_to_string(precious.path()).unwrap(), "precious");
    }

    #[cfg(unix)]
    #[test]
    fn a_default_folder_that_leads_out_of_the_workspace_is_refused() {
        let (dir, workspace) = workspace();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), dir.path().join(".cache")).unwrap();
        assert!(matches!(Folders::default().claim(None, &workspace), Err(NotStarted::Report { .. })));
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
