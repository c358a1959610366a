//! Giving a field its value, whatever kind of field it is.

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
        match self.kind_of(target, scope).await {
            Ok(now) if now.checked != wanted => {
                let is = if wanted { "unchecked" } else { "checked" };
                Err(now.unfit(&format!("was clicked and is still {is}; look at the page")))
            }
            Ok(_) | Err(Failed::NotFound { .. } | Failed::StaleRef { .. }) => Ok(acted),
            Err(why) => Err(why),
        }
    }

    async fn kind_of(&self, target: &Target, scope: &CallScope) -> Result<Kind, Failed> {
        loop {
            let place = self.place(target, scope).await?;
            let left = time_left(scope);
            let wait = left.as_millis().min(1000);
            let kind: Kind = match self
                .ask(&place.frame, "field", json!({ "at": place.at, "wait": wait }), scope)
                .await
            {
                Err(Interruption::Backend(BackendError::DocumentGone | BackendError::FrameGone)) => continue,
                answer => answer?,
            };
            if kind.located.none && !left.is_zero() {
                continue;
            }
            let failed = kind.located.none || kind.located.many > 0 || kind.located.gone.is_some();
            return match failed.then(|| kind.located.failure(target)) {
                Some(Some(failure)) => Err(failure),
                Some(None) => Err(Interruption::TimedOut.into()),
                None => Ok(Kind { located: Located::default(), ..kind }),
            };
        }
    }
}

impl Kind {
    fn unfit(&self, why: &str) -> Failed {
        Failed::Unfit { element: self.preview.clone(), why: why.to_owned() }
    }
}
