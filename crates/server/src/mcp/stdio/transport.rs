//! The SDK's view of standard input and output.

use std::collections::VecDeque;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetExtensions, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::intake::{Intake, Received};
use super::lines::{Line, Lines};
use super::writer;
use crate::mcp::fault::{Fault, LARGEST_MESSAGE, Refused};
use crate::tools::Arrivals;

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
    intake: Intake,
    /// Messages of a batch that are still to be handed out.
    waiting: VecDeque<ClientJsonRpcMessage>,
    arrivals: Arrivals,
    /// `None` once closed.
    output: Option<mpsc::Sender<Vec<u8>>>,
    writing: Option<JoinHandle<()>>,
    gone: CancellationToken,
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
            intake: Intake::default(),
            waiting: VecDeque::new(),
            arrivals: Arrivals::default(),
            output: Some(output),
            writing: Some(writing),
            gone,
        }
    }

    /// What the next line brings; `None` when the input has closed.
    async fn next(&mut self) -> Option<Received> {
        let line = match self.lines.next().await {
            Ok(line) => line?,
            Err(error) => {
                tracing::warn!(%error, "standard input can't be read");
                return None;
            }
        };
        let received = match line {
            Line::Whole(bytes) => self.intake.take(bytes),
            // Half a message is all that a client in a hurry left behind; nobody waits for an answer.
            Line::Unfinished(bytes) => Ok(self.intake.take(bytes).unwrap_or_default()),
            Line::TooLong => Err(Refused { fault: Fault::TooLarge { limit: LARGEST_MESSAGE }, id: None }),
        };
        Some(received.unwrap_or_else(|refused| refusal(&refused)))
    }
}

fn refusal(refused: &Refused) -> Received {
    tracing::debug!(fault = %refused.fault, "refused a message");
    Received { messages: Vec::new(), answers: vec![refused.response()] }
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
        let intake = self.intake.clone();
        async move {
            let line = serde_json::to_vec(&message)?;
            let id = answers(&message);
            let line = match &id {
                Some(id) => intake.answer(id, line),
                None => Some(line),
            };
            if let Some(line) = line {
                output.ok_or(SendFailed::Closed)?.send(line).await.map_err(|_| SendFailed::Closed)?;
            }
            if let Some(id) = id {
                intake.answered(&id);
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(mut message) = self.waiting.pop_front() {
                if let ClientJsonRpcMessage::Request(request) = &mut message
                    && matches!(request.request, ClientRequest::CallToolRequest(_))
                {
                    // The SDK begins the calls in any order; their handlers find here which came first.
                    request.request.extensions_mut().insert(self.arrivals.next());
                }
                return Some(message);
            }
            // Nothing is read while the client leaves the replies unread: that bounds what it can make us hold.
            let output = self.output.clone()?;
            let Ok(room) = output.reserve().await else { return None };
            let gone = self.gone.clone();
            let received = tokio::select! {
                received = self.next() => received,
                // Nobody hears the answers any more, though requests may still come.
                () = gone.cancelled() => None,
            };
            let Some(Received { messages, answers }) = received else {
                self.gone.cancel();
                return None;
            };
            self.waiting.extend(messages);
            if !answers.is_empty() {
                room.send(answers.join(&b'\n'));
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
