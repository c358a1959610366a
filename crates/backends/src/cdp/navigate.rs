//! Sending a page somewhere.

use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, FrameId, Started};
use futures_util::FutureExt;
use wire::cdp::types::ids::LoaderId;
use wire::cdp::types::page;

use super::page::Page;
use super::refusal::Place;

/// What the browser says of a navigation that ended without a document and without a fault.
pub(super) const ABORTED: &str = "net::ERR_ABORTED";

/// The network's word on a navigation travels beside the browser's answer, a moment before or after it.
const BETWEEN_TWO_WAYS: Duration = Duration::from_secs(1);

impl Page {
    pub(super) async fn go(
        &self,
        frame: &FrameId,
        url: String,
        referrer: Option<String>,
    ) -> Result<Started, BackendError> {
        if self.frames().get(frame).is_none() {
            return Err(BackendError::FrameGone);
        }
        // A page that crashed gets a new process by this.
        self.revive();
        let navigate =
            page::Navigate { referrer, frame_id: Some(frame.as_str().into()), ..page::Navigate::new(url) };
        let started = self.begin(&navigate).await;
        if !matches!(started, Ok(Started::Navigation(_))) {
            self.stay_crashed();
        }
        started
    }

    async fn begin(&self, navigate: &page::Navigate) -> Result<Started, BackendError> {
        let navigated = match self.call(&self.session, navigate).await {
            // An address that is none: the browser does not begin to navigate.
            Err(BackendError::Refused { reason, .. }) => return Ok(Started::Failed(reason)),
            answer => answer?,
        };
        match (navigated.error_text, navigated.loader_id) {
            _ if navigated.is_download == Some(true) => Ok(Started::Download),
            (None, Some(loader)) => Ok(Started::Navigation(loader.as_str().into())),
            (None, None) => Ok(Started::SameDocument),
            (Some(error), Some(loader)) if error == ABORTED => {
                Ok(Started::Failed(self.verdict(&loader).await.unwrap_or(error)))
            }
            (Some(error), _) => Ok(Started::Failed(error)),
        }
    }

    /// Goes to `url` and waits for its document.
    pub(super) async fn arrive(&self, url: &str) -> Result<(), BackendError> {
        let failed = |reason| BackendError::Refused { request: format!("to go to {url}"), reason };
        let loader = match self.go(&self.main_frame, url.to_owned(), None).await? {
            Started::Navigation(loader) => loader,
            Started::SameDocument => return Ok(()),
            Started::Failed(reason) => return Err(failed(reason)),
            Started::Download => return Err(failed("it became a download".to_owned())),
        };
        let mut changes = self.changes();
        loop {
            let arrived = self.frames().get(&self.main_frame).and_then(|frame| frame.loader.clone());
            if arrived.is_some_and(|arrived| arrived.as_str() == loader.as_str()) {
                return Ok(());
            }
            if let Some(reason) = self.frames().verdict(&loader.as_str().into()) {
                return Err(failed(reason.to_owned()));
            }
            self.while_alive(Place::Page, || changes.changed().map(|_| Ok(()))).await?;
        }
    }

    /// Why a navigation was aborted, as far as the network tells.
    async fn verdict(&self, loader: &LoaderId) -> Option<String> {
        let mut changes = self.changes();
        let told = async {
            loop {
                if let Some(reason) = self.frames().verdict(loader) {
                    return Some(reason.to_owned());
                }
                changes.changed().await.ok()?;
            }
        };
        Deadline::after(BETWEEN_TWO_WAYS).race(told).await.ok().flatten()
    }

    pub(super) async fn travel_history(&self, delta: i32) -> Result<bool, BackendError> {
        let history = self.call(&self.session, &page::GetNavigationHistory::new()).await?;
        let index = usize::try_from(history.current_index + i64::from(delta)).ok();
        let Some(entry) = index.and_then(|index| history.entries.get(index)) else { return Ok(false) };
        self.call(&self.session, &page::NavigateToHistoryEntry::new(entry.id)).await?;
        Ok(true)
    }
}
