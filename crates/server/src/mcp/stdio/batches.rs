//! Batches on stdio: their messages go in one by one, the answers to them go out together.

use std::collections::HashSet;

use rmcp::model::RequestId;

use crate::mcp::batch;

/// The batches that are not answered yet.
#[derive(Debug, Default)]
pub(super) struct Batches(Vec<Batch>);

/// One batch.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The requests in it whose answers are still to come.
    pub(super) awaited: HashSet<RequestId>,
    pub(super) answers: Vec<Vec<u8>>,
}

impl Batches {
    /// Begins a batch, and says what is to be sent at once: the answers, when no others are to come.
    pub(super) fn begin(&mut self, batch: Batch) -> Option<Vec<u8>> {
        if batch.awaited.is_empty() {
            return batch.whole();
        }
        self.0.push(batch);
        None
    }

    /// Takes the answer to a request, and says what is to be sent: the answer itself, unless it belongs to a batch.
    pub(super) fn answered(&mut self, id: &RequestId, answer: Vec<u8>) -> Option<Vec<u8>> {
        let Some(at) = self.batch_of(id) else { return Some(answer) };
        self.0[at].answers.push(answer);
        self.settle(at, id)
    }

    /// Waits for this answer no longer, and says what is to be sent. A cancelled request gets none (MCP 2025-03-26,
    /// Cancellation), and must not keep the other answers of its batch.
    pub(super) fn cancelled(&mut self, id: &RequestId) -> Option<Vec<u8>> {
        let at = self.batch_of(id)?;
        self.settle(at, id)
    }

    fn batch_of(&self, id: &RequestId) -> Option<usize> {
        self.0.iter().position(|batch| batch.awaited.contains(id))
    }

    fn settle(&mut self, at: usize, id: &RequestId) -> Option<Vec<u8>> {
        self.0[at].awaited.remove(id);
        if self.0[at].awaited.is_empty() { self.0.swap_remove(at).whole() } else { None }
    }
}

impl Batch {
    /// A batch of notifications is answered by nothing at all (JSON-RPC 2.0, section 6).
    fn whole(self) -> Option<Vec<u8>> {
        (!self.answers.is_empty()).then(|| batch::join(&self.answers))
    }
}
