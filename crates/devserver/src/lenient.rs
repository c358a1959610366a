//! Reading single fields of an answer: scripts write numbers as text and truths as words, and are understood.

use serde_json::{Map, Value};

/// An answer of the server command.
pub(crate) type Object = Map<String, Value>;

/// A text that says something.
pub(crate) fn text(object: &Object, name: &str) -> Option<String> {
    match object.get(name)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    }
}

/// A number, or a text that is one.
pub(crate) fn number(object: &Object, name: &str) -> Option<f64> {
    match object.get(name)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(|number: &f64| number.is_finite())
}

/// A whole number from 1 on.
pub(crate) fn count(object: &Object, name: &str) -> Option<u32> {
    let number = number(object, name)?;
    let whole = number.fract() == 0.0 && number >= 1.0 && number <= f64::from(u32::MAX);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked right before")]
    whole.then_some(number as u32)
}

/// A port.
pub(crate) fn port(object: &Object, name: &str) -> Option<u16> {
    count(object, name).and_then(|port| u16::try_from(port).ok())
}

/// A truth, or a word for one.
pub(crate) fn truth(object: &Object, name: &str) -> Option<bool> {
    match object.get(name)? {
        Value::Bool(truth) => Some(*truth),
        Value::String(word) if word.eq_ignore_ascii_case("true") => Some(true),
        Value::String(word) if word.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A field's value as a person reads it: an error may be a text, a number or an object.
pub(crate) fn any(object: &Object, name: &str) -> Option<String> {
    match object.get(name)? {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        other => Some(other.to_string()),
    }
}

/// `status`, in small letters with one kind of dash: `Already-Running` is `already_running`.
pub(crate) fn status(object: &Object) -> Option<String> {
    text(object, "status").map(|status| status.to_ascii_lowercase().replace(['-', ' '], "_"))
}
