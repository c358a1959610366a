//! Keys that go to whatever has the focus.

use base::CallScope;
use serde_json::json;

use crate::backend::InputEvent;
use crate::backend::Modifiers;
use crate::failed::Failed;
use crate::keyboard::{self, Chord};
use crate::page::Page;

impl Page {
    /// Presses a key, alone or with others, on what has the focus.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn press_key(&self, chord: &Chord, scope: &CallScope) -> Result<(), Failed> {
        self.press(chord.events(), scope).await
    }

    /// Writes a text key by key into what has the focus.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn press_keys(&self, text: &str, scope: &CallScope) -> Result<(), Failed> {
        self.press(keyboard::typed(text, Modifiers::default()), scope).await
    }

    async fn press(&self, events: Vec<InputEvent>, scope: &CallScope) -> Result<(), Failed> {
        // Fails while a dialog is open: the key would go nowhere.
        let main = self.main_frame();
        let _armed: bool = self.ask(&main, "arm", json!(null), scope).await?;
        self.state().hand.acted = Some(main.clone());
        if self.deliver(events, scope).await? {
            self.aftermath(&main, scope).await?;
        }
        Ok(())
    }
}
