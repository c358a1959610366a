//! Dialogs: one at a time in a page, whichever frame asked.

use std::sync::atomic::{AtomicU64, Ordering};

use engine::backend::{BackendError, Dialog, DialogId, DialogKind, FrameId, PageEvent};
use wire::bidi::types::browsing_context as tabs;

use super::page::Page;
use crate::sync::lock;

/// A dialog that is open.
#[derive(Debug, Clone)]
pub(super) struct Open {
    id: DialogId,
}

/// Dialogs are counted over all pages.
static DIALOGS: AtomicU64 = AtomicU64::new(0);

impl Page {
    pub(super) fn dialog_opened(&self, frame: &FrameId, opened: tabs::UserPromptOpened) {
        let number = DIALOGS.fetch_add(1, Ordering::Relaxed);
        let id = DialogId::from(format!("{}.{number}", self.id));
        *lock(&self.dialog) = Some(Open { id: id.clone() });
        let kind = match opened.r#type.as_str() {
            "confirm" => DialogKind::Confirm,
            "prompt" => DialogKind::Prompt,
            "beforeunload" => DialogKind::BeforeUnload,
            _ => DialogKind::Alert,
        };
        let url = self.frames().get(frame).map(|frame| frame.url.clone()).unwrap_or_default();
        self.change(|_| ());
        self.tell(PageEvent::DialogOpened(Dialog {
            id,
            kind,
            message: opened.message,
            default_text: opened.default_value.unwrap_or_default(),
            url,
        }));
    }

    pub(super) fn dialog_closed(&self) {
        let open = lock(&self.dialog).take();
        if let Some(Open { id }) = open {
            self.tell(PageEvent::DialogClosed { id });
        }
        self.change(|_| ());
    }

    /// Waits until a dialog is open.
    pub(super) async fn dialog_opens(&self) {
        let mut changes = self.changed.subscribe();
        while lock(&self.dialog).is_none() && changes.changed().await.is_ok() {}
    }

    pub(super) async fn handle_dialog(
        &self,
        dialog: &DialogId,
        accept: bool,
        text: Option<String>,
    ) -> Result<(), BackendError> {
        if lock(&self.dialog).as_ref().is_none_or(|open| open.id != *dialog) {
            return Err(BackendError::Refused {
                request: "browsingContext.handleUserPrompt".to_owned(),
                reason: "this dialog is not open any more".to_owned(),
            });
        }
        let handle = tabs::HandleUserPrompt {
            accept: Some(accept),
            user_text: text,
            ..tabs::HandleUserPrompt::new(self.context.clone())
        };
        self.call(&handle).await.map(drop)
    }
}
