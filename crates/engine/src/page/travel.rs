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
        let url = self.arrival().url;
        let reload = async {
            self.attempt(scope, self.backend().reload(false)).await?;
            self.moved(before, &url, scope).await
        };
        self.leaving(reload).await?;
        self.wait_until(until, scope).await
    }

    async fn travel(
        &self,
        delta: i32,
        until: WaitUntil,
        scope: &CallScope,
    ) -> Result<Option<Arrival>, NavigationRefused> {
        let before = self.state().moves;
        let travel = async {
            let begun = self.attempt(scope, self.backend().travel(delta)).await?;
            if begun {
                self.moved(before, "the page in the history", scope).await?;
            }
            Ok::<_, NavigationRefused>(begun)
        };
        if !self.leaving(travel).await? {
            return Ok(None);
        }
        self.wait_until(until, scope).await.map(Some)
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
