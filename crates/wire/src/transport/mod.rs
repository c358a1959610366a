//! Moves whole messages between us and a browser, in order; what they say is nobody's business here.

pub mod endpoint;
pub mod pipe;
pub(crate) mod prompt;
pub mod websocket;

use std::future::Future;
use std::sync::Arc;

use bytes::Bytes;

/// The half of a connection that messages come from.
pub trait Inbound: Send + 'static {
    /// Waits for the next message.
    ///
    /// # Errors
    /// [`Closed`] when there will be none.
    fn receive(&mut self) -> impl Future<Output = Result<Bytes, Closed>> + Send;
}

/// The half of a connection that messages go to.
pub trait Outbound: Send + 'static {
    /// Sends messages in their order, in as few writes as the medium allows, and returns when they are on their way.
    ///
    /// # Errors
    /// [`Closed`] when they can't be sent any more.
    fn send(&mut self, messages: Vec<Bytes>) -> impl Future<Output = Result<(), Closed>> + Send;
}

/// Why a connection is no more. Cloned into the answer of every call that was under way.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Closed {
    /// The other side closed it; a browser that ended or crashed does so too.
    #[error("the browser closed the connection")]
    ByPeer,
    /// The other side closed it and said why.
    #[error("the browser closed the connection: {reason} (code {code})")]
    ByPeerSaying {
        /// RFC 6455, section 7.4.
        code: u16,
        /// Its words.
        reason: String,
    },
    /// We did, or nobody held the connection any more.
    #[error("the connection was closed on our side")]
    ByUs,
    /// A message grew beyond any that a browser sends.
    #[error("a message exceeded {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The system refused to read or write.
    #[error("the connection broke: {0}")]
    Broken(#[source] Arc<std::io::Error>),
    /// The peer does not speak the transport's protocol.
    #[error("the connection broke: {0}")]
    Unintelligible(String),
}

impl From<std::io::Error> for Closed {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe
            | std::io::ErrorKind::ConnectionReset
            | std::io::ErrorKind::UnexpectedEof => Self::ByPeer,
            _ => Self::Broken(Arc::new(error)),
        }
    }
}
