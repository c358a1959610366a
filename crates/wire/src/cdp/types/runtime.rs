//! `Runtime`: scripts, remote objects, execution contexts, the console.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ids::{ExecutionContextId, FrameId, RemoteObjectId, UniqueContextId};
use crate::Raw;

command! { Enable = "Runtime.enable" }

command! { Disable = "Runtime.disable" }

command! { RunIfWaitingForDebugger = "Runtime.runIfWaitingForDebugger" }

command! {
    Evaluate = "Runtime.evaluate" => Evaluated { expression: String }
    optional {
        object_group: String,
        #[serde(rename = "includeCommandLineAPI")]
        include_command_line_api: bool,
        silent: bool,
        context_id: ExecutionContextId,
        return_by_value: bool,
        generate_preview: bool,
        user_gesture: bool,
        await_promise: bool,
        throw_on_side_effect: bool,
        timeout: f64,
        repl_mode: bool,
        unique_context_id: UniqueContextId,
        serialization_options: SerializationOptions,
    }
}

command! {
    CallFunctionOn = "Runtime.callFunctionOn" => Evaluated { function_declaration: String }
    optional {
        object_id: RemoteObjectId,
        arguments: Vec<CallArgument>,
        silent: bool,
        return_by_value: bool,
        generate_preview: bool,
        user_gesture: bool,
        await_promise: bool,
        execution_context_id: ExecutionContextId,
        object_group: String,
        throw_on_side_effect: bool,
        unique_context_id: UniqueContextId,
        serialization_options: SerializationOptions,
    }
}

command! {
    /// The same, for an answer that is handed on unread.
    CallForJson = "Runtime.callFunctionOn" => CalledForJson { function_declaration: String }
    optional {
        object_id: RemoteObjectId,
        arguments: Vec<CallArgument>,
        return_by_value: bool,
        user_gesture: bool,
        await_promise: bool,
        execution_context_id: ExecutionContextId,
        unique_context_id: UniqueContextId,
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CalledForJson {
    pub result: RawObject,
    pub exception_details: Option<ExceptionDetails>,
}

/// The value of a result as it came; absent for `undefined` and for what JSON can't say.
#[derive(Debug, Clone, Deserialize)]
pub struct RawObject {
    pub value: Option<Raw>,
}

/// One argument: a value, a number that JSON can't say (`NaN`, `-0`, `7n`), an object, or `undefined` if all are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallArgument {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unserializable_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_id: Option<RemoteObjectId>,
}

impl CallArgument {
    /// A plain value.
    pub fn value(value: impl Into<Value>) -> Self {
        Self { value: Some(value.into()), ..Self::default() }
    }

    /// A remote object.
    pub fn object(id: impl Into<RemoteObjectId>) -> Self {
        Self { object_id: Some(id.into()), ..Self::default() }
    }
}

words! { Serialization { Deep = "deep", Json = "json", IdOnly = "idOnly" } }

object! {
    SerializationOptions { serialization: Serialization } optional { max_depth: i64, additional_parameters: Value }
}

/// What a script gave.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluated {
    pub result: RemoteObject,
    pub exception_details: Option<ExceptionDetails>,
}

object! {
    RemoteObject { r#type: String }
    optional {
        subtype: String,
        class_name: String,
        value: Value,
        unserializable_value: String,
        description: String,
        deep_serialized_value: Value,
        object_id: RemoteObjectId,
        preview: Value,
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionDetails {
    pub exception_id: i64,
    pub text: String,
    pub line_number: i64,
    pub column_number: i64,
    pub script_id: Option<String>,
    pub url: Option<String>,
    pub stack_trace: Option<StackTrace>,
    pub exception: Option<RemoteObject>,
    pub execution_context_id: Option<ExecutionContextId>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackTrace {
    pub description: Option<String>,
    pub call_frames: Vec<CallFrame>,
    pub parent: Option<Box<Self>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFrame {
    pub function_name: String,
    pub script_id: String,
    pub url: String,
    pub line_number: i64,
    pub column_number: i64,
}

command! { GetProperties = "Runtime.getProperties" => Properties { object_id: RemoteObjectId }
    optional { own_properties: bool, accessor_properties_only: bool, generate_preview: bool }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Properties {
    pub result: Vec<PropertyDescriptor>,
    pub exception_details: Option<ExceptionDetails>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PropertyDescriptor {
    pub name: String,
    pub value: Option<RemoteObject>,
    #[serde(default)]
    pub enumerable: bool,
}

command! { AwaitPromise = "Runtime.awaitPromise" => Evaluated { promise_object_id: RemoteObjectId }
    optional { return_by_value: bool }
}

command! { ReleaseObject = "Runtime.releaseObject" { object_id: RemoteObjectId } }

command! { ReleaseObjectGroup = "Runtime.releaseObjectGroup" { object_group: String } }

command! { TerminateExecution = "Runtime.terminateExecution" }

command! { AddBinding = "Runtime.addBinding" { name: String } optional { execution_context_name: String } }

command! { RemoveBinding = "Runtime.removeBinding" { name: String } }

event! {
    BindingCalled = "Runtime.bindingCalled"
    { name: String, payload: String, execution_context_id: ExecutionContextId }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecutionContextDescription {
    pub id: ExecutionContextId,
    pub origin: String,
    pub name: String,
    pub unique_id: UniqueContextId,
    pub aux_data: Option<ContextOwner>,
}

/// What a page's contexts carry as `auxData`; a worker's carry none.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextOwner {
    pub frame_id: Option<FrameId>,
    #[serde(default)]
    pub is_default: bool,
    pub r#type: Option<String>,
}

event! { ExecutionContextCreated = "Runtime.executionContextCreated" { context: ExecutionContextDescription } }

event! {
    ExecutionContextDestroyed = "Runtime.executionContextDestroyed"
    optional { execution_context_id: ExecutionContextId, execution_context_unique_id: UniqueContextId }
}

event! { ExecutionContextsCleared = "Runtime.executionContextsCleared" }

event! {
    ConsoleApiCalled = "Runtime.consoleAPICalled"
    { r#type: String, args: Vec<RemoteObject>, execution_context_id: ExecutionContextId, timestamp: f64 }
    optional { stack_trace: StackTrace, context: String }
}

event! {
    ExceptionThrown = "Runtime.exceptionThrown" { timestamp: f64, exception_details: ExceptionDetails }
}

event! { ExceptionRevoked = "Runtime.exceptionRevoked" { reason: String, exception_id: i64 } }
