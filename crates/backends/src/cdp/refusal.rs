//! What a failed call means to the engine.

use engine::backend::BackendError;
use wire::cdp::CallError;

/// What the browser says when the document that a script was to run in is no more.
const NO_DOCUMENT: &[&str] = &[
    "Cannot find context with specified id",
    "uniqueContextId not found",
    "Cannot find default execution context",
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "Could not find object with given id",
    "Argument should belong to the same JavaScript world as target object",
    "Node with given id does not belong to the document",
];

/// Where a call was sent to: it decides what the end of its session means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The browser or the page as a whole.
    Page,
    /// A frame, which may have moved to another process meanwhile.
    Frame,
}

/// The engine's word for `error`.
pub(super) fn refusal(error: CallError, place: Place) -> BackendError {
    match error {
        CallError::Closed { why } => BackendError::BrowserGone(why.to_string()),
        CallError::SessionGone if place == Place::Page => BackendError::PageGone,
        // The frame is gone, or in another process with another session: the engine asks again and learns which.
        CallError::SessionGone => BackendError::DocumentGone,
        CallError::Protocol { message, .. } if NO_DOCUMENT.iter().any(|known| message.contains(known)) => {
            BackendError::DocumentGone
        }
        CallError::Protocol { message, .. } if message.contains("Execution was terminated") => {
            BackendError::Threw { message: "the script was interrupted".to_owned(), stack: None }
        }
        CallError::Protocol { message, .. } if message.contains("Promise was collected") => {
            let message = "the script waits for a promise that nothing can settle any more".to_owned();
            BackendError::Threw { message, stack: None }
        }
        CallError::Protocol { method, message, data, .. } => {
            let reason = data.map_or_else(|| message.clone(), |data| format!("{message}: {data}"));
            BackendError::Refused { request: method.to_owned(), reason }
        }
        CallError::Malformed { method, reason } => {
            BackendError::Refused { request: method.to_owned(), reason }
        }
    }
}

/// A refusal of the page's or the browser's.
pub(super) fn of_page(error: CallError) -> BackendError {
    refusal(error, Place::Page)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(message: &str) -> CallError {
        CallError::Protocol { method: "X.y", code: -32000, message: message.to_owned(), data: None }
    }

    #[test]
    fn a_document_that_went_away_is_told_from_a_refusal() {
        assert_eq!(of_page(refused("Inspected target navigated or closed")), BackendError::DocumentGone);
        assert!(matches!(of_page(refused("Invalid parameters")), BackendError::Refused { .. }));
    }

    #[test]
    fn the_end_of_a_session_means_what_the_session_was() {
        assert_eq!(of_page(CallError::SessionGone), BackendError::PageGone);
        assert_eq!(refusal(CallError::SessionGone, Place::Frame), BackendError::DocumentGone);
    }
}
