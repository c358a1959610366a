//! The adapter's answers, field by field as the contract has them (seed A, requirement 2).

use serde_json::{Map, Value, json};

/// What the adapter prints, and its exit code.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The JSON object for standard output.
    pub object: Value,
    /// 0 when it did what was asked.
    pub code: u8,
}

impl Answered {
    /// Success.
    #[cfg(unix)]
    pub(crate) fn ok(object: Value) -> Self {
        Self { object: without_nulls(object), code: 0 }
    }

    /// A failure: a name for programs, and words for people.
    pub fn error(error: &str, message: &str) -> Self {
        Self::failed(json!({ "status": "error", "error": error, "message": message }))
    }

    pub(crate) fn failed(object: Value) -> Self {
        Self { object: without_nulls(object), code: 1 }
    }
}

/// What is not known is left out rather than null.
fn without_nulls(object: Value) -> Value {
    match object {
        Value::Object(fields) => {
            Value::Object(fields.into_iter().filter(|(_, value)| !value.is_null()).collect::<Map<_, _>>())
        }
        other => other,
    }
}
