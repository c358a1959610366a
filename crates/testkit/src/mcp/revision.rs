//! The protocol's revisions and what each wants in a request.

use serde_json::{Map, Value, json};

/// A revision of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Revision {
    /// 2024-11-05.
    V2024_11_05,
    /// 2025-03-26.
    V2025_03_26,
    /// 2025-06-18.
    V2025_06_18,
    /// 2025-11-25: the last one with a handshake.
    V2025_11_25,
    /// 2026-07-28: no handshake; every request carries what the handshake used to settle.
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: &[Self] =
        &[Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The revision's name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Whether a connection begins with `initialize`.
    pub fn has_handshake(self) -> bool {
        self < Self::V2026_07_28
    }

    /// The parameters of `initialize`.
    pub fn initialize_params(self) -> Value {
        json!({ "protocolVersion": self.name(), "capabilities": {}, "clientInfo": client_info() })
    }

    /// A request or notification as this revision wants it: `params._meta` where it is required.
    pub fn message(self, id: Option<u64>, method: &str, params: Value) -> Value {
        let mut message = Map::new();
        message.insert("jsonrpc".into(), "2.0".into());
        if let Some(id) = id {
            message.insert("id".into(), id.into());
        }
        message.insert("method".into(), method.into());
        let mut params = params;
        if id.is_some() && !self.has_handshake() {
            self.add_meta(&mut params);
        }
        if !params.is_null() {
            message.insert("params".into(), params);
        }
        Value::Object(message)
    }

    /// The headers that a POST of `message` needs.
    pub fn headers(self, message: &Value) -> Vec<(String, String)> {
        let method = message["method"].as_str().unwrap_or_default();
        let mut headers = vec![
            ("Content-Type".to_owned(), "application/json".to_owned()),
            ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
        ];
        // The header came with 2025-06-18, and an `initialize` has no revision agreed on yet.
        if self >= Self::V2025_06_18 && method != "initialize" {
            headers.push(("MCP-Protocol-Version".to_owned(), self.name().to_owned()));
        }
        if !self.has_handshake() {
            headers.push(("Mcp-Method".to_owned(), method.to_owned()));
            let named = ["name", "uri"].iter().find_map(|key| message["params"][*key].as_str());
            headers.extend(named.map(|name| ("Mcp-Name".to_owned(), name.to_owned())));
        }
        headers
    }

    /// Puts the revision and the client's capabilities beside what `_meta` already holds.
    fn add_meta(self, params: &mut Value) {
        if params.is_null() {
            *params = json!({});
        }
        let Some(params) = params.as_object_mut() else { return };
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        if let Some(meta) = meta.as_object_mut() {
            for (key, value) in [
                ("protocolVersion", json!(self.name())),
                ("clientInfo", client_info()),
                ("clientCapabilities", json!({})),
            ] {
                meta.entry(format!("io.modelcontextprotocol/{key}")).or_insert(value);
            }
        }
    }
}

fn client_info() -> Value {
    json!({ "name": "testkit", "version": env!("CARGO_PKG_VERSION") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_without_handshake_carries_its_context_in_every_request() {
        let revision = Revision::V2026_07_28;
        let call =
            revision.message(Some(1), "tools/call", json!({ "name": "t", "_meta": { "progressToken": 7 } }));
        let meta = &call["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
        assert_eq!(meta["progressToken"], 7);
        let headers = revision.headers(&call);
        for (name, value) in
            [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "t")]
        {
            assert!(headers.contains(&(name.to_owned(), value.to_owned())), "{name}");
        }
    }

    #[test]
    fn an_older_revision_sends_parameters_as_they_are() {
        let list = Revision::V2025_11_25.message(Some(1), "tools/list", Value::Null);
        assert_eq!(list, json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    }
}
