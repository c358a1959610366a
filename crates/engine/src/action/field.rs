//! Giving a field its value, whatever kind of field it is.

use std::time::Duration;

use base::CallScope;
use serde::Deserialize;
use serde_json::json;

use super::diary::Diary;
use super::prepare::{Aim, time_left};
use super::{Acted, Choose, Click, FieldValue, Typing};
use crate::backend::BackendError;
use crate::failed::Failed;
use crate::locate::Located;
use crate::page::{Interruption, Page};
use crate::target::Target;

/// A wait in the page is asked for again after this long.
const SLICE: Duration = Duration::from_secs(1);
/// How long a page may take to show that a checkbox was clicked.
const ANSWERING_CLICK: Duration = Duration::from_secs(1);
const CHECKABLE: &[&str] = &["checkbox", "radio", "switch"];

/// What `injected.field` answers.
#[derive(Debug, Deserialize)]
struct Kind {
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    checked: bool,
    #[serde(default)]
    preview: String,
    #[serde(flatten)]
    located: Located,
}

impl Page {
    /// Gives a field of a form its value, whatever kind of field it is.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn fill_field(
        &self,
        target: &Target,
        value: &FieldValue,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        let field = self.kind_of(target, scope).await?;
        let kind = field.kind.as_deref().unwrap_or_default();
        match (kind, value) {
            ("checkbox" | "radio" | "switch", FieldValue::Checked(wanted)) => {
                self.check(target, &field, *wanted, scope).await
            }
            ("checkbox" | "radio" | "switch", FieldValue::Text(text)) => match text.trim() {
                "true" | "on" | "checked" => self.check(target, &field, true, scope).await,
                "false" | "off" | "unchecked" => self.check(target, &field, false, scope).await,
                _ => Err(field.unfit("is checked or unchecked; give true or false")),
            },
            ("list", FieldValue::Text(text)) => {
                let option = [Choose::Either(text.clone())];
                self.select_option(target, &option, false, scope).await.map(|(acted, _)| acted)
            }
            (_, FieldValue::Options(options)) => {
                self.select_option(target, options, false, scope).await.map(|(acted, _)| acted)
            }
            (_, FieldValue::Text(text)) => self.type_text(target, text, &Typing::default(), scope).await,
            ("file", FieldValue::Checked(_)) => Err(field.unfit("takes files; use file_upload")),
            (_, FieldValue::Checked(_)) => Err(field.unfit("is no checkbox or radio button; give a text")),
        }
    }

    /// Clicks if the state is not the wanted one, and sees that it is then.
    async fn check(
        &self,
        target: &Target,
        field: &Kind,
        wanted: bool,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        if field.checked == wanted {
            let aim = Aim { kinds: Some(CHECKABLE), ..Aim::default() };
            return Ok(self.prepare(target, &aim, &mut Diary::new(), scope).await?.acted);
        }
        if !wanted && field.kind.as_deref() == Some("radio") {
            return Err(
                field.unfit("is a radio button, which can't be unchecked; check another of its group")
            );
        }
        let aim = Aim { kinds: Some(CHECKABLE), press: true, ..Aim::default() };
        let acted = self.click_as(target, &Click::default(), aim, scope).await?;
        // A dialog or a new document took the field away: there is nothing to see.
        if self.state().interruption().is_some() {
            return Ok(acted);
        }
        let wait = ANSWERING_CLICK.min(time_left(scope) / 2);
        match self.look_at(target, wait, Some(wanted), scope).await {
            Ok(now) if now.checked != wanted => {
                let is = if wanted { "unchecked" } else { "checked" };
                Err(now.unfit(&format!("was clicked and is still {is}; look at the page")))
            }
            // A click may take the field away with it.
            Ok(_)
            | Err(
                Failed::NotFound { .. }
                | Failed::StaleRef { .. }
                | Failed::Interrupted(
                    Interruption::Dialog(_) | Interruption::Backend(BackendError::DocumentGone),
                ),
            ) => Ok(acted),
            Err(why) => Err(why),
        }
    }

    /// The field, when it is there.
    async fn kind_of(&self, target: &Target, scope: &CallScope) -> Result<Kind, Failed> {
        loop {
            let left = time_left(scope);
            match self.look_at(target, left.min(SLICE), None, scope).await {
                Err(Failed::NotFound { .. }) if !left.is_zero() => {}
                Err(Failed::Interrupted(Interruption::Backend(
                    BackendError::DocumentGone | BackendError::FrameGone,
                ))) => {}
                answer => return answer,
            }
        }
    }

    async fn look_at(
        &self,
        target: &Target,
        wait: Duration,
        wanted: Option<bool>,
        scope: &CallScope,
    ) -> Result<Kind, Failed> {
        let place = self.place(target, scope).await?;
        let question = json!({ "at": place.at, "wait": wait.as_millis(), "wanted": wanted });
        let mut kind: Kind = self.ask(&place.frame, "field", question, scope).await?;
        match std::mem::take(&mut kind.located).failure(target) {
            Some(failure) => Err(failure),
            None => Ok(kind),
        }
    }
}

impl Kind {
    fn unfit(&self, why: &str) -> Failed {
        Failed::Unfit { element: self.preview.clone(), why: why.to_owned() }
    }
}
