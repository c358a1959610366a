//! Going back and forth through a page's history, and loading it anew.

use base::CallScope;

use super::{Arrival, NavigationRefused, Page, State, WaitUntil};

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
        let before = self.state().moves;
        self.state().revive();
        self.attempt(scope, self.backend().reload(false)).await?;
        self.moved(before, scope).await?;
        self.wait_until(until, scope).await
    }

    async fn travel(
        &self,
        delta: i32,
        until: WaitUntil,
        scope: &CallScope,
    ) -> Result<Option<Arrival>, NavigationRefused> {
        let before = self.state().moves;
        if !self.attempt(scope, self.backend().travel(delta)).await? {
            return Ok(None);
        }
        self.moved(before, scope).await?;
        self.wait_until(until, scope).await.map(Some)
    }

    /// Waits until the topmost frame is elsewhere.
    async fn moved(&self, before: u64, scope: &CallScope) -> Result<(), NavigationRefused> {
        Ok(self.wait_for(scope, |state: &State| (state.moves > before).then_some(())).await?)
    }
}
