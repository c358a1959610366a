//! Downloads. The browser tells of all of them in one place; whose they are is told by the frame that they came from.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use base::Deadline;
use engine::backend::{ContextEvent, Download, DownloadState};
use futures_util::future::join_all;
use wire::cdp::types::browser;

use super::context::Contexts;
use super::page::lock;

/// The downloads of one context that have not ended.
#[derive(Debug)]
pub(super) struct Downloads {
    folder: Option<PathBuf>,
    running: HashMap<String, Download>,
    /// Those of them that we were asked to stop.
    cancelled: HashSet<String>,
}

impl Downloads {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, running: HashMap::new(), cancelled: HashSet::new() }
    }

    /// It is about to be stopped by us: its end is none of its own.
    pub(super) fn cancel(&mut self, guid: &str) {
        if self.running.contains_key(guid) {
            self.cancelled.insert(guid.to_owned());
        }
    }

    /// The download as it stands after `progress`; `None` if it is another context's.
    fn progress(&mut self, progress: &browser::DownloadProgress) -> Option<Download> {
        let state = match progress.state {
            browser::DownloadState::Completed => {
                let path = progress.file_path.as_ref().map(PathBuf::from);
                let named = || self.folder.as_ref().map(|folder| folder.join(&progress.guid));
                DownloadState::Done(path.or_else(named)?)
            }
            browser::DownloadState::Canceled if self.folder.is_none() => {
                DownloadState::Failed("there is no folder for downloads".to_owned())
            }
            browser::DownloadState::Canceled if self.cancelled.remove(&progress.guid) => {
                DownloadState::Failed("it was cancelled".to_owned())
            }
            // The browser says no more than that: the server hung up, or the file could not be written.
            browser::DownloadState::Canceled => DownloadState::Failed(broken_off(progress)),
            browser::DownloadState::InProgress | browser::DownloadState::Other => running(progress),
        };
        let ended = !matches!(state, DownloadState::Running { .. });
        let mut download = if ended {
            self.running.remove(&progress.guid)?
        } else {
            self.running.get(&progress.guid)?.clone()
        };
        if matches!(state, DownloadState::Failed(_)) {
            self.discard(&progress.guid);
        }
        download.state = state;
        Some(download)
    }

    /// Removes what came of a download that failed. The browser does so after it has told of it, or never: it could go on from
    /// there, which nobody asks of it.
    fn discard(&self, guid: &str) {
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_file(folder.join(format!("{guid}.{UNFINISHED}")));
        }
    }
}

/// How the browser calls a file that is not complete.
const UNFINISHED: &str = "crdownload";

fn broken_off(progress: &browser::DownloadProgress) -> String {
    let received = progress.received_bytes;
    match progress.total_bytes {
        total if total > received => format!("it broke off after {received} of {total} bytes"),
        _ => format!("it broke off after {received} bytes"),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of bytes")]
fn running(progress: &browser::DownloadProgress) -> DownloadState {
    let total = (progress.total_bytes > 0.0).then_some(progress.total_bytes as u64);
    DownloadState::Running { received: progress.received_bytes as u64, total }
}

/// How long the pages may take to take note of what happened before a download.
const CATCHING_UP: Duration = Duration::from_secs(1);

/// A download began.
pub(super) async fn began(contexts: &Contexts, began: browser::DownloadWillBegin) {
    let owner = || {
        let all = contexts.all().into_iter();
        all.map(|context| (context.page_of(began.frame_id.as_str()), context))
            .find(|(page, _)| page.is_some())
    };
    let mut owned = owner();
    if owned.is_none() {
        // Its frame was told to a page's own task, which may not have come to it yet.
        let pages = contexts.all().into_iter().flat_map(|context| context.pages());
        let caught_up = join_all(pages.map(|page| async move { page.followers.follow().await }));
        drop(Deadline::after(CATCHING_UP).race(caught_up).await);
        owned = owner();
    }
    let Some((Some(page), context)) = owned else { return };
    let download = Download {
        id: began.guid.as_str().into(),
        page: page.map(|page| page.id.clone()),
        url: began.url,
        suggested_name: began.suggested_filename,
        state: DownloadState::Running { received: 0, total: None },
    };
    lock(&context.downloads).running.insert(began.guid, download.clone());
    context.tell(ContextEvent::Download(download));
}

/// A download went on, or ended.
pub(super) fn went_on(contexts: &Contexts, progress: &browser::DownloadProgress) {
    for context in contexts.all() {
        let told = lock(&context.downloads).progress(progress);
        if let Some(download) = told {
            context.tell(ContextEvent::Download(download));
        }
    }
}
