//! Downloads. The protocol names the navigation that became one, and otherwise only its address.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{ContextEvent, Download, DownloadState};
use wire::bidi::types::browsing_context::{DownloadEnd, DownloadWillBegin};
use wire::bidi::types::ids::NavigationId;

use super::context::ContextInner;
use super::page::Page;
use super::reasons::ABORTED;
use crate::files::put;
use crate::sync::lock;

/// As many navigations that became downloads as are remembered.
const REMEMBERED: usize = 64;
/// How long Firefox may take to remove what there was of a download that failed, and how often it is looked whether it has.
/// It keeps what it may want to go on with; what nobody has written to for as long is nobody's.
const REMOVING: Duration = Duration::from_secs(1);
const LOOKING: Duration = Duration::from_millis(10);

/// The downloads of one context that have not ended.
#[derive(Debug)]
pub(super) struct Downloads {
    /// The folder for them, if they are wanted.
    folder: Option<PathBuf>,
    /// Where the browser puts them. Nobody else's are there, and what never becomes complete goes with it: Firefox keeps
    /// what there is of a download when its context is closed.
    arriving: PathBuf,
    running: Vec<Running>,
    navigations: Vec<NavigationId>,
    count: u64,
}

#[derive(Debug)]
struct Running {
    context: String,
    navigation: Option<NavigationId>,
    download: Download,
}

impl Downloads {
    pub(super) fn new(folder: Option<PathBuf>, arriving: PathBuf) -> Self {
        Self { folder, arriving, running: Vec::new(), navigations: Vec::new(), count: 0 }
    }

    /// Whether a navigation became a download.
    pub(super) fn is_of(&self, navigation: &NavigationId) -> bool {
        self.navigations.contains(navigation)
    }

    /// Whether another download of this name is still on its way.
    fn comes(&self, name: &str) -> bool {
        self.running.iter().any(|running| stem(&running.download.suggested_name) == stem(name))
    }

    /// Whose end it was, with the file if it is complete; `None` if it is another context's.
    fn end(&mut self, ended: &DownloadEnd) -> Option<(Download, Option<PathBuf>)> {
        let is_it = |running: &Running| {
            running.context == ended.context.as_str()
                && running.download.url == ended.url
                && running.navigation == ended.navigation
        };
        let at = self.running.iter().position(is_it)?;
        let file = ended.filepath.as_ref().filter(|_| ended.status == "complete");
        Some((self.running.remove(at).download, file.map(PathBuf::from)))
    }
}

impl Page {
    pub(super) fn download_began(&self, began: DownloadWillBegin) {
        let Some(owner) = self.owner.upgrade() else { return };
        let download = {
            let mut downloads = lock(&owner.downloads);
            downloads.count += 1;
            let download = Download {
                id: format!("{}.{}", owner.id, downloads.count).into(),
                page: Some(self.id.clone()),
                url: began.url,
                suggested_name: began.suggested_filename,
                state: DownloadState::Running { received: 0, total: None },
            };
            if let Some(navigation) = &began.navigation {
                if downloads.navigations.len() == REMEMBERED {
                    downloads.navigations.remove(0);
                }
                downloads.navigations.push(navigation.clone());
            }
            let (context, navigation) = (began.context.to_string(), began.navigation.clone());
            downloads.running.push(Running { context, navigation, download: download.clone() });
            download
        };
        if let Some(navigation) = &began.navigation {
            self.navigation_failed(navigation, ABORTED);
        }
        owner.tell(ContextEvent::Download(download));
    }
}

impl ContextInner {
    /// Whether a download that ended was one of this context's.
    pub(super) fn download_ended(self: &Arc<Self>, ended: &DownloadEnd) -> bool {
        let (download, folder, arriving) = {
            let mut downloads = lock(&self.downloads);
            (downloads.end(ended), downloads.folder.clone(), downloads.arriving.clone())
        };
        match (download, folder) {
            (None, _) => return false,
            (Some((download, _)), None) => {
                self.tell_end(download, DownloadState::Failed("there is no folder for downloads".to_owned()));
            }
            (Some((download, Some(file))), Some(folder)) => self.keep(download, file, &folder),
            (Some((download, None)), Some(_)) => {
                let context = Arc::clone(self);
                tokio::spawn(async move {
                    let name = &download.suggested_name;
                    let left = removed(&arriving, name).await;
                    if !lock(&context.downloads).comes(name) {
                        remove(&left);
                    }
                    // The browser says no more than that: the server hung up, or the file could not be written.
                    context.tell_end(download, DownloadState::Failed("it broke off".to_owned()));
                });
            }
        }
        true
    }

