//! Writing into fields.

use std::time::Duration;

use base::CallScope;
use serde_json::json;

use super::diary::Diary;
use super::prepare::{Aim, Field, Prepared};
use super::{Acted, Typing};
use crate::backend::{InputEvent, Modifiers};
use crate::failed::Failed;
use crate::keyboard::{self, Chord};
use crate::page::Page;
use crate::target::Target;

const NEEDS: &[&str] = &["visible", "enabled", "editable"];
const KINDS: &[&str] = &["text", "multiline", "rich", "whole"];

impl Page {
    /// Writes into a field.
    ///
    /// At once, the text takes the place of what was there as if it were pasted: line breaks vanish from a field of one
    /// line. Key by key they are the Enter key. What has no text to write into (a date, a colour, a slider) gets its
    /// value as a whole.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn type_text(
        &self,
        target: &Target,
        text: &str,
        how: &Typing,
        scope: &CallScope,
    ) -> Result<Acted, Failed> {
        let replacing = if how.append { "append" } else { "replace" };
        let then = json!({ "what": "focus", "how": replacing, "text": text });
        let mut prepared = self.prepare_field(target, then, how.force, scope).await?;
        if prepared.field.kind == "whole" {
            let then = json!({ "what": "set", "value": text });
            prepared = self.prepare_field(target, then, how.force, scope).await?;
        }
        let parts = strokes(text, how, &prepared.field);
        if self.deliver_slowly(parts, how.delay.unwrap_or(Duration::ZERO), scope).await? {
            self.aftermath(&prepared.frame, scope).await?;
        }
        Ok(prepared.acted)
    }

    async fn prepare_field(
        &self,
        target: &Target,
        then: serde_json::Value,
        force: bool,
        scope: &CallScope,
    ) -> Result<Prepared, Failed> {
        let aim = Aim { needs: NEEDS, kinds: Some(KINDS), force, then: Some(then), ..Aim::default() };
        self.prepare(target, &aim, &mut Diary::new(), scope).await
    }
}

/// What a hand does to write `text`, in parts with a delay between two.
fn strokes(text: &str, how: &Typing, field: &Field) -> Vec<Vec<InputEvent>> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut parts = Vec::new();
    if field.kind == "whole" {
        // It has its value.
    } else if text.is_empty() {
        if !how.append && !field.empty {
            parts.push(key("Delete"));
        }
    } else if how.delay.is_some() {
        parts.extend(text.chars().map(|c| keyboard::typed(c.encode_utf8(&mut [0; 4]), Modifiers::default())));
    } else {
        parts.push(at_once(&text, &field.kind));
    }
    if how.submit {
        parts.push(key("Enter"));
    }
    if how.delay.is_some() { parts } else { vec![parts.concat()] }
}

fn at_once(text: &str, kind: &str) -> Vec<InputEvent> {
    match kind {
        "multiline" => vec![InputEvent::Text(text.to_owned())],
        "rich" => {
            let lines = text.split('\n').map(|line| {
                if line.is_empty() { Vec::new() } else { vec![InputEvent::Text(line.to_owned())] }
            });
            lines.collect::<Vec<_>>().join(key("Enter").as_slice())
        }
        _ => vec![InputEvent::Text(text.replace('\n', ""))],
    }
}

fn key(name: &str) -> Vec<InputEvent> {
    // Both keys that are asked for exist.
    name.parse::<Chord>().map(|chord| chord.events()).unwrap_or_default()
}
