//! Messages that are no valid JSON-RPC, and what each is answered with.
//!
//! Shared by stdio and HTTP, so that the same nonsense gets the same answer on both.

use rmcp::model::{ClientJsonRpcMessage, RequestId};
use serde_json::{Value, json};

use super::batch;

/// The largest message that is read, on any transport.
pub(crate) const LARGEST_MESSAGE: usize = 16 * 1024 * 1024;

/// Why a message was refused before any handler saw it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum Fault {
    #[error("the message is not UTF-8 (first bad byte at {at})")]
    NotUtf8 { at: usize },
    #[error("the message is not JSON: {reason}")]
    NotJson { reason: String },
    #[error("only revision {} has batches; send each message on its own", batch::REVISION)]
    Batch,
    #[error("a batch has 1 to {} messages, this one has {count}; send fewer at a time", batch::MOST_MESSAGES)]
    BatchSize { count: usize },
    #[error("`initialize` may not be part of a batch; send it on its own")]
    InitializeInBatch,
    #[error("the message is no JSON-RPC 2.0 request, notification or response: {reason}")]
    NotARequest { reason: String },
    #[error("the message is larger than {}, the limit", size(*.limit))]
    TooLarge { limit: usize },
    #[error(
        "`{method}` came before `initialize`; send that first, or `_meta` with \
         io.modelcontextprotocol/protocolVersion (revision 2026-07-28)"
    )]
    NotInitialized { method: String },
    #[error("request id {id} is still in use by an unanswered request; use a new one")]
    IdInUse { id: RequestId },
    #[error("too many requests are going on ({going_on}); wait for replies, then retry")]
    Busy { going_on: usize },
    #[error(
        "the requests that are being answered take up all the room there is; wait for replies, then retry"
    )]
    NoRoom,
    #[error("{reason}")]
    Transport { reason: String },
    /// A refusal that has a name, as in the errors of the tools.
    #[error("{message}")]
    Named { name: &'static str, message: String, suggestion: String, retry_after: Option<u64> },
}

impl Fault {
    /// JSON-RPC 2.0, section 5.1.
    fn code(&self) -> i32 {
        match self {
            Self::NotUtf8 { .. } | Self::NotJson { .. } => -32700,
            Self::Busy { .. } | Self::NoRoom | Self::Named { .. } => -32000,
            Self::Batch
            | Self::BatchSize { .. }
            | Self::InitializeInBatch
            | Self::NotARequest { .. }
            | Self::TooLarge { .. }
            | Self::NotInitialized { .. }
            | Self::IdInUse { .. }
            | Self::Transport { .. } => -32600,
        }
    }

    /// The error response; `id` is null when none could be read (JSON-RPC 2.0, section 5).
    pub(crate) fn response(&self, id: Option<&RequestId>) -> Vec<u8> {
        let id = id.cloned().map_or(Value::Null, RequestId::into_json_value);
        let mut error = json!({ "code": self.code(), "message": self.to_string() });
        if let Self::Named { name, suggestion, retry_after, .. } = self {
            let mut data =
                json!({ "type": name, "errorCode": name.to_ascii_uppercase(), "suggestion": suggestion });
            if let Some(seconds) = retry_after {
                data["retryAfter"] = json!(seconds);
            }
            error["data"] = data;
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string().into_bytes()
    }
}

/// `16 MiB`, or `1000 bytes`.
fn size(bytes: usize) -> String {
    const MEBIBYTE: usize = 1024 * 1024;
    if bytes.is_multiple_of(MEBIBYTE) {
        format!("{} MiB", bytes / MEBIBYTE)
    } else {
        format!("{bytes} bytes")
    }
}

/// A refused message, and the id to answer it with if it had a readable one.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) fault: Fault,
    pub(crate) id: Option<RequestId>,
}

impl Refused {
    /// The error response as it goes on the wire.
    pub(crate) fn response(&self) -> Vec<u8> {
        self.fault.response(self.id.as_ref())
    }
}

/// Reads one message.
///
/// # Errors
/// [`Refused`] says why it is none.
pub(crate) fn read(bytes: &[u8]) -> Result<ClientJsonRpcMessage, Refused> {
    let text = text(bytes)?;
    serde_json::from_str(text).map_err(|error| diagnose(text, &error))
}

/// The text of a message.
///
/// # Errors
/// [`Refused`] when it is not UTF-8.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Refused> {
    std::str::from_utf8(without_mark(bytes))
        .map_err(|error| Refused { fault: Fault::NotUtf8 { at: error.valid_up_to() }, id: None })
}

/// RFC 8259, section 8.1: a parser may ignore a byte order mark, and some Windows tools write one.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Finds out why a text is no message; slow, and only for texts that are none.
fn diagnose(text: &str, error: &serde_json::Error) -> Refused {
    match serde_json::from_str::<Value>(text) {
        Err(syntax) => Refused { fault: Fault::NotJson { reason: syntax.to_string() }, id: None },
        Ok(Value::Array(_)) => Refused { fault: Fault::Batch, id: None },
        Ok(value) => Refused {
            fault: Fault::NotARequest { reason: error.to_string() },
            id: value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: &[u8]) -> Value {
        serde_json::from_slice(&read(bytes).expect_err("refused").response()).expect("JSON")
    }

    #[test]
    fn text_that_is_no_json_is_a_parse_error_without_id() {
        for nonsense in [
            &b"{"[..],
            b"nonsense",
            b"{\"id\":1,}",
            b"\xff\xfe",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\xff\"}",
        ] {
            let answer = refusal(nonsense);
            assert_eq!(answer["error"]["code"], -32700, "{answer}");
            assert!(answer.get("id").is_some_and(Value::is_null), "{answer}");
        }
    }

    #[test]
    fn json_that_is_no_request_is_answered_with_its_id() {
        let answer = refusal(br#"{"id":7,"method":"ping"}"#);
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &json!(7)));
        let answer = refusal(br#"{"jsonrpc":"2.0","id":"a","method":5}"#);
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &json!("a")));
        for idless in [
            &br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#[..],
            br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            b"5",
            b"{}",
        ] {
            let answer = refusal(idless);
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &Value::Null), "{answer}");
        }
    }

    #[test]
    fn a_batch_is_refused_with_what_to_do() {
        let answer = refusal(br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#);
        assert_eq!(answer["error"]["code"], -32600);
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains("on its own")));
    }

    #[test]
    fn nesting_without_end_is_an_error_not_a_stack_overflow() {
        for depth in [126, 127, 128, 200, 100_000] {
            let nested = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"x","arguments":{{"a":{}{}}}}}}}"#,
                "[".repeat(depth),
                "]".repeat(depth)
            );
            assert_eq!(refusal(nested.as_bytes())["error"]["code"], -32700, "depth {depth}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_ignored() {
        assert!(read(b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}").is_ok());
    }
}
