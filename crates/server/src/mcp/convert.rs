//! The tools' words in MCP's.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, Tool, ToolAnnotations};
use serde_json::Value;

use crate::tools::{Content, ListedTool, Reply};

/// A tool as `tools/list` shows it.
pub(super) fn tool(listed: &ListedTool) -> Tool {
    let tool = Tool::new(listed.name.clone(), listed.description.clone(), listed.input_schema.clone())
        .with_annotations(annotations(listed));
    let tool = if listed.title.is_empty() { tool } else { tool.with_title(listed.title) };
    match &listed.output_schema {
        Some(schema) => tool.with_raw_output_schema(Arc::new(schema.clone())),
        None => tool,
    }
}

/// What differs from what MCP lets a client assume (2025-11-25, ToolAnnotations): whatever is listed, every
/// conversation pays. What only reads can't destroy, so that nothing more needs to be said of it.
fn annotations(listed: &ListedTool) -> ToolAnnotations {
    let mut annotations = ToolAnnotations::new();
    if listed.read_only {
        annotations = annotations.read_only(true);
    } else {
        annotations.destructive_hint = (!listed.destructive).then_some(false);
        annotations.idempotent_hint = listed.idempotent.then_some(true);
    }
    annotations.open_world_hint = (!listed.open_world).then_some(false);
    annotations
}

/// A reply as `tools/call` answers it.
pub(super) fn result(reply: Reply) -> CallToolResult {
    let mut result = CallToolResult::default();
    result.content = reply.content.into_iter().map(block).collect();
    result.structured_content = reply.structured;
    result.is_error = Some(reply.is_error);
    result
}

fn block(content: Content) -> ContentBlock {
    match content {
        Content::Text(text) => ContentBlock::text(text),
        Content::Image { data, mime } => ContentBlock::image(STANDARD.encode(data), mime),
    }
}

/// The one line that a failed reply has for a reader: its error's message, or else its text.
pub(super) fn message(reply: &Reply) -> Option<String> {
    let text = reply.content.iter().find_map(|content| match content {
        Content::Text(text) => Some(text),
        Content::Image { .. } => None,
    })?;
    let parsed: Option<Value> = serde_json::from_str(text).ok();
    let message = parsed.as_ref().and_then(|value| value.pointer("/error/message")).and_then(Value::as_str);
    Some(message.unwrap_or(text).to_owned())
}
