//! What a failed call means to the engine.

use engine::backend::BackendError;
use wire::bidi::CallError;

/// The error code of a document or frame that is no more.
const LEFT: &str = "no such frame";
/// Those of a node.
const GONE: &[&str] = &["no such node", "no such handle", "stale element reference"];

/// What Firefox says when a document went away while it was asked.
const GONE_MEANWHILE: &[&str] = &[
    "Actor 'MessageHandlerFrame",
    "destroyed before query",
    "can't access dead object",
    "BrowsingContext is null",
    "no longer available",
    "realm is null",
];

/// What Firefox stumbles over when a script was ended from outside: there is neither a value nor an exception.
const ENDED: &str = "right-hand side of 'in' should be an object, got null";

/// The engine's word for `error`.
pub(super) fn refusal(error: CallError) -> BackendError {
    match error {
        CallError::Closed { why } => BackendError::BrowserGone(why.to_string()),
        CallError::Protocol { error, message, .. } if is_gone(&error, &message) => BackendError::DocumentGone,
        // Not as an exception of its own: whoever is told that tries the script in another form.
        CallError::Protocol { method, message, .. } if message.contains(ENDED) => BackendError::Refused {
            request: method.to_owned(),
            reason: "the browser ended the script, which had kept the page busy for too long".to_owned(),
        },
        CallError::Protocol { method, error, message } => {
            BackendError::Refused { request: method.to_owned(), reason: format!("{error}: {message}") }
        }
        CallError::Malformed { method, reason } => {
            BackendError::Refused { request: method.to_owned(), reason }
        }
    }
}

/// Whether the document as a whole went away, and not only a node of it.
pub(super) fn is_left(error: &CallError) -> bool {
    matches!(error, CallError::Protocol { error, message, .. } if means_left(error, message))
}

fn is_gone(error: &str, message: &str) -> bool {
    GONE.contains(&error) || means_left(error, message)
}

fn means_left(error: &str, message: &str) -> bool {
    let meanwhile = || error == "unknown error" && GONE_MEANWHILE.iter().any(|known| message.contains(known));
    error == LEFT || meanwhile()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(error: &str, message: &str) -> BackendError {
        refusal(CallError::Protocol { method: "x.y", error: error.to_owned(), message: message.to_owned() })
    }

    #[test]
    fn a_document_that_went_away_is_told_from_a_refusal() {
        assert_eq!(refused("no such frame", "Realm with id 1 not found"), BackendError::DocumentGone);
        let meanwhile = "AbortError: Actor 'MessageHandlerFrame' destroyed before query was resolved";
        assert_eq!(refused("unknown error", meanwhile), BackendError::DocumentGone);
        assert!(matches!(refused("invalid argument", "x"), BackendError::Refused { .. }));
    }

    #[test]
    fn a_script_that_the_browser_ended_is_told_as_such() {
        let message = "TypeError: right-hand side of 'in' should be an object, got null";
        let told = refused("unknown error", message);
        assert!(
            matches!(&told, BackendError::Refused { reason, .. } if reason.contains("ended the script")),
            "{told:?}"
        );
    }
}
