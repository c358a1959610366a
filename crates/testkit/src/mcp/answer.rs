//! What comes back: a result or an error, and what a tool's result holds.

use std::collections::HashMap;

use serde_json::{Value, json};

/// A response, told apart.
pub type Answer = Result<Value, RpcError>;

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// The number.
    pub code: i64,
    /// The sentence.
    pub message: String,
    /// What else there is; null when nothing.
    pub data: Value,
}

impl std::fmt::Display for RpcError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for RpcError {}

/// Tells a response's result from its error.
pub(crate) fn answer(response: &Value) -> Answer {
    match response.get("error") {
        None => Ok(response["result"].clone()),
        Some(error) => Err(RpcError {
            code: error["code"].as_i64().unwrap_or_default(),
            message: error["message"].as_str().unwrap_or_default().to_owned(),
            data: error["data"].clone(),
        }),
    }
}

/// What a server's own request is answered with: a result that the test has set, silence that it has set, or a refusal.
pub(crate) fn reply_to(id: u64, request: &Value, answers: &HashMap<String, Option<Value>>) -> Option<Value> {
    let method = request["method"].as_str().unwrap_or_default();
    let no = json!({ "code": -32601, "message": "testkit does not answer this request" });
    match answers.get(method) {
        Some(Some(result)) => Some(json!({ "jsonrpc": "2.0", "id": id, "result": result })),
        Some(None) => None,
        None => Some(json!({ "jsonrpc": "2.0", "id": id, "error": no })),
    }
}

/// The result of `tools/call`.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult(pub Value);

impl ToolResult {
    /// Whether the tool says that it failed.
    pub fn is_error(&self) -> bool {
        self.0["isError"] == true
    }

    /// The structured content; null when there is none.
    pub fn structured(&self) -> &Value {
        &self.0["structuredContent"]
    }

    /// The texts, one after the other.
    pub fn text(&self) -> String {
        let contents = self.0["content"].as_array().map_or(&[][..], Vec::as_slice);
        let texts = contents.iter().filter_map(|content| content["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The text read as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text()).unwrap_or_default()
    }
}
