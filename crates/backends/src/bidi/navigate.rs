//! Sending a page somewhere.

use std::time::Duration;

use base::Deadline;
use engine::backend::{BackendError, FrameId, Started, World};
use wire::bidi::types::browsing_context::{GetTree, Navigate, Readiness, Reload, TraverseHistory};
use wire::bidi::types::network::SetCacheBehavior;

use super::elements::context;
use super::page::Page;
use super::reasons;
use crate::sync::lock;

/// How long a page may take to stop what it loads: longer than Firefox lets a script keep it busy.
const STOPPED: Duration = Duration::from_secs(10);

/// How long the page that tells of a fault may take.
const ERROR_PAGE: Duration = Duration::from_secs(1);

impl Page {
    /// The answer comes when the document is there, or when it is known that none will be.
    pub(super) async fn go(&self, frame: &FrameId, url: String) -> Result<Started, BackendError> {
        if self.frames().get(frame).is_none() {
            return Err(BackendError::FrameGone);
        }
        // Firefox would take it for an address below the page's own.
        if let Err(error) = url::Url::parse(&url) {
            return Ok(Started::Failed(format!("{url:?} is no address: {error}")));
        }
        self.permitted(&url).await?;
        drop(self.stopping.lock().await);
        if self.owes_error_page(frame) {
            self.error_page(frame).await;
        }
        // A page that crashed gets a new process by this.
        self.revive();
        let navigate = Navigate::new(context(frame), url.as_str(), Readiness::None);
        let navigated = match self.call(&navigate).await {
            Err(BackendError::Refused { reason, .. }) => {
                let why = self.why(frame, &reason);
                if reasons::told(&reason) != reasons::ABORTED {
                    self.error_page(frame).await;
                }
                return Ok(Started::Failed(why));
            }
            answer => answer?,
        };
        let Some(navigation) = navigated.navigation else { return Ok(Started::SameDocument) };
        if let Some(owner) = self.owner.upgrade()
            && lock(&owner.downloads).is_of(&navigation)
        {
            return Ok(Started::Download);
        }
        let frames = self.frames();
        let navigation = frames.names.first(&navigation);
        if let Some(reason) = frames.verdict(&navigation) {
            return Ok(Started::Failed(reason.to_owned()));
        }
        let arrived = frames.get(frame).and_then(|frame| frame.navigation.clone());
        let pending = frames.get(frame).and_then(|frame| frame.pending.clone());
        drop(frames);
        // A document that is there, was there or is on its way; anything else was a change of the address.
        let known = arrived.as_ref() == Some(&navigation) || pending.as_ref() == Some(&navigation);
        if known || self.was_told_of(&navigation) {
            Ok(Started::Navigation(navigation.as_str().into()))
        } else {
            Ok(Started::SameDocument)
        }
    }

    /// Whether a navigation came to nothing, as one back can, and the page that tells of it is still to come.
    fn owes_error_page(&self, frame: &FrameId) -> bool {
        let frames = self.frames();
        let last = frames.get(frame).and_then(|known| {
            let shown = [&known.navigation, &known.pageless].contains(&&known.last);
            known.last.as_ref().filter(|_| !shown)
        });
        last.and_then(|last| frames.verdict(last)).is_some_and(|reason| reason != reasons::ABORTED)
    }

    /// Waits for the page that tells of a fault: it would take the place of whatever comes next, or Firefox would take it for the
    /// answer to that.
    async fn error_page(&self, frame: &FrameId) {
        let mut changes = self.changed.subscribe();
        let there = || {
            let frames = self.frames();
            frames.get(frame).is_none_or(|frame| frame.last.is_none() || frame.navigation == frame.last)
        };
        let shown = async { while !there() && changes.changed().await.is_ok() {} };
        if Deadline::after(ERROR_PAGE).race(shown).await.is_err()
            && let Some(frame) = self.frames().get_mut(frame)
        {
            frame.pageless = frame.last.clone();
        }
    }

    /// Whether a document of this navigation was asked for.
    fn was_told_of(&self, navigation: &wire::bidi::types::ids::NavigationId) -> bool {
        self.frames().began(navigation)
    }

    /// Why a navigation was refused: what the network told of it says more than the browser's answer.
    fn why(&self, frame: &FrameId, refused: &str) -> String {
        let told = reasons::told(refused);
        if told != reasons::ABORTED {
            return told;
        }
        let frames = self.frames();
        let last = frames.get(frame).and_then(|frame| frame.last.clone());
        last.and_then(|last| frames.verdict(&last).map(str::to_owned)).unwrap_or(told)
    }

