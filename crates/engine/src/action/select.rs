//! Choosing options of native lists.

use base::CallScope;
use serde_json::{Value, json};

use super::diary::Diary;
use super::prepare::Aim;
use super::{Acted, Choose};
use crate::failed::Failed;
use crate::page::Page;
use crate::target::Target;

const NEEDS: &[&str] = &["visible", "enabled"];
const KINDS: &[&str] = &["list"];

impl Page {
    /// Chooses options of a list; the others are given up. Answers with the values that are chosen then.
    ///
    /// Options that are not there yet are waited for a moment; the refusal lists those that are.
    ///
    /// # Errors
    /// [`Failed`].
    pub async fn select_option(
        &self,
        target: &Target,
        options: &[Choose],
        force: bool,
        scope: &CallScope,
    ) -> Result<(Acted, Vec<String>), Failed> {
        let options: Vec<Value> = options.iter().map(told).collect();
        let then = json!({ "what": "choose", "options": options });
        let aim = Aim { needs: NEEDS, kinds: Some(KINDS), force, then: Some(then), ..Aim::default() };
        let prepared = self.prepare(target, &aim, &mut Diary::new(), scope).await?;
        self.aftermath(&prepared.frame, scope).await?;
        Ok((prepared.acted, prepared.field.values))
    }
}

fn told(option: &Choose) -> Value {
    match option {
        Choose::Either(text) => json!({ "either": text }),
        Choose::Value(value) => json!({ "value": value }),
        Choose::Label(label) => json!({ "label": label }),
        Choose::Index(index) => json!({ "index": index }),
    }
}
