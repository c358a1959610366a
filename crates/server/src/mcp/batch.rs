//! Batches: several messages in one array, answered together in one array (JSON-RPC 2.0, section 6).
//!
//! Of MCP's revisions only 2025-03-26 has them, and there every server must take them. Each transport decides when
//! its client speaks that revision; elsewhere a batch is refused like any message that is none ([`fault`]).

use std::fmt;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ProtocolVersion};
use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::fault::{self, Fault, Refused};

/// The only revision with batches.
pub(crate) const REVISION: ProtocolVersion = ProtocolVersion::V_2025_03_26;

/// The most messages of a batch: an answer is much larger than the shortest message that demands one.
pub(crate) const MOST_MESSAGES: usize = 100;

/// Whether this may be a batch.
pub(crate) fn is_one(bytes: &[u8]) -> bool {
    fault::without_mark(bytes).iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[')
}

/// Cuts a batch into its messages.
///
/// # Errors
/// [`Refused`] for what is no array of at least one and at most [`MOST_MESSAGES`] messages.
pub(crate) fn cut(bytes: &[u8]) -> Result<Vec<&RawValue>, Refused> {
    let refused = |fault| Refused { fault, id: None };
    let entries: Entries<'_> = serde_json::from_str(fault::text(bytes)?)
        .map_err(|error| refused(Fault::NotJson { reason: error.to_string() }))?;
    if entries.count == 0 || entries.count > MOST_MESSAGES {
        return Err(refused(Fault::BatchSize { count: entries.count }));
    }
    Ok(entries.first)
}

/// Reads one message of a batch.
///
/// # Errors
/// [`Refused`] says why it is none, or may not be part of a batch.
pub(crate) fn read(entry: &RawValue) -> Result<ClientJsonRpcMessage, Refused> {
    let message = fault::read(entry.get().as_bytes())?;
    // MCP 2025-03-26, Lifecycle: initialization.
    if let ClientJsonRpcMessage::Request(request) = &message
        && matches!(request.request, ClientRequest::InitializeRequest(_))
    {
        return Err(Refused { fault: Fault::InitializeInBatch, id: Some(request.id.clone()) });
    }
    Ok(message)
}

/// One array of all answers.
pub(crate) fn join(answers: &[Vec<u8>]) -> Vec<u8> {
    [b"[", &answers.join(&b","[..])[..], b"]"].concat()
}

/// An array's first entries, and how many there are.
struct Entries<'a> {
    first: Vec<&'a RawValue>,
    count: usize,
}

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Self::Value, A::Error> {
        let mut first = Vec::new();
        while first.len() < MOST_MESSAGES
            && let Some(entry) = array.next_element()?
        {
            first.push(entry);
        }
        let mut count = first.len();
        while array.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Entries { first, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault_of(batch: &str) -> Fault {
        cut(batch.as_bytes()).expect_err("refused").fault
    }

    #[test]
    fn an_array_is_a_batch_whatever_stands_before_it() {
        for batch in ["[]", " \r\n[1]", "\u{FEFF}[1]"] {
            assert!(is_one(batch.as_bytes()), "{batch}");
        }
        for other in ["", "{}", "x[", "\"[\""] {
            assert!(!is_one(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn a_batch_has_at_least_one_and_not_too_many_messages() {
        assert_eq!(fault_of("[]"), Fault::BatchSize { count: 0 });
        let many = |count: usize| format!("[{}]", vec!["1"; count].join(","));
        assert_eq!(cut(many(MOST_MESSAGES).as_bytes()).expect("cut").len(), MOST_MESSAGES);
        assert_eq!(fault_of(&many(MOST_MESSAGES + 1)), Fault::BatchSize { count: MOST_MESSAGES + 1 });
        for broken in ["[1", "[1]]", "[1,]"] {
            assert!(matches!(fault_of(broken), Fault::NotJson { .. }), "{broken}");
        }
    }

    #[test]
    fn each_message_is_read_or_refused_for_itself() {
        let batch = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}, 5, [],
            {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-03-26",
             "capabilities":{},"clientInfo":{"name":"a","version":"1"}}}]"#;
        let entries = cut(batch).expect("cut");
        assert!(read(entries[0]).is_ok());
        let fault = |at: usize| read(entries[at]).expect_err("refused").fault;
        assert!(matches!(fault(1), Fault::NotARequest { .. }));
        assert_eq!(fault(2), Fault::Batch);
        assert_eq!(fault(3), Fault::InitializeInBatch);
    }

    #[test]
    fn answers_are_joined_to_one_array() {
        assert_eq!(join(&[b"1".to_vec(), b"{}".to_vec()]), b"[1,{}]");
    }
}
