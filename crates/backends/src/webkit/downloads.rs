//! Downloads. The browser tells of none: what it saves is expected by what the network and the page said, and seen in the
//! folder that it saves to.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::Deadline;
use engine::backend::{ContextEvent, Download, DownloadId, DownloadState, PageId};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use tokio::net::unix::pipe::Receiver;
use tokio::sync::watch;

use super::context::ContextInner;
use super::page::{Page, lock};
use crate::files::put;

/// A file under this name is not complete; its name is the rest.
const PARTIAL: &str = ".wkdownload";
/// How long the download of a file may take to be told.
const TOLD: Duration = Duration::from_secs(3);
/// As long as file systems let names be.
const LONGEST: usize = 255;
/// As many downloads as are awaited.
const MOST: usize = 64;

/// Downloads that have begun and are not complete.
#[derive(Debug, Default)]
pub(super) struct Expected {
    running: VecDeque<Download>,
    /// Those whose names are guesses: the server's is not known.
    guessed: HashSet<DownloadId>,
    /// How many there have been.
    count: watch::Sender<u64>,
}

impl Expected {
    /// The download that a file belongs to: that of its name, or one without whose address has it.
    fn position(&self, name: &str) -> Option<usize> {
        let named = self.running.iter().position(|download| download.suggested_name == name);
        let fits = |download: &Download| self.guessed.contains(&download.id) && download.url.contains(name);
        named.or_else(|| self.running.iter().position(fits))
    }

    /// Takes it out, or else the oldest.
    fn take(&mut self, name: &str) -> Option<Download> {
        let mut found = self.running.remove(self.position(name).unwrap_or(0))?;
        if self.guessed.remove(&found.id) {
            name.clone_into(&mut found.suggested_name);
        }
        Some(found)
    }
}

impl Page {
    /// Something is going to be saved.
    pub(super) fn downloads(&self, url: &str, name: Option<String>) {
        let Some(owner) = self.context.upgrade() else { return };
        owner.download_began(Some(self.id.clone()), url.to_owned(), name);
    }

    /// What was going to be saved is not.
    pub(super) fn drops_download(&self, url: &str) {
        if let Some(owner) = self.context.upgrade() {
            owner.download_dropped(url);
        }
    }
}

/// The last part of an address, as browsers name files by it.
fn name_in(url: &str) -> String {
    let parsed = url::Url::parse(url).ok();
    let last = parsed.as_ref().and_then(|url| url.path_segments()?.next_back().map(str::to_owned));
    last.filter(|name| !name.is_empty()).unwrap_or_else(|| "download".to_owned())
}

impl ContextInner {
    fn download_began(&self, page: Option<PageId>, url: String, name: Option<String>) {
        let guessed = name.is_none();
        let name = name.unwrap_or_else(|| name_in(&url));
        let download = {
            let mut expected = lock(&self.expected);
            // A link that is saved is told by the page and by the network.
            if expected
                .running
                .iter()
                .any(|known| known.url == url && (guessed || known.suggested_name == name))
            {
                return;
            }
            let number = *expected.count.borrow() + 1;
            let download = Download {
                id: DownloadId::from(format!("download-{number}")),
                page,
                url,
                suggested_name: name,
                state: DownloadState::Running { received: 0, total: None },
            };
            if guessed {
                expected.guessed.insert(download.id.clone());
            }
            expected.running.push_back(download.clone());
            if expected.running.len() > MOST {
                expected.running.pop_front();
            }
            expected.count.send_replace(number);
            download
        };
        self.tell(ContextEvent::Download(download));
    }

    /// Waits until the download of a file is told: two processes tell of it, and the file may be complete, or gone, before the
    /// page has said what it is.
    async fn download_known(&self, name: &str) {
        let mut told = lock(&self.expected).count.subscribe();
        let known = async {
            loop {
                told.borrow_and_update();
                let known = lock(&self.expected).position(name).is_some();
                if known || told.changed().await.is_err() {
                    return;
                }
            }
        };
        // A file that nobody tells of is one all the same.
        let _ = Deadline::after(TOLD).race(known).await;
    }

    /// Whether the download of a file is known to: its end is told by the file's last name, and only by that.
    fn comes_over_the_network(&self, name: &str) -> bool {
        let expected = lock(&self.expected);
        let known = expected.position(name).and_then(|at| expected.running.get(at));
        known.is_some_and(|download| download.url.starts_with("http"))
    }

    /// A file is complete: it belongs to the download of its name, or else to the oldest.
    async fn download_done(&self, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.download_known(&name).await;
        let known = lock(&self.expected).take(&name);
        let mut download = match known {
            Some(download) => download,
            None => {
                self.download_began(None, String::new(), Some(name));
                match lock(&self.expected).running.pop_back() {
                    Some(download) => download,
                    None => return,
                }
            }
        };
        download.state = match &self.options.downloads {
            None => {
                let _ = std::fs::remove_file(path);
                DownloadState::Failed("there is no folder for downloads".to_owned())
            }
            Some(folder) => {
                let kept = folder.join(download.id.as_str());
                match put(path, &kept) {
                    Ok(()) => DownloadState::Done(kept),
                    Err(error) => DownloadState::Failed(format!("the file could not be kept: {error}")),
                }
            }
        };
        self.tell(ContextEvent::Download(download));
    }

