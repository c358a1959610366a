//! The SDK's view of standard input and output.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::admission::Admission;
use super::lines::{Line, Lines};
use super::writer;
use crate::mcp::fault::{self, Fault, LARGEST_MESSAGE, Refused};

/// A message could not be sent.
#[derive(Debug, thiserror::Error)]
pub(super) enum SendFailed {
    #[error("the client is gone")]
    Closed,
    #[error("the message is not representable as JSON")]
    NotJson(#[from] serde_json::Error),
}

/// Reads messages from the input and hands replies to the writer.
pub(super) struct StdioTransport<R> {
    lines: Lines<R>,
    admission: Arc<Mutex<Admission>>,
    /// `None` once closed.
    output: Option<mpsc::Sender<Vec<u8>>>,
    writing: Option<JoinHandle<()>>,
    gone: CancellationToken,
}

/// What became of a line.
enum Received {
    Message(Box<ClientJsonRpcMessage>),
    Refused(Vec<u8>),
    Nothing,
    Closed,
}

impl<R: AsyncRead + Send + Unpin> StdioTransport<R> {
    /// A transport that fires `gone` when the client closes either end.
    pub(super) fn new(
        input: R,
        output: impl AsyncWrite + Send + Unpin + 'static,
        gone: CancellationToken,
    ) -> Self {
        let (output, writing) = writer::start(output, gone.clone());
        Self {
            lines: Lines::new(input, LARGEST_MESSAGE),
            admission: Arc::default(),
            output: Some(output),
            writing: Some(writing),
            gone,
        }
    }

    async fn next(&mut self) -> Received {
        let line = match self.lines.next().await {
            Ok(line) => line,
            Err(error) => {
                tracing::warn!(%error, "standard input can't be read");
                None
            }
        };
        let (bytes, whole) = match line {
            None => return Received::Closed,
            Some(Line::TooLong) => return Received::Refused(Fault::TooLarge.response(None)),
            Some(Line::Whole(bytes)) => (bytes, true),
            Some(Line::Unfinished(bytes)) => (bytes, false),
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Received::Nothing;
        }
        let admitted = fault::read(bytes).and_then(|message| {
            locked(&self.admission).admit(&message, bytes.len())?;
            Ok(message)
        });
        match admitted {
            Ok(message) => Received::Message(Box::new(message)),
            // Half a message is all that a client in a hurry left behind; nobody waits for an answer.
            Err(_) if !whole => Received::Nothing,
            Err(refused) => Received::Refused(refusal(&refused)),
        }
    }
}

fn refusal(refused: &Refused) -> Vec<u8> {
    tracing::debug!(fault = %refused.fault, "refused a message");
    refused.response()
}

fn locked(admission: &Mutex<Admission>) -> std::sync::MutexGuard<'_, Admission> {
    admission.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answers(message: &ServerJsonRpcMessage) -> Option<RequestId> {
    match message {
        ServerJsonRpcMessage::Response(response) => Some(response.id.clone()),
        ServerJsonRpcMessage::Error(error) => error.id.clone(),
        ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_) => None,
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for StdioTransport<R> {
    type Error = SendFailed;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let output = self.output.clone();
        let admission = Arc::clone(&self.admission);
        async move {
            let line = serde_json::to_vec(&message)?;
            output.ok_or(SendFailed::Closed)?.send(line).await.map_err(|_| SendFailed::Closed)?;
            if let Some(id) = answers(&message) {
                locked(&admission).answered(&id);
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // Nothing is read while the client leaves the replies unread: that bounds what it can make us hold.
            let output = self.output.clone()?;
            let Ok(room) = output.reserve().await else { return None };
            let gone = self.gone.clone();
            let received = tokio::select! {
                received = self.next() => received,
                // Nobody hears the answers any more, though requests may still come.
                () = gone.cancelled() => Received::Closed,
            };
            match received {
                Received::Message(message) => return Some(*message),
                Received::Refused(answer) => room.send(answer),
                Received::Nothing => {}
                Received::Closed => {
                    self.gone.cancel();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        drop(self.output.take());
        if let Some(writing) = self.writing.take()
            && let Err(error) = writing.await
        {
            tracing::error!(%error, "the writer of standard output ended by a panic");
        }
        Ok(())
    }
}
