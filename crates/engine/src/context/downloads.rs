//! The downloads of a context: their state, and their names on the disk.

use std::path::{Path, PathBuf};

use crate::backend::{Download, DownloadState};

/// The longest name that a file gets; every file system takes it.
const LONGEST: usize = 120;
/// So many files of one name are told apart by a number.
const MOST_ALIKE: u32 = 1000;

/// Every download, with the number of its last change.
#[derive(Debug, Default)]
pub(super) struct Downloads {
    entries: Vec<(u64, Download)>,
    changes: u64,
}

impl Downloads {
    /// Takes note of a download; whether it began or ended by that.
    pub(super) fn note(&mut self, download: Download) -> bool {
        let before = self.changes;
        // How far a running one is, is asked for; that it began or ended, is told.
        let known = self.entries.iter_mut().find(|(_, known)| known.id == download.id);
        let runs_on = |known: &Download| {
            matches!(
                (&known.state, &download.state),
                (DownloadState::Running { .. }, DownloadState::Running { .. })
            )
        };
        match known {
            Some(entry) => {
                if !runs_on(&entry.1) {
                    self.changes += 1;
                    entry.0 = self.changes;
                }
                entry.1 = download;
            }
            None => {
                self.changes += 1;
                self.entries.push((self.changes, download));
            }
        }
        self.changes > before
    }

    pub(super) fn all(&self) -> Vec<Download> {
        self.entries.iter().map(|(_, download)| download.clone()).collect()
    }

    /// The number of the last change.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// What began or ended after the change with this number.
    pub(super) fn since(&self, changes: u64) -> Vec<Download> {
        self.entries
            .iter()
            .filter(|(changed, _)| *changed > changes)
            .map(|(_, download)| download.clone())
            .collect()
    }
}

/// A complete download gets the name that was suggested for it, as far as that is a safe one.
pub(super) async fn named(mut download: Download) -> Download {
    if let DownloadState::Done(path) = &download.state
        && let Some(better) = free_name(path, &download.suggested_name)
        && tokio::fs::rename(path, &better).await.is_ok()
    {
        download.state = DownloadState::Done(better);
    }
    download
}

/// A path beside `path` that nobody has, for a file of this name.
fn free_name(path: &Path, suggested: &str) -> Option<PathBuf> {
    let name = safe(suggested)?;
    let folder = path.parent()?;
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (name.as_str(), String::new()),
    };
    let candidates = (1..MOST_ALIKE).map(|number| match number {
        1 => folder.join(&name),
        _ => folder.join(format!("{stem} ({number}){extension}")),
    });
    candidates.into_iter().find(|candidate| !candidate.exists())
}

/// The last part of a name that comes from a server, without what file systems or shells stumble over.
fn safe(suggested: &str) -> Option<String> {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String =
        last.chars().map(|c| if c.is_control() || "<>:\"|?*".contains(c) { '_' } else { c }).collect();
    let clean = clean.trim_matches(['.', ' ']);
    let (mut cut, mut length) = (clean, clean.len());
    while length > LONGEST || !clean.is_char_boundary(length) {
        length -= 1;
        if clean.is_char_boundary(length) {
            cut = &clean[..length];
        }
    }
    (!cut.is_empty()).then(|| cut.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_name_can_neither_leave_the_folder_nor_hide() {
        assert_eq!(safe("../../etc/passwd").as_deref(), Some("passwd"));
        assert_eq!(safe("a\\b\\c.txt").as_deref(), Some("c.txt"));
        assert_eq!(safe(".bashrc").as_deref(), Some("bashrc"));
        assert_eq!(safe("a\nb|c.txt").as_deref(), Some("a_b_c.txt"));
        assert_eq!(safe(".."), None);
        assert!(safe(&"é".repeat(500)).unwrap().len() <= LONGEST);
    }

    #[tokio::test]
    async fn files_of_one_name_stand_beside_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut names = Vec::new();
        for number in 0..2 {
            let path = folder.path().join(format!("guid-{number}"));
            std::fs::write(&path, "x").unwrap();
            let download = Download {
                id: number.to_string().as_str().into(),
                page: None,
                url: String::new(),
                suggested_name: "report.pdf".to_owned(),
                state: DownloadState::Done(path),
            };
            let DownloadState::Done(path) = named(download).await.state else { panic!() };
            assert!(path.exists());
            names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
        }
        assert_eq!(names, ["report.pdf", "report (2).pdf"]);
    }
}
