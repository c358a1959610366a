//! Answering the dialogs of a page, and changing its size.

use base::CallScope;

use super::{Interruption, Page};
use crate::backend::{Dialog, DialogKind, Viewport};

impl Page {
    /// Answers the newest open dialog; nothing when none is open. `text` is what a prompt is given.
    ///
    /// # Errors
    /// [`Interruption`] when the browser refuses or the call ends first.
    pub async fn answer_dialog(
        &self,
        accept: bool,
        text: Option<&str>,
        scope: &CallScope,
    ) -> Result<Option<Dialog>, Interruption> {
        let Some(dialog) = self.state().dialogs.last().cloned() else { return Ok(None) };
        // Whoever accepts a prompt without a word accepts what it proposes.
        let proposed = (accept && dialog.kind == DialogKind::Prompt).then_some(dialog.default_text.as_str());
        let answered = self.backend().answer_dialog(&dialog.id, accept, text.or(proposed));
        scope.race(answered).await?.map_err(Interruption::Backend)?;
        // The browser tells it too; the next call must not come before that.
        self.state().dialogs.retain(|open| open.id != dialog.id);
        Ok(Some(dialog))
    }

    /// Changes the size of the page.
    ///
    /// # Errors
    /// [`Interruption`] when the browser refuses or the call ends first.
    pub async fn resize(&self, viewport: Viewport, scope: &CallScope) -> Result<(), Interruption> {
        scope.race(self.backend().set_viewport(viewport)).await?.map_err(Interruption::Backend)
    }
}
