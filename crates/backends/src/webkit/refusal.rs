//! What a failed call means to the engine.

use engine::backend::BackendError;
use wire::inspector::CallError;

/// What the browser says when the document that a script was to run in is no more.
const NO_DOCUMENT: &[&str] = &[
    "Missing execution context",
    "Missing injected script for given",
    "Could not find InjectedScript",
    "Execution context for given executionContextId not found",
];

/// The engine's word for `error`.
pub(super) fn refusal(error: CallError) -> BackendError {
    match error {
        CallError::Closed { why } => BackendError::BrowserGone(why.to_string()),
        CallError::TargetGone => BackendError::PageGone,
        CallError::Protocol { message, .. } if NO_DOCUMENT.iter().any(|known| message.contains(known)) => {
            BackendError::DocumentGone
        }
        CallError::Protocol { method, message } => {
            BackendError::Refused { request: method.to_owned(), reason: message }
        }
        CallError::Malformed { method, reason } => {
            BackendError::Refused { request: method.to_owned(), reason }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_went_away_is_told_from_a_refusal() {
        let refused = |message: &str| CallError::Protocol { method: "X.y", message: message.to_owned() };
        let gone = refused("Missing injected script for given objectId");
        assert_eq!(refusal(gone), BackendError::DocumentGone);
        assert!(matches!(refusal(refused("Invalid parameters")), BackendError::Refused { .. }));
        assert_eq!(refusal(CallError::TargetGone), BackendError::PageGone);
    }
}
