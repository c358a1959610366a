//! A tool's answer, before any protocol.

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