    pub(super) async fn load_anew(&self, ignore_cache: bool) -> Result<(), BackendError> {
        if self.has_crashed() {
            // What the browser has put in the place of the document is not what is wanted again.
            let url = self.frames().get(&self.main_frame).map(|frame| frame.url.clone());
            return self.arrive(&url.ok_or(BackendError::PageGone)?).await;
        }
        let cache = |behavior| SetCacheBehavior::new(behavior, vec![self.context.clone()]);
        if ignore_cache {
            self.call(&cache("bypass")).await?;
        }
        let reload = Reload::new(self.context.clone(), Readiness::None);
        // The answer waits for the document; the engine waits for the events itself. What fails is told by them, too.
        let sent = self.connection.send(&reload);
        let begun = self.begins(sent).await;
        if ignore_cache {
            self.call(&cache("default")).await?;
        }
        begun
    }

    /// Waits until the page is on its way somewhere, or an answer says that it is there.
    async fn begins<C>(&self, sent: wire::bidi::Call<C>) -> Result<(), BackendError>
    where
        C: wire::bidi::Command,
    {
        let began = |page: &Self| page.frames().get(&page.main_frame).and_then(|frame| frame.last.clone());
        let before = began(self);
        let mut changes = self.changed.subscribe();
        let leaving = async {
            while began(self) == before {
                if changes.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        };
        tokio::select! {
            biased;
            answer = self.while_alive(|| sent) => match answer {
                Ok(_) | Err(BackendError::DocumentGone) => Ok(()),
                // What became of it is told by events: a page about the fault, or none.
                Err(BackendError::Refused { .. }) if began(self) != before => Ok(()),
                Err(error) => Err(error),
            },
            () = leaving => Ok(()),
        }
    }

    pub(super) async fn travel_history(&self, delta: i32) -> Result<bool, BackendError> {
        let before = self.frames().get(&self.main_frame).map(|frame| (frame.url.clone(), frame.moves));
        match self.call(&TraverseHistory::new(self.context.clone(), delta)).await {
            Err(BackendError::Refused { reason, .. }) if reason.contains("no such history entry") => {
                return Ok(false);
            }
            answer => answer?,
        };
        // Firefox tells nothing of an address that changes within a document by this.
        let tree = GetTree { max_depth: Some(0), root: Some(self.context.clone()) };
        let url = self.call(&tree).await?.contexts.into_iter().next().map(|info| info.url);
        let now = self
            .frames()
            .get(&self.main_frame)
            .map(|frame| (frame.url.clone(), frame.moves, frame.pending.is_some()));
        if let (Some((was, moves)), Some((is, moved, leaving)), Some(url)) = (before, now, url)
            && moves == moved
            && !leaving
            && was == is
        {
            self.moved(self.main_frame.clone(), url, None);
        }
        Ok(true)
    }

    /// Stops what the page loads. A page that is busy does so later, whether its caller waits for that or not; whatever is to
    /// begin then must not be stopped by it.
    pub(super) async fn stop_loading(&self) -> Result<(), BackendError> {
        let page = self.me.upgrade().ok_or(BackendError::PageGone)?;
        let turn = self.stopping.clone().lock_owned().await;
        let stopped = tokio::spawn(async move {
            let stopped = Deadline::after(STOPPED).race(page.stop_now()).await;
            drop(turn);
            // One that is beyond this has nothing to stop.
            stopped.unwrap_or(Ok(()))
        });
        // It panics nowhere.
        stopped.await.unwrap_or(Ok(()))
    }

    async fn stop_now(&self) -> Result<(), BackendError> {
        self.call_in(&self.main_frame, World::Utility, "() => window.stop()", Vec::new()).await?;
        let pending = self.frames().get(&self.main_frame).and_then(|frame| frame.pending.clone());
        // Firefox tells of this only with the next navigation.
        pending.iter().for_each(|navigation| self.navigation_failed(navigation, reasons::ABORTED));
        Ok(())
    }

    /// Goes to `url` and waits for its document.
    pub(super) async fn arrive(&self, url: &str) -> Result<(), BackendError> {
        let failed = |reason| BackendError::Refused { request: format!("to go to {url}"), reason };
        match self.go(&self.main_frame, url.to_owned()).await? {
            Started::Navigation(_) | Started::SameDocument => Ok(()),
            Started::Failed(reason) => Err(failed(reason)),
            Started::Download => Err(failed("it became a download".to_owned())),
        }
    }
}
