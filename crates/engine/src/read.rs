//! What a page holds: its title, its text, its source, how many elements match.

use std::time::Duration;

use base::{CallScope, Deadline};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::backend::{BackendError, FrameId, Question};
use crate::failed::Failed;
use crate::locate::Located;
use crate::page::{Interruption, Page};
use crate::target::Target;

/// A title is worth no more time: a page that is too busy to tell it has none.
const TITLE: Duration = Duration::from_secs(2);

/// Which content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentKind {
    /// The source as it is now.
    Html,
    /// The text as a user sees it.
    Text,
}

/// How many elements match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Count {
    /// In the page.
    pub total: usize,
    /// Of these, visible.
    pub visible: usize,
}

#[derive(Deserialize)]
struct Content {
    text: Option<String>,
    #[serde(flatten)]
    why: Located,
}

impl Page {
    /// Its address.
    pub fn url(&self) -> String {
        self.state().frames.top().url.clone()
    }

    /// Its title; empty when it has none, or is too busy to tell.
    pub async fn title(&self, scope: &CallScope) -> String {
        let question = Question { method: "title", argument: Value::Null };
        let frame = self.main_frame();
        let asked = self.attempt(scope, self.backend().ask(&frame, &question));
        match Deadline::after(TITLE).race(asked).await {
            Ok(Ok(title)) => serde_json::from_str(title.get()).unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// The content of an element, or of the whole page.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn content(
        &self,
        target: Option<&Target>,
        kind: ContentKind,
        scope: &CallScope,
    ) -> Result<String, Failed> {
        let format = match kind {
            ContentKind::Html => "html",
            ContentKind::Text => "text",
        };
        let Some(target) = target else {
            let frame = self.main_frame();
            let content: Content =
                self.ask_anew(&frame, "content", json!({ "format": format }), scope).await?;
            return Ok(content.text.unwrap_or_default());
        };
        let place = self.place(target, scope).await?;
        self.locate(&place, target, scope).await?;
        let content: Content = self
            .ask_anew(&place.frame, "content", json!({ "at": place.at, "format": format }), scope)
            .await?;
        let Content { text, why } = content;
        text.ok_or_else(|| why.failure(target).unwrap_or(Failed::NotFound { target: target.to_string() }))
    }

    /// How many elements match now; nothing is waited for.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn count(&self, target: &Target, scope: &CallScope) -> Result<Count, Failed> {
        let none = Count { total: 0, visible: 0 };
        // What leads through a frame that is not there matches nothing.
        let now = Deadline::after(Duration::ZERO);
        let place = match self.place_within(target, now, scope).await {
            Ok(place) => place,
            Err(Failed::NotFound { .. } | Failed::StaleRef { .. }) => return Ok(none),
            Err(failed) => return Err(failed),
        };
        Ok(self.ask_anew(&place.frame, "counted", json!({ "at": place.at }), scope).await?)
    }

    /// Asks, and asks the next document when the page navigates meanwhile.
    pub(crate) async fn ask_anew<T: for<'de> Deserialize<'de>>(
        &self,
        frame: &FrameId,
        method: &'static str,
        argument: Value,
        scope: &CallScope,
    ) -> Result<T, Interruption> {
        loop {
            match self.ask(frame, method, argument.clone(), scope).await {
                Err(Interruption::Backend(BackendError::DocumentGone)) => {}
                answer => return answer,
            }
        }
    }
}
