//! The diagnostic tools that MCP's conformance suite calls. Never part of a release: `cargo xtask conformance` builds
//! the server with them.
//!
//! The suite also asks every server for its prompts and resources. With this feature the server declares both and has
//! none of them; without it, it doesn't declare them, because some clients add tools of their own for a server that
//! does, which costs each conversation tokens.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ErrorData, Tool,
};
use rmcp::service::RequestContext;
use serde_json::{Map, json};

/// Needs a capability that the suite's client doesn't declare.
const MISSING_CAPABILITY: &str = "test_missing_capability";
/// The other tools need only answer: the suite looks at what else is on the stream.
const ANSWERING: &[&str] = &["test_logging_tool", "test_streaming_elicitation"];

/// The tools as `tools/list` shows them.
pub(super) fn listed() -> impl Iterator<Item = Tool> {
    let schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    std::iter::once(&MISSING_CAPABILITY)
        .chain(ANSWERING)
        .map(move |name| Tool::new(*name, "For conformance tests", schema.clone()))
}

/// The answer to a call of one of them.
pub(super) fn answer(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Option<Result<CallToolResponse, ErrorData>> {
    let name = request.name.as_ref();
    if name == MISSING_CAPABILITY && !can_sample(context) {
        let data = json!({ "requiredCapabilities": { "sampling": {} } });
        let code = ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY;
        return Some(Err(ErrorData::new(code, "needs sampling", Some(data))));
    }
    (name == MISSING_CAPABILITY || ANSWERING.contains(&name))
        .then(|| Ok(CallToolResult::success(vec![ContentBlock::text("done")]).into()))
}

fn can_sample(context: &RequestContext<RoleServer>) -> bool {
    let declared = context.client_capabilities().and_then(|can| serde_json::to_value(can).ok());
    declared.is_some_and(|can| can.get("sampling").is_some())
}
