//! Dialogs: told by bootstrap.js a moment before they open, answered by the automation session.

use engine::backend::{BackendError, Dialog, DialogId, DialogKind, PageEvent};
use serde_json::json;

use super::page::{Page, lock};
use super::said::SaidDialog;

impl Page {
    pub(super) fn dialog_opened(&self, said: SaidDialog) {
        let id = DialogId::from(format!("{}.{}.{}", self.id, said.url, said.number));
        let kind = match said.kind.as_str() {
            "confirm" => DialogKind::Confirm,
            "prompt" => DialogKind::Prompt,
            _ => DialogKind::Alert,
        };
        *lock(&self.dialog) = Some(id.clone());
        self.say(PageEvent::DialogOpened(Dialog {
            id,
            kind,
            message: said.message,
            default_text: said.text,
            url: said.url,
        }));
        self.life.send_modify(|life| life.dialog = true);
        self.change(|_| ());
    }

    pub(super) fn dialog_answered(&self) {
        self.life.send_modify(|life| life.dialog = false);
        if let Some(id) = lock(&self.dialog).take() {
            self.say(PageEvent::DialogClosed { id });
        }
        self.change(|_| ());
    }

    pub(super) async fn handle_dialog(
        &self,
        dialog: &DialogId,
        accept: bool,
        text: Option<String>,
    ) -> Result<(), BackendError> {
        let refused = |reason: &str| BackendError::Refused {
            request: "to answer the dialog".to_owned(),
            reason: reason.to_owned(),
        };
        if lock(&self.dialog).as_ref() != Some(dialog) {
            return Err(refused("this dialog is not open any more"));
        }
        self.shown().await?;
        if accept && let Some(text) = text {
            let method = "Automation.setUserInputForCurrentJavaScriptPrompt";
            self.automate(method, |handle| json!({ "browsingContextHandle": handle, "userInput": text }))
                .await?;
        }
        let method = match accept {
            true => "Automation.acceptCurrentJavaScriptDialog",
            false => "Automation.dismissCurrentJavaScriptDialog",
        };
        self.automate(method, |handle| json!({ "browsingContextHandle": handle })).await?;
        // It is over when the script goes on, not when the browser was told to.
        let current = dialog.clone();
        self.until(|page| (lock(&page.dialog).as_ref() != Some(&current)).then_some(())).await
    }

    /// Waits until the browser shows the dialog, which was told a moment before.
    async fn shown(&self) -> Result<(), BackendError> {
        #[derive(serde::Deserialize)]
        struct Shows {
            result: bool,
        }
        for _ in 0..100 {
            let ask = |handle: &str| json!({ "browsingContextHandle": handle });
            let shows = self.automate("Automation.isShowingJavaScriptDialog", ask).await?;
            if shows.read::<Shows>().is_ok_and(|shows| shows.result) {
                return Ok(());
            }
            // Nobody tells when it is.
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        Ok(())
    }
}