    /// Puts a complete file where it is wanted. Firefox gives it the name that was suggested for it; which name it gets is
    /// the engine's to say, so until then it has none that anybody could want.
    fn keep(self: &Arc<Self>, download: Download, file: PathBuf, folder: &Path) {
        let kept = folder.join(format!(".{}.download", download.id));
        if std::fs::rename(&file, &kept).is_ok() {
            return hand_over(&kept, |state| self.tell_end(download, state));
        }
        // To another disk it takes as long as it is large.
        let context = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let tell = |state| context.tell_end(download, state);
            match put(&file, &kept) {
                Ok(()) => hand_over(&kept, tell),
                Err(error) => {
                    tell(DownloadState::Failed(format!("the file could not be kept: {error}")));
                }
            }
        });
    }

    fn tell_end(&self, download: Download, state: DownloadState) -> bool {
        self.tell(ContextEvent::Download(Download { state, ..download }))
    }

    /// Removes what there is of those that have not ended.
    pub(super) async fn forget_downloads(&self) {
        let arriving = lock(&self.downloads).arriving.clone();
        if let Err(error) = tokio::fs::remove_dir_all(&arriving).await
            && error.kind() != ErrorKind::NotFound
        {
            // It goes with the browser.
            tracing::debug!(component = "firefox", event = "downloads_not_removed", %error);
        }
    }
}

/// Tells of a complete file. One that became complete when its context was just closed has nobody to name it.
fn hand_over(kept: &Path, tell: impl FnOnce(DownloadState) -> bool) {
    if !tell(DownloadState::Done(kept.to_owned()))
        && let Err(error) = std::fs::remove_file(kept)
    {
        tracing::debug!(component = "firefox", event = "download_not_removed", %error);
    }
}

/// Waits until nothing is left of a download that failed, and answers what is. Firefox removes it after it has told of the
/// end, and tells of that nobody.
async fn removed(folder: &Path, name: &str) -> Vec<PathBuf> {
    let gone = async {
        while !remains(folder, name).is_empty() {
            tokio::time::sleep(LOOKING).await;
        }
    };
    match Deadline::after(REMOVING).race(gone).await {
        Ok(()) => Vec::new(),
        Err(_) => remains(folder, name),
    }
}

/// The files of downloads by this name that have not come: the part of one (`name.XXXXXXXX.txt.part`), and the empty file
/// that keeps its place.
fn remains(folder: &Path, name: &str) -> Vec<PathBuf> {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_one = |entry: &std::fs::DirEntry| {
        let file = entry.file_name().to_string_lossy().into_owned();
        let is_empty = || entry.metadata().is_ok_and(|file| file.len() == 0);
        file.starts_with(stem(name)) && (file.ends_with(".part") || (file.ends_with(ending) && is_empty()))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(is_one).map(|entry| entry.path()).collect()
}

/// Removes what nobody writes to.
fn remove(left: &[PathBuf]) {
    for path in left {
        let changed = path.metadata().and_then(|file| file.modified()).ok();
        if changed.and_then(|changed| changed.elapsed().ok()).is_some_and(|since| since >= REMOVING)
            && let Err(error) = std::fs::remove_file(path)
        {
            tracing::debug!(component = "firefox", event = "download_not_removed", %error);
        }
    }
}

/// A file's name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nobody_hears_of_is_not_left() {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join(".1.download");
        std::fs::write(&kept, "text").unwrap();
        hand_over(&kept, |state| state == DownloadState::Done(kept.clone()));
        assert!(kept.exists());
        hand_over(&kept, |_| false);
        assert!(!kept.exists());
    }

    #[test]
    fn what_is_left_of_a_download_is_told_from_one_that_came() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        put("report.txt", "came before");
        put("other.bin", "");
        let remains = |name: &str| remains(folder.path(), name).len();
        assert_eq!((remains("report.txt"), remains("other.bin"), remains("another")), (0, 1, 0));
        put("report.py-Hqt7a.txt.part", "half");
        assert_eq!(remains("report.txt"), 1);
    }
}
