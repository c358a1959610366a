//! Going back and forth through a page's history, and loading it anew.

use base::CallScope;

use super::{Arrival, Interruption, NavigationRefused, Page, State, WaitUntil};

impl Page {
    /// Goes back one entry; nothing when there is none.
    ///
    /// # Errors
    /// [`NavigationRefused`].
    pub async fn back(
        &self,
        until: WaitUntil,
        scope: &CallScope,
    ) -> Result<Option<Arrival>, NavigationRefused> {
        self.travel(-1, until, scope).await
    }

    /// Goes forward one entry; nothing when there is none.
    ///
    /// # Errors
    /// [`NavigationRefused`].
    pub async fn forward(
        &self,
        until: WaitUntil,
        scope: &CallScope,
    ) -> Result<Option<Arrival>, NavigationRefused> {
        self.travel(1, until, scope).await
    }

    /// Loads the document anew.
    ///
    /// # Errors
    /// [`NavigationRefused`].
    pub async fn reload(&self, until: WaitUntil, scope: &CallScope) -> Result<Arrival, NavigationRefused> {
        self.state().revive();
        let url = self.arrival().url;
        let before = self.moves(scope).await?;
        self.attempt(scope, self.backend().reload(false)).await?;
        self.moved(before, &url, scope).await?;
        self.wait_until(until, scope).await
    }

    async fn travel(
        &self,
        delta: i32,
        until: WaitUntil,
        scope: &CallScope,
    ) -> Result<Option<Arrival>, NavigationRefused> {
        let before = self.moves(scope).await?;
        if !self.attempt(scope, self.backend().travel(delta)).await? {
            return Ok(None);
        }
        self.moved(before, "the page in the history", scope).await?;
        self.wait_until(until, scope).await.map(Some)
    }

    /// How often the page has moved, once it is ready to be left: earlier moves may still be on their way to us.
    async fn moves(&self, scope: &CallScope) -> Result<u64, Interruption> {
        self.free(scope).await?;
        self.caught_up(scope).await?;
        Ok(self.state().moves)
    }

    /// Waits until the topmost frame is elsewhere. A page that only tells of a document that could not be had is not.
    async fn moved(&self, before: u64, url: &str, scope: &CallScope) -> Result<(), NavigationRefused> {
        let moved = |state: &State| {
            let fault = state.frames.top().fault.clone();
            (state.moves > before).then_some(fault)
        };
        match self.wait_for(scope, moved).await? {
            Some(reason) => Err(NavigationRefused::Failed { url: url.to_owned(), reason }),
            None => Ok(()),
        }
    }
}
