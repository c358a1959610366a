//! Keys that go to whatever has the focus.

use base::CallScope;
use serde_json::Value;

use crate::backend::{BackendError, FrameId, InputEvent, Modifiers, Question};
use crate::failed::Failed;
use crate::keyboard::{self, Chord};
use crate::page::{Interruption, Page};

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
        let focused = self.focused_frame(scope).await?;
        self.state().hand.acted = Some(focused.clone());
        if self.deliver(events, scope).await? {
            self.aftermath(&focused, scope).await?;
        }
        Ok(())
    }

    /// The frame whose document gets the keys; it and those around it count their changes from here on.
    async fn focused_frame(&self, scope: &CallScope) -> Result<FrameId, Failed> {
        let mut frame = self.main_frame();
        // Fails while a dialog is open: the key would go nowhere.
        let mut deeper: bool = self.ask(&frame, "arm", Value::Null, scope).await?;
        while deeper {
            match self.focused_inside(&frame, scope).await {
                Ok(Some((inside, further))) => (frame, deeper) = (inside, further),
                // What is gone by now has no focus any more.
                Ok(None)
                | Err(Interruption::Backend(BackendError::DocumentGone | BackendError::FrameGone)) => break,
                Err(why) => return Err(why.into()),
            }
        }
        Ok(frame)
    }

    /// The frame in `frame`'s document that has the focus, and whether it is in a frame again there.
    async fn focused_inside(
        &self,
        frame: &FrameId,
        scope: &CallScope,
    ) -> Result<Option<(FrameId, bool)>, Interruption> {
        let question = Question::new("focusedFrame", Value::Null);
        let asked = self.attempt(scope, self.backend().ask_for_node(frame, &question)).await?;
        let Some(element) = asked else { return Ok(None) };
        let inside = self.attempt(scope, self.backend().content_frame(&element)).await;
        self.backend().release(element);
        let Some(inside) = inside? else { return Ok(None) };
        let further = self.ask(&inside, "arm", Value::Null, scope).await?;
        Ok(Some((inside, further)))
    }
}
