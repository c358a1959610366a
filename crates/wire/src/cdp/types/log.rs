//! `Log`: what the browser itself says about a page, such as failed requests and violations.

use serde::Deserialize;

use super::ids::NetworkRequestId;
use super::runtime::{RemoteObject, StackTrace};

command! { Enable = "Log.enable" }

command! { Disable = "Log.disable" }

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    pub source: String,
    pub level: String,
    pub text: String,
    pub category: Option<String>,
    pub timestamp: f64,
    pub url: Option<String>,
    pub line_number: Option<i64>,
    pub stack_trace: Option<StackTrace>,
    pub network_request_id: Option<NetworkRequestId>,
    pub worker_id: Option<String>,
    #[serde(default)]
    pub args: Vec<RemoteObject>,
}

event! { EntryAdded = "Log.entryAdded" { entry: LogEntry } }
