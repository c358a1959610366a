//! The console.

use super::script::{RemoteValue, Source, StackTrace};

event! {
    EntryAdded = "log.entryAdded" { r#type: String, level: String, source: Source, timestamp: f64 }
    optional { text: String, method: String, args: Vec<RemoteValue>, stack_trace: StackTrace }
}