    /// A file that was begun is gone.
    async fn download_failed(&self, name: &str) {
        self.download_known(name).await;
        let known = lock(&self.expected).take(name);
        self.download_lost(known, "it broke off");
    }

    /// Another download took its place before it began.
    fn download_dropped(&self, url: &str) {
        let known = {
            let mut expected = lock(&self.expected);
            let at = expected.running.iter().position(|download| download.url == url);
            at.and_then(|at| expected.running.remove(at))
        };
        self.download_lost(
            known,
            "it did not begin: WebKit follows only the last of several links that a script clicks at once",
        );
    }

    fn download_lost(&self, download: Option<Download>, why: &str) {
        if let Some(mut download) = download {
            download.state = DownloadState::Failed(why.to_owned());
            self.tell(ContextEvent::Download(download));
        }
    }
}

/// Watches the folder that the browser saves to, for as long as the context lives.
pub(super) fn watch(context: &Arc<ContextInner>, folder: PathBuf) {
    let changes = match watched(&folder) {
        Ok(changes) => changes,
        Err(error) => {
            tracing::warn!(component = "webkit", event = "downloads_not_watched", %error);
            return;
        }
    };
    let context = Arc::downgrade(context);
    tokio::spawn(async move {
        let mut buffer = [0; 4096];
        while changes.readable().await.is_ok() {
            let length = match changes.try_read(&mut buffer) {
                Ok(length) => length,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => continue,
                Err(_) => return,
            };
            let Some(context) = context.upgrade() else { return };
            for (what, name) in changes_in(&buffer[..length]) {
                context.folder_changed(&folder, what, &name).await;
            }
        }
    });
}

/// The changes of a folder, as something to read from.
fn watched(folder: &Path) -> std::io::Result<Receiver> {
    let changes = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
    let wanted = WatchFlags::MOVED_TO | WatchFlags::CLOSE_WRITE | WatchFlags::DELETE;
    inotify::add_watch(&changes, folder, wanted)?;
    Receiver::from_owned_fd_unchecked(changes)
}

/// What happened to which file: inotify(7), `struct inotify_event`.
fn changes_in(mut bytes: &[u8]) -> Vec<(ReadFlags, String)> {
    const HEAD: usize = 16;
    let word = |bytes: &[u8], at: usize| {
        let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
        four.map(u32::from_ne_bytes).unwrap_or_default()
    };
    let mut found = Vec::new();
    while bytes.len() >= HEAD {
        let (mask, length) = (word(bytes, 4), word(bytes, 12) as usize);
        let name = bytes.get(HEAD..HEAD + length).unwrap_or_default();
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let what = ReadFlags::from_bits_truncate(mask);
        found.push((what, String::from_utf8_lossy(name).into_owned()));
        bytes = bytes.get(HEAD + length..).unwrap_or_default();
    }
    found
}

impl ContextInner {
    async fn folder_changed(&self, folder: &Path, what: ReadFlags, name: &str) {
        match name.strip_suffix(PARTIAL) {
            Some(whole) if what.contains(ReadFlags::DELETE) => self.download_failed(whole).await,
            Some(_) => {}
            None if what.contains(ReadFlags::MOVED_TO) => self.download_done(&folder.join(name)).await,
            // What comes over the network has an empty file in its place until it is complete; what a page made itself has not.
            None if what.contains(ReadFlags::CLOSE_WRITE) => {
                let path = folder.join(name);
                if std::fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
                    self.download_known(name).await;
                    if !self.comes_over_the_network(name) {
                        self.download_done(&path).await;
                    }
                } else if name.len() + PARTIAL.len() > LONGEST {
                    // The browser can't save it under the longer name that it has until it is complete.
                    self.download_failed(name).await;
                }
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_changed_files_are_read_one_after_the_other() {
        let event = |mask: u32, name: &[u8; 8]| {
            let words = [1, mask, 0, 8].map(u32::to_ne_bytes).concat();
            [words, name.to_vec()].concat()
        };
        let bytes = [event(0x80, b"a.txt\0\0\0"), event(0x200, b"b\0\0\0\0\0\0\0")].concat();
        let found = changes_in(&bytes);
        assert_eq!(found, [(ReadFlags::MOVED_TO, "a.txt".to_owned()), (ReadFlags::DELETE, "b".to_owned())]);
    }

    #[test]
    fn a_file_is_named_by_its_address_if_nobody_names_it() {
        assert_eq!(name_in("http://x/a/b.txt?c=1"), "b.txt");
        assert_eq!(name_in("http://x/"), "download");
    }
}
