//! Why a browser did not do what it was asked to.

use futures_util::future::BoxFuture;

/// What every request to a browser is: something to wait for that may fail.
///
/// It may be dropped at any time; what the browser was asked to do may then still happen.
pub type Work<'a, T> = BoxFuture<'a, Result<T, BackendError>>;

/// A request to a browser that came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The whole browser is gone: closed, crashed, or its connection broke.
    #[error("the browser is gone: {0}")]
    BrowserGone(String),
    /// The page was closed or its process crashed.
    #[error("the page is gone")]
    PageGone,
    /// The frame was removed.
    #[error("the frame is gone")]
    FrameGone,
    /// The document changed under the question: its answer will never come.
    #[error("the page navigated away")]
    DocumentGone,
    /// A dialog is open and the page answers nothing until it is handled.
    #[error("a dialog is open")]
    DialogOpen,
    /// This browser can't do it.
    #[error("{what} is not supported by this browser; {instead}")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
        /// What to use instead.
        instead: &'static str,
    },
    /// A script of ours or of the user's threw.
    #[error("{message}")]
    Threw {
        /// The exception's text.
        message: String,
        /// Where, if the browser tells.
        stack: Option<String>,
    },
    /// The browser refused, in its own words.
    #[error("the browser refused {request}: {reason}")]
    Refused {
        /// What was asked for, in the protocol's words.
        request: String,
        /// What it said.
        reason: String,
    },
}
