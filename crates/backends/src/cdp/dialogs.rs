//! Dialogs: one at a time, all told and answered in the page's topmost session, whichever frame asked.

use engine::backend::{BackendError, Dialog, DialogId, DialogKind};
use wire::cdp::types::page;

use super::page::{Page, lock};

impl Page {
    /// Notes that a dialog opened.
    pub(super) fn dialog_opened(&self, number: u64, opening: page::JavascriptDialogOpening) -> Dialog {
        let id = DialogId::from(format!("{}.{number}", self.id));
        *lock(&self.dialog) = Some(id.clone());
        let kind = match opening.r#type {
            page::DialogType::Confirm => DialogKind::Confirm,
            page::DialogType::Prompt => DialogKind::Prompt,
            page::DialogType::BeforeUnload => DialogKind::BeforeUnload,
            page::DialogType::Alert | page::DialogType::Other => DialogKind::Alert,
        };
        Dialog {
            id,
            kind,
            message: opening.message,
            default_text: opening.default_prompt.unwrap_or_default(),
            url: opening.url,
        }
    }

    pub(super) async fn handle_dialog(
        &self,
        dialog: &DialogId,
        accept: bool,
        text: Option<String>,
    ) -> Result<(), BackendError> {
        if lock(&self.dialog).as_ref() != Some(dialog) {
            return Err(BackendError::Refused {
                request: "Page.handleJavaScriptDialog".to_owned(),
                reason: "this dialog is not open any more".to_owned(),
            });
        }
        let handle =
            page::HandleJavaScriptDialog { prompt_text: text, ..page::HandleJavaScriptDialog::new(accept) };
        self.call(&self.session, &handle).await.map(drop)
    }
}
