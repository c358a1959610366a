//! A tool's answer, before any protocol.

use std::borrow::Cow;

use base::Secrets;
use serde::Serialize;
use serde_json::Value;

/// What a call came back with. A failed call is a reply too: an agent reads it and goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) content: Vec<Content>,
    /// Never set beside an image: several clients then drop the image.
    pub(crate) structured: Option<Value>,
    pub(crate) is_error: bool,
}

/// One piece of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    Text(String),
    Image { data: Vec<u8>, mime: &'static str },
}

impl Reply {
    /// A JSON answer: the same value as compact text and as structured content.
    ///
    /// # Errors
    /// When `value` has no JSON form, such as a map whose keys are not strings.
    pub(crate) fn json(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        Ok(Self::value(serde_json::to_value(value)?, Vec::new(), false))
    }

    /// A text answer, for tools whose results are read, not parsed.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Content::Text(text.into())], structured: None, is_error: false }
    }

    /// Adds an image; what was structured is then in the text only.
    #[must_use]
    pub(crate) fn with_image(mut self, data: Vec<u8>, mime: &'static str) -> Self {
        self.content.push(Content::Image { data, mime });
        self.structured = None;
        self
    }

    /// The same with every secret by its name.
    #[must_use]
    pub(super) fn hiding(mut self, secrets: &Secrets) -> Self {
        if secrets.is_empty() {
            return self;
        }
        for content in &mut self.content {
            if let Content::Text(text) = content
                && let Cow::Owned(hidden) = secrets.hide(text)
            {
                *text = hidden;
            }
        }
        if let Some(value) = &mut self.structured {
            hide(value, secrets);
        }
        self
    }

    /// A failed answer: the structured error, and the images that show it.
    pub(super) fn failed(value: Value, images: Vec<Content>) -> Self {
        Self::value(value, images, true)
    }

    fn value(value: Value, images: Vec<Content>, is_error: bool) -> Self {
        let mut content = vec![Content::Text(value.to_string())];
        let structured = images.is_empty().then_some(value);
        content.extend(images);
        Self { content, structured, is_error }
    }
}

/// Hides secrets in every text of a value, names of fields included.
pub(crate) fn hide(value: &mut Value, secrets: &Secrets) {
    if secrets.is_empty() {
        return;
    }
    match value {
        Value::String(text) => {
            if let Cow::Owned(hidden) = secrets.hide(text) {
                *text = hidden;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, secrets)),
        Value::Object(fields) => {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(name, mut field)| {
                    hide(&mut field, secrets);
                    (secrets.hide(&name).into_owned(), field)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_json_reply_is_the_same_value_twice() {
        let value = json!({"status": "pass", "exit_code": 0});
        let reply = Reply::json(&value).unwrap();
        assert_eq!(reply.content, [Content::Text(r#"{"status":"pass","exit_code":0}"#.to_owned())]);
        assert_eq!(reply.structured, Some(value));
        assert!(!reply.is_error);
    }

    #[test]
    fn a_reply_that_hides_its_secrets_has_them_nowhere() {
        let secrets = Secrets::parse("PASS='a \"quoted\" one'").unwrap();
        let value = json!({"a \"quoted\" one": ["x", {"y": "is a \"quoted\" one."}], "n": 1});
        let hidden = Reply::json(&value).unwrap().hiding(&secrets);
        let expected = json!({"{{secret:PASS}}": ["x", {"y": "is {{secret:PASS}}."}], "n": 1});
        assert_eq!(hidden.structured, Some(expected.clone()));
        assert_eq!(hidden.content, [Content::Text(expected.to_string())]);
    }

    #[test]
    fn a_reply_with_an_image_is_never_structured() {
        let reply = Reply::json(&json!({"a": 1})).unwrap().with_image(vec![1], "image/png");
        assert_eq!(reply.structured, None);
        assert_eq!(reply.content.len(), 2);
        let image = Content::Image { data: vec![1], mime: "image/png" };
        assert_eq!(Reply::failed(json!({"error": {}}), vec![image]).structured, None);
    }
}
