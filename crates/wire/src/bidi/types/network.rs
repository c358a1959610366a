//! Requests and responses.

use serde_json::Value;

use super::ids::{BrowsingContextId, CollectorId, InterceptId, NavigationId, RequestId, UserContextId};

command! {
    AddDataCollector = "network.addDataCollector" => Collector
    { data_types: Vec<&'static str>, max_encoded_data_size: u64 }
}
object! { Collector { collector: CollectorId } }
command! {
    AddIntercept = "network.addIntercept" => Intercept { phases: Vec<&'static str> }
    optional { contexts: Vec<BrowsingContextId> }
}
object! { Intercept { intercept: InterceptId } }
command! { RemoveIntercept = "network.removeIntercept" { intercept: InterceptId } }
command! {
    ContinueWithAuth = "network.continueWithAuth" { request: RequestId, action: &'static str }
}
command! {
    ProvideResponse = "network.provideResponse" { request: RequestId }
    optional { status_code: u16, headers: Vec<Header>, reason_phrase: String, body: BytesValue }
}
command! {
    GetData = "network.getData" => Data { data_type: &'static str, request: RequestId }
    optional { collector: CollectorId }
}
object! { Data { bytes: BytesValue } }
command! {
    SetExtraHeaders = "network.setExtraHeaders" { headers: Vec<Header>, user_contexts: Vec<UserContextId> }
}
command! {
    SetCacheBehavior = "network.setCacheBehavior" { cache_behavior: &'static str, contexts: Vec<BrowsingContextId> }
}
object! { Header { name: String, value: BytesValue } }
object! {
    /// `string`, or `base64`.
    BytesValue { r#type: String, value: String }
}
object! {
    RequestData { request: RequestId, url: String, method: String, headers: Vec<Header> }
    optional { body_size: f64, destination: String, initiator_type: String, timings: Value }
}
object! {
    ResponseData { url: String, status: u16, headers: Vec<Header> }
    optional { status_text: String, mime_type: String, from_cache: bool, bytes_received: f64, protocol: String }
}
event! {
    BeforeRequestSent = "network.beforeRequestSent"
    { is_blocked: bool, redirect_count: u32, request: RequestData, timestamp: f64 }
    optional { context: BrowsingContextId, navigation: NavigationId, user_context: UserContextId, initiator: Value }
}
event! {
    ResponseStarted = "network.responseStarted" { request: RequestData, response: ResponseData, timestamp: f64 }
    optional { context: BrowsingContextId, navigation: NavigationId }
}
event! {
    ResponseCompleted = "network.responseCompleted" { request: RequestData, response: ResponseData, timestamp: f64 }
    optional { context: BrowsingContextId, navigation: NavigationId }
}
event! {
    FetchError = "network.fetchError" { request: RequestData, error_text: String, timestamp: f64 }
    optional { context: BrowsingContextId, navigation: NavigationId }
}
event! {
    AuthRequired = "network.authRequired" { is_blocked: bool, request: RequestData }
}

impl BytesValue {
    pub fn text(text: impl Into<String>) -> Self {
        Self::new("string", text)
    }

    /// The bytes; nothing if they are not what they claim to be.
    pub fn bytes(self) -> Option<Vec<u8>> {
        use base64::Engine;
        match self.r#type.as_str() {
            "base64" => base64::engine::general_purpose::STANDARD.decode(self.value).ok(),
            _ => Some(self.value.into_bytes()),
        }
    }
}
