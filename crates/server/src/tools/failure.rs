//! A call that did not do what was asked, told so that the agent can heal it: what, why and what next.
//!
//! The shape is the one of PRODUCT.md for all seeds; the toolbox adds what only it knows (tool, arguments, time).

use base::scope::Interrupted;
use serde_json::{Map, Value};

use super::context::Context;
use super::{Content, ErrorCode, Reply, run};

/// A failed call. Boxed, since it is the error of every step and carries much when it happens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure(Box<Told>);

/// What a failure tells.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    code: ErrorCode,
    message: String,
    session_id: Option<String>,
    suggestion: Option<String>,
    facts: Map<String, Value>,
    details: Map<String, Value>,
    beside: Map<String, Value>,
    recent: Vec<Value>,
    images: Vec<Content>,
}

impl Failure {
    /// What went wrong, in one line.
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(Told {
            code,
            message: message.into(),
            session_id: None,
            suggestion: None,
            facts: Map::new(),
            details: Map::new(),
            beside: Map::new(),
            recent: Vec::new(),
            images: Vec::new(),
        }))
    }

    /// What to do next.
    #[must_use]
    pub(crate) fn suggest(mut self, next: impl Into<String>) -> Self {
        self.0.suggestion = Some(next.into());
        self
    }

    /// The session that it happened in (C8.3).
    #[must_use]
    pub(crate) fn in_session(mut self, id: impl Into<String>) -> Self {
        self.0.session_id = Some(id.into());
        self
    }

    /// Something worth knowing, inside `details` (C8.4).
    #[must_use]
    pub(crate) fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.details.insert(key.to_owned(), value.into());
        self
    }

    /// A fact that seed A's error types show at the level of `error` (`field`, `selector`, `exitCode` …), and that
    /// seed C's clients look for in `details`.
    #[must_use]
    pub(crate) fn fact(mut self, key: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        self.0.facts.insert(key.to_owned(), value.clone());
        self.0.details.insert(key.to_owned(), value);
        self
    }

    /// A field beside `error`: `screenshot`, `serverLogs`, or one of the tool's own, which it then replaces.
    #[must_use]
    pub(crate) fn beside(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.beside.insert(key.to_owned(), value.into());
        self
    }

    /// The session's earlier errors (A5.6).
    #[must_use]
    pub(crate) fn after(mut self, recent: Vec<Value>) -> Self {
        self.0.recent = recent;
        self
    }

    /// The picture of the moment.
    #[must_use]
    pub(crate) fn show(mut self, data: Vec<u8>, mime: &'static str) -> Self {
        self.0.images.push(Content::Image { data, mime });
        self
    }

    /// What kind of failure it is.
    pub(crate) fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The session that it happened in.
    pub(super) fn session_id(&self) -> Option<&str> {
        self.0.session_id.as_deref()
    }

    /// What went wrong.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// Adds a detail unless the handler has already told it.
    pub(super) fn detail_if_untold(&mut self, key: &str, value: impl FnOnce() -> Value) {
        if !self.0.details.contains_key(key) {
            self.0.details.insert(key.to_owned(), value());
        }
    }

    /// The reply, for the call that `context` tells of; `beside` are the tool's own fields beside `error`.
    pub(super) fn into_reply(self, context: Context, beside: Map<String, Value>) -> Reply {
        let told = *self.0;
        let mut error = Map::new();
        error.insert("type".to_owned(), told.code.lower().into());
        error.insert("errorCode".to_owned(), told.code.upper().into());
        error.insert("message".to_owned(), told.message.into());
        error.extend(told.facts);
        error.extend(told.session_id.map(|id| ("sessionId".to_owned(), id.into())));
        if !told.details.is_empty() {
            error.insert("details".to_owned(), told.details.into());
        }
        error.extend(told.suggestion.map(|next| ("suggestion".to_owned(), next.into())));
        error.insert("timestamp".to_owned(), now().into());
        error.insert("context".to_owned(), context.into());
        if !told.recent.is_empty() {
            error.insert("recent".to_owned(), told.recent.into());
        }
        let mut whole = Map::new();
        whole.insert("error".to_owned(), error.into());
        whole.extend(beside);
        whole.extend(told.beside);
        Reply::failed(whole.into(), told.images)
    }
}

/// A wait that `CallScope::race` ended: `scope.race(work).await?`.
impl From<Interrupted> for Failure {
    fn from(why: Interrupted) -> Self {
        match why {
            Interrupted::Cancelled => Self::new(run::CANCELLED, "the call was cancelled"),
            Interrupted::Deadline => Self::new(run::TIMEOUT, "the call reached its time limit"),
        }
    }
}

/// An answer without a JSON form: ours to mend, not the agent's.
impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::new(run::INTERNAL_ERROR, format!("the result can't be written as JSON: {error}"))
    }
}

/// RFC 3339 with milliseconds, as in every timestamp of ours.
pub(crate) fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const BROKEN: ErrorCode = ErrorCode::new("element_not_found", "a test's own code");

    fn told(failure: Failure, args: Value, beside: Value) -> Value {
        let (Value::Object(args), Value::Object(beside)) = (args, beside) else { panic!("objects") };
        failure.into_reply(Context::of("click", &args), beside).structured.unwrap()
    }

    #[test]
    fn a_failure_has_the_one_shape_of_all_seeds() {
        let failure = Failure::new(BROKEN, "no `button`")
            .fact("selector", "button")
            .detail("attempts", 3)
            .in_session("abc")
            .suggest("take a snapshot first")
            .after(vec![json!({"type": "timeout"})])
            .beside("screenshot", json!({"path": "x.png"}));
        let whole = told(failure, json!({"selector": "button"}), json!({"status": "error"}));
        let error = &whole["error"];
        assert_eq!(error["type"], "element_not_found");
        assert_eq!(error["errorCode"], "ELEMENT_NOT_FOUND");
        assert_eq!(error["selector"], "button");
        assert_eq!(error["details"], json!({"selector": "button", "attempts": 3}));
        assert_eq!(error["sessionId"], "abc");
        assert_eq!(error["suggestion"], "take a snapshot first");
        assert_eq!(error["context"], json!({"tool": "click", "args": {"selector": "button"}}));
        assert_eq!(error["recent"], json!([{"type": "timeout"}]));
        assert_eq!(whole["screenshot"]["path"], "x.png");
        assert_eq!(whole["status"], "error");
        let stamp = error["timestamp"].as_str().unwrap();
        assert!(stamp.parse::<jiff::Timestamp>().is_ok() && stamp.len() == 24, "{stamp}");
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let whole = told(Failure::new(BROKEN, "m"), json!({}), json!({}));
        let keys: Vec<_> = whole["error"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(keys, ["type", "errorCode", "message", "timestamp", "context"]);
    }

    #[test]
    fn a_failure_with_a_picture_is_text_and_image_only() {
        let context = Context::of("click", &Map::new());
        let reply = Failure::new(BROKEN, "m").show(vec![0], "image/png").into_reply(context, Map::new());
        assert_eq!((reply.structured, reply.content.len(), reply.is_error), (None, 2, true));
    }
}
