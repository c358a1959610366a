//! Scripts in pages.

use serde_json::Value;

use super::ids::{BrowsingContextId, PreloadScriptId, RealmId, SharedId, UserContextId};
use crate::Raw;

command! {
    AddPreloadScript = "script.addPreloadScript" => PreloadScript { function_declaration: String }
    optional { arguments: Vec<Value>, sandbox: String, user_contexts: Vec<UserContextId> }
}
object! { PreloadScript { script: PreloadScriptId } }
command! {
    CallFunction = "script.callFunction" => Evaluated { function_declaration: String, await_promise: bool, target: Target }
    optional { arguments: Vec<Value>, user_activation: bool, serialization_options: Value }
}
object! {
    /// A realm, or a context and the name of a sandbox in it.
    Target optional { realm: RealmId, context: BrowsingContextId, sandbox: String }
}
object! { SharedReference { shared_id: SharedId } }

/// What a script came to.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    pub realm: RealmId,
    pub result: Option<Answer>,
    pub exception_details: Option<ExceptionDetails>,
}

/// A value; what it holds stays unread.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    pub r#type: String,
    pub shared_id: Option<SharedId>,
    pub value: Option<Raw>,
}

object! {
    ExceptionDetails { text: String, exception: RemoteValue } optional { stack_trace: StackTrace }
}
object! { StackTrace { call_frames: Vec<CallFrame> } }
object! { CallFrame { url: String, function_name: String, line_number: i64, column_number: i64 } }
object! {
    RemoteValue { r#type: String } optional { value: Value, shared_id: SharedId, handle: String }
}
object! { Source { realm: RealmId } optional { context: BrowsingContextId } }

event! {
    RealmCreated = "script.realmCreated" { realm: RealmId, r#type: String }
    optional { context: BrowsingContextId, sandbox: String }
}
event! { Message = "script.message" { channel: String, data: RemoteValue, source: Source } }
event! { RealmDestroyed = "script.realmDestroyed" { realm: RealmId } }
