//! What is heard of the network: told to the pages, and answered where nobody else does.

use std::sync::Arc;

use wire::bidi::types::network;
use wire::bidi::{Connection, Event, EventKind};

use super::listener::{Ears, read};

impl Ears {
    pub(super) fn network(&self, event: &Event) {
        match event.method() {
            network::BeforeRequestSent::METHOD => {
                let Some(sent) = read::<network::BeforeRequestSent>(event) else { return };
                if sent.is_blocked {
                    self.answer_blank(&sent);
                }
                if let Some((page, frame)) = self.place(sent.context.as_ref()) {
                    page.requested(frame, sent);
                }
            }
            network::ResponseStarted::METHOD => {
                let Some(started) = read::<network::ResponseStarted>(event) else { return };
                if let Some((page, _)) = self.place(started.context.as_ref()) {
                    page.responded(started);
                }
            }
            network::ResponseCompleted::METHOD => {
                let Some(completed) = read::<network::ResponseCompleted>(event) else { return };
                if let Some((page, _)) = self.place(completed.context.as_ref()) {
                    page.finished(&completed);
                }
            }
            network::FetchError::METHOD => {
                let Some(failed) = read::<network::FetchError>(event) else { return };
                if let Some((page, _)) = self.place(failed.context.as_ref()) {
                    page.request_failed(failed);
                }
            }
            network::AuthRequired::METHOD => {
                // Nobody is there to be asked: the page that the server sends along is shown.
                let asked = read::<network::AuthRequired>(event).filter(|asked| asked.is_blocked);
                if let (Some(asked), Some(connection)) = (asked, self.connection()) {
                    drop(connection.send(&network::ContinueWithAuth::new(asked.request.request, "cancel")));
                }
            }
            _ => {}
        }
    }

    fn connection(&self) -> Option<Arc<Connection>> {
        self.connection.get()?.upgrade()
    }

    /// Answers a request with an empty document: requests stand still only while storage is seeded.
    fn answer_blank(&self, sent: &network::BeforeRequestSent) {
        if let Some(connection) = self.connection() {
            let kind = network::Header::new("Content-Type", network::BytesValue::text("text/html"));
            drop(connection.send(&network::ProvideResponse {
                status_code: Some(200),
                headers: Some(vec![kind]),
                body: Some(network::BytesValue::text("<!doctype html>")),
                ..network::ProvideResponse::new(sent.request.request.clone())
            }));
        }
    }
}
