//! What a line brings in: messages that are let in, and what is to be answered at once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ClientJsonRpcMessage, RequestId};

use super::admission::{Admission, cancels};
use super::batches::{Batch, Batches};
use crate::mcp::batch;
use crate::mcp::fault::{self, Refused};

/// Takes lines in, and knows what is still to be answered. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Intake {
    admission: Admission,
    batches: Arc<Mutex<Batches>>,
}

/// What became of a line.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) messages: Vec<ClientJsonRpcMessage>,
    pub(super) answers: Vec<Vec<u8>>,
}

impl Intake {
    /// Takes a line in.
    ///
    /// # Errors
    /// [`Refused`] when it holds no message, or none that may go in.
    pub(super) fn take(&self, line: &[u8]) -> Result<Received, Refused> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(Received::default());
        }
        if self.admission.takes_batches() && batch::is_one(line) {
            return self.take_batch(line);
        }
        let mut message = fault::read(line)?;
        self.admission.admit(&mut message, line.len())?;
        let answers = self.cancelled(&message).into_iter().collect();
        Ok(Received { messages: vec![message], answers })
    }

    fn take_batch(&self, line: &[u8]) -> Result<Received, Refused> {
        let mut messages = Vec::new();
        let mut begun = Batch::default();
        for entry in batch::cut(line)? {
            let admitted = batch::read(entry).and_then(|mut message| {
                self.admission.admit(&mut message, entry.get().len())?;
                Ok(message)
            });
            match admitted {
                Ok(message) => {
                    if let ClientJsonRpcMessage::Request(request) = &message {
                        begun.awaited.insert(request.id.clone());
                    }
                    messages.push(message);
                }
                Err(refused) => begun.answers.push(refused.response()),
            }
        }
        let mut answers: Vec<_> = self.batches().begin(begun).into_iter().collect();
        // Only now: a batch may cancel what stands in itself.
        answers.extend(messages.iter().filter_map(|message| self.cancelled(message)));
        Ok(Received { messages, answers })
    }

    /// What the answer to a request becomes on the wire; nothing, while its batch waits for others.
    pub(super) fn answer(&self, id: &RequestId, answer: Vec<u8>) -> Option<Vec<u8>> {
        self.batches().answered(id, answer)
    }

    /// The answer to this request was handed to the writer, or to its batch.
    pub(super) fn answered(&self, id: &RequestId) {
        self.admission.answered(id);
    }

    /// What the end of waiting for a cancelled request lets out.
    fn cancelled(&self, message: &ClientJsonRpcMessage) -> Option<Vec<u8>> {
        self.batches().cancelled(cancels(message)?)
    }

    fn batches(&self) -> MutexGuard<'_, Batches> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
