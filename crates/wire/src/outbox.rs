//! Messages on their way out.
//!
//! Whatever was put in while the writer was busy leaves in its next write, and what was put in together leaves
//! together. There is no bound: a caller waits for its answer before it goes on, so the callers are the bound.

use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Vec<Bytes>>,
    filled: Notify,
}

impl Outbox {
    pub(crate) fn put(&self, messages: impl IntoIterator<Item = Bytes>) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(messages);
        self.filled.notify_one();
    }

    /// Waits until there is something, and takes all of it.
    pub(crate) async fn take(&self) -> Vec<Bytes> {
        loop {
            let all = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
            if !all.is_empty() {
                return all;
            }
            self.filled.notified().await;
        }
    }
}
