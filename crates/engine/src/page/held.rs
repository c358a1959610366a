//! A page on its way to a server that does not answer.
//!
//! Meanwhile a browser may hold back every question to the document that is still there (Chromium does, whoever began the
//! navigation and however). It answers again with the new document, or when it is told to stay.

use std::time::Duration;

use base::{CallScope, Deadline};

use super::{Interruption, Page, State};

/// How long a page may take to stay where it is.
const STAYING: Duration = Duration::from_secs(1);

impl Page {
    /// Where the page is on its way to, as long as nobody has answered there.
    pub fn heading_for(&self) -> Option<String> {
        let state = self.state();
        let navigation = state.frames.top().pending.as_ref()?;
        let document = state.network.document_of(navigation);
        Some(document.map(|document| document.request.url.clone()).unwrap_or_default())
    }

    /// Gives a navigation that is on its way so much time to arrive, and stops it then, so that the document that is
    /// there can be asked. Answers where the page would have gone.
    ///
    /// # Errors
    /// [`Interruption`] when the call ends, or when the page can't be asked for another reason.
    pub async fn freed(&self, patience: Duration, scope: &CallScope) -> Result<Option<String>, Interruption> {
        let arrived = |state: &State| state.frames.top().pending.is_none().then_some(());
        match self.wait_for(&scope.within(patience), arrived).await {
            Ok(()) => return Ok(None),
            Err(Interruption::TimedOut) if !scope.deadline().has_passed() => {}
            Err(why) => return Err(why),
        }
        let Some(url) = self.heading_for() else { return Ok(None) };
        // A page that is beyond this is told of by whoever asks it next.
        let _ = Deadline::after(STAYING).race(self.backend().stop()).await;
        match self.wait_for(&scope.within(STAYING), arrived).await {
            Ok(()) | Err(Interruption::TimedOut) => Ok(Some(url)),
            Err(why) => Err(why),
        }
    }
}
