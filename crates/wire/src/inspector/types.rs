//! What commands answer and events carry, as far as anybody reads it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::Raw;

/// Declares structures that are read from the protocol's `camelCase`.
macro_rules! read {
    ($($(#[$doc:meta])* $name:ident { $($(#[$meta:meta])* $field:ident: $type:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Deserialize)]
            #[serde(rename_all = "camelCase")]
            #[allow(missing_docs, reason = "the protocol's own words")]
            pub struct $name { $($(#[$meta])* pub $field: $type,)* }
        )*
    };
}

/// Header names and values.
pub type Headers = BTreeMap<String, String>;

read! {
    /// `Page.frameNavigated`
    FrameNavigated { frame: Frame }
    /// A frame as `Page` tells of it.
    Frame {
        id: String,
        parent_id: Option<String>,
        loader_id: String,
        url: String,
    }
    /// `Page.getResourceTree`
    ResourceTree { frame_tree: FrameTree }
    /// A frame and those in it.
    FrameTree {
        frame: Frame,
        #[serde(default)]
        child_frames: Vec<FrameTree>,
    }
    /// `Page.frameStartedLoading`, `frameStoppedLoading`, `frameDetached` …
    OfFrame { frame_id: String }
    /// `Page.frameScheduledNavigation`, in so many seconds.
    Scheduled { frame_id: String, delay: f64 }
    /// `Network.dataReceived`
    OfRequest { request_id: String }
    /// What `Runtime.parse` finds: `none`, or which kind of error.
    Parsed { result: String, message: Option<String> }
    /// `Runtime.executionContextCreated`
    ContextCreated { context: ContextInfo }
    /// A world of scripts.
    ContextInfo {
        id: i64,
        r#type: String,
        frame_id: String,
    }
    /// `Runtime.evaluate`, `Runtime.callFunctionOn`
    Evaluated {
        result: RemoteObject,
        #[serde(default)]
        was_thrown: bool,
    }
    /// The same, with the value left unread.
    EvaluatedRaw {
        result: RawObject,
        #[serde(default)]
        was_thrown: bool,
    }
    /// A value or an object, by value.
    RawObject {
        value: Option<Raw>,
        description: Option<String>,
    }
    /// A value or an object.
    RemoteObject {
        r#type: String,
        subtype: Option<String>,
        class_name: Option<String>,
        value: Option<Value>,
        description: Option<String>,
        object_id: Option<String>,
        preview: Option<Value>,
    }
    /// `Worker.workerCreated`
    OfWorker { worker_id: String }
    /// `Worker.dispatchMessageFromWorker`: what the worker said, as text.
    FromWorker { message: String }
    /// An event of a worker's.
    WorkerEvent { method: String, params: MessageAdded }
    /// `Console.messageAdded`
    MessageAdded { message: ConsoleMessage }
    /// A line of the console.
    ConsoleMessage {
        source: String,
        level: String,
        text: String,
        r#type: Option<String>,
        url: Option<String>,
        line: Option<i64>,
        column: Option<i64>,
        timestamp: Option<f64>,
        #[serde(default)]
        parameters: Vec<RemoteObject>,
        stack_trace: Option<StackTrace>,
        network_request_id: Option<String>,
    }
    /// Where a script was.
    StackTrace {
        #[serde(default)]
        call_frames: Vec<CallFrame>,
    }
    /// One place of it.
    CallFrame {
        url: String,
        line_number: i64,
        column_number: i64,
    }
    /// `Console.messageRepeatCountUpdated`
    MessageRepeated { count: u64, timestamp: Option<f64> }
    /// `Network.requestWillBeSent`
    RequestWillBeSent {
        request_id: String,
        frame_id: String,
        loader_id: String,
        request: Request,
        walltime: f64,
        redirect_response: Option<Response>,
        r#type: Option<String>,
        target_id: Option<String>,
    }
    /// A request.
    Request {
        url: String,
        method: String,
        #[serde(default)]
        headers: Headers,
        post_data: Option<String>,
    }
    /// `Network.responseReceived`
    ResponseReceived { request_id: String, response: Response }
    /// The head of a response.
    Response {
        url: String,
        status: i64,
        status_text: String,
        #[serde(default)]
        headers: Headers,
        mime_type: String,
        source: Option<String>,
        timing: Option<Timing>,
        request_headers: Option<Headers>,
    }
    /// When what happened, in milliseconds from the start.
    Timing {
        #[serde(default)]
        domain_lookup_start: f64,
        #[serde(default)]
        domain_lookup_end: f64,
        #[serde(default)]
        connect_start: f64,
        #[serde(default)]
        connect_end: f64,
        #[serde(default)]
        request_start: f64,
        #[serde(default)]
        response_start: f64,
    }
    /// `Network.loadingFinished`
    LoadingFinished { request_id: String, metrics: Option<Metrics> }
    /// What is known of a request in the end.
    Metrics {
        remote_address: Option<String>,
        request_headers: Option<Headers>,
        response_body_bytes_received: Option<f64>,
        response_header_bytes_received: Option<f64>,
    }
    /// `Network.loadingFailed`
    LoadingFailed {
        request_id: String,
        error_text: String,
        #[serde(default)]
        canceled: bool,
    }
    /// `Network.requestServedFromMemoryCache`
    ServedFromMemory {
        request_id: String,
        frame_id: String,
        loader_id: String,
        timestamp: f64,
        resource: CachedResource,
    }
    /// What came from memory.
    CachedResource {
        url: String,
        r#type: String,
        response: Option<Response>,
    }
    /// `Network.requestIntercepted`
    RequestIntercepted { request_id: String, request: Request }
    /// `Network.getResponseBody`
    Body { body: String, base64_encoded: bool }
    /// `Network.webSocketCreated`
    SocketCreated { request_id: String, url: String }
    /// `Network.webSocketHandshakeResponseReceived`
    SocketShaken { request_id: String, response: SocketResponse }
    /// A socket's answer.
    SocketResponse {
        status: i64,
        status_text: String,
        #[serde(default)]
        headers: Headers,
    }
    /// `Network.webSocketClosed`
    SocketClosed { request_id: String }
    /// `Network.webSocketFrameError`
    SocketFailed { request_id: String, error_message: String }
    /// `Page.getCookies`
    Cookies { cookies: Vec<Cookie> }
    /// A cookie.
    Cookie {
        name: String,
        value: String,
        domain: String,
        path: String,
        expires: f64,
        session: bool,
        http_only: bool,
        secure: bool,
        same_site: String,
    }
    /// `Page.snapshotRect`
    Snapshot {
        #[serde(rename = "dataURL")]
        data_url: String,
    }
    /// `Automation.createBrowsingContext`
    Created { handle: String }
    /// `Automation.getBrowsingContexts`
    BrowsingContexts { contexts: Vec<BrowsingContext> }
    /// A window or tab.
    BrowsingContext { handle: String }
    /// `Automation.getBrowsingContext`
    Window { context: WindowFrame }
    /// A window's place on the screen, as far as anybody asks.
    WindowFrame { window_size: WindowSize }
    /// In pixels of CSS.
    WindowSize { width: f64, height: f64 }
    /// `Automation.fileChooserDismissed`
    OfHandle { browsing_context_handle: String }
}

impl FromWorker {
    /// The line of the console that it is, if it is one.
    pub fn console(&self) -> Option<ConsoleMessage> {
        let event: WorkerEvent = serde_json::from_str(&self.message).ok()?;
        (event.method == "Console.messageAdded").then_some(event.params.message)
    }
}
