//! `Network`: what goes over the net, cookies' shapes, headers and conditions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ids::{FrameId, LoaderId, NetworkRequestId};
use super::runtime::StackTrace;

/// Header names and values; repeated headers are joined by newlines.
pub type Headers = BTreeMap<String, String>;

command! {
    Enable = "Network.enable"
    optional {
        max_total_buffer_size: i64,
        max_resource_buffer_size: i64,
        max_post_data_size: i64,
        enable_durable_messages: bool,
    }
}

command! { Disable = "Network.disable" }

command! { SetExtraHttpHeaders = "Network.setExtraHTTPHeaders" { headers: Headers } }

command! { SetCacheDisabled = "Network.setCacheDisabled" { cache_disabled: bool } }

command! { SetBypassServiceWorker = "Network.setBypassServiceWorker" { bypass: bool } }

command! { SetBlockedUrls = "Network.setBlockedURLs" optional { url_patterns: Vec<BlockPattern> } }

object! { BlockPattern { url_pattern: String, block: bool } }

command! {
    /// Deprecated, but every Chromium in use knows it; its successors are experimental.
    EmulateNetworkConditions = "Network.emulateNetworkConditions"
    { offline: bool, latency: f64, download_throughput: f64, upload_throughput: f64 }
    optional { connection_type: String }
}

command! { GetResponseBody = "Network.getResponseBody" => Body { request_id: NetworkRequestId } }

/// A body as text, or as base64 where it is not text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    pub body: String,
    pub base64_encoded: bool,
}

command! { GetRequestPostData = "Network.getRequestPostData" => PostData { request_id: NetworkRequestId } }

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostData {
    pub post_data: String,
    /// Older browsers don't say, and send text.
    #[serde(default)]
    pub base64_encoded: bool,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    pub url: String,
    pub url_fragment: Option<String>,
    pub method: String,
    pub headers: Headers,
    pub post_data: Option<String>,
    pub has_post_data: Option<bool>,
    pub initial_priority: Option<String>,
    pub referrer_policy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    pub url: String,
    pub status: i64,
    pub status_text: String,
    pub headers: Headers,
    pub mime_type: String,
    pub charset: Option<String>,
    pub request_headers: Option<Headers>,
    #[serde(rename = "remoteIPAddress")]
    pub remote_ip_address: Option<String>,
    pub remote_port: Option<i64>,
    pub from_disk_cache: Option<bool>,
    pub from_service_worker: Option<bool>,
    pub from_prefetch_cache: Option<bool>,
    pub encoded_data_length: Option<f64>,
    pub timing: Option<ResourceTiming>,
    pub protocol: Option<String>,
    pub security_state: Option<String>,
    pub security_details: Option<SecurityDetails>,
}

/// Seconds for `request_time`, milliseconds after it for the rest; -1 for what did not happen.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTiming {
    pub request_time: f64,
    pub dns_start: f64,
    pub dns_end: f64,
    pub connect_start: f64,
    pub connect_end: f64,
    pub ssl_start: f64,
    pub ssl_end: f64,
    pub send_start: f64,
    pub send_end: f64,
    pub receive_headers_start: Option<f64>,
    pub receive_headers_end: f64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SecurityDetails {
    pub protocol: String,
    pub subject_name: String,
    pub issuer: String,
    pub valid_from: f64,
    pub valid_to: f64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Initiator {
    pub r#type: String,
    pub url: Option<String>,
    pub line_number: Option<f64>,
    pub column_number: Option<f64>,
    pub stack: Option<StackTrace>,
    pub request_id: Option<NetworkRequestId>,
}

event! {
    RequestWillBeSent = "Network.requestWillBeSent"
    {
        request_id: NetworkRequestId,
        loader_id: LoaderId,
        #[serde(rename = "documentURL")]
        document_url: String,
        request: Request,
        timestamp: f64,
        wall_time: f64,
        initiator: Initiator,
    }
    optional {
        redirect_has_extra_info: bool,
        redirect_response: Response,
        r#type: String,
        frame_id: FrameId,
        has_user_gesture: bool,
    }
}

event! {
    RequestWillBeSentExtraInfo = "Network.requestWillBeSentExtraInfo"
    { request_id: NetworkRequestId, headers: Headers }
}

event! {
    ResponseReceived = "Network.responseReceived"
    {
        request_id: NetworkRequestId,
        loader_id: LoaderId,
        timestamp: f64,
        r#type: String,
        response: Response,
        has_extra_info: bool,
    }
    optional { frame_id: FrameId }
}

event! {
    ResponseReceivedExtraInfo = "Network.responseReceivedExtraInfo"
    { request_id: NetworkRequestId, headers: Headers, status_code: i64 }
    optional { headers_text: String }
}

event! { RequestServedFromCache = "Network.requestServedFromCache" { request_id: NetworkRequestId } }

event! {
    LoadingFinished = "Network.loadingFinished"
    { request_id: NetworkRequestId, timestamp: f64, encoded_data_length: f64 }
}

event! {
    LoadingFailed = "Network.loadingFailed"
    { request_id: NetworkRequestId, timestamp: f64, r#type: String, error_text: String }
    optional { canceled: bool, blocked_reason: String }
}

event! {
    DataReceived = "Network.dataReceived"
    { request_id: NetworkRequestId, timestamp: f64, data_length: i64, encoded_data_length: i64 }
}

event! { WebSocketCreated = "Network.webSocketCreated" { request_id: NetworkRequestId, url: String } }

event! {
    WebSocketWillSendHandshakeRequest = "Network.webSocketWillSendHandshakeRequest"
    { request_id: NetworkRequestId, timestamp: f64, wall_time: f64, request: WebSocketRequest }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct WebSocketRequest {
    pub headers: Headers,
}

event! {
    WebSocketHandshakeResponseReceived = "Network.webSocketHandshakeResponseReceived"
    { request_id: NetworkRequestId, timestamp: f64, response: WebSocketResponse }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketResponse {
    pub status: i64,
    pub status_text: String,
    pub headers: Headers,
}

event! {
    WebSocketFrameError = "Network.webSocketFrameError"
    { request_id: NetworkRequestId, timestamp: f64, error_message: String }
}

event! {
    WebSocketFrameSent = "Network.webSocketFrameSent"
    { request_id: NetworkRequestId, timestamp: f64, response: WebSocketFrame }
}

event! {
    WebSocketFrameReceived = "Network.webSocketFrameReceived"
    { request_id: NetworkRequestId, timestamp: f64, response: WebSocketFrame }
}

event! { WebSocketClosed = "Network.webSocketClosed" { request_id: NetworkRequestId, timestamp: f64 } }

/// Text for opcode 1, base64 otherwise.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSocketFrame {
    pub opcode: f64,
    pub payload_data: String,
}

words! { CookieSameSite { Strict = "Strict", Lax = "Lax", None = "None" } }

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    pub name: String,
    pub value: String,
    pub domain: String,
    pub path: String,
    /// Seconds since 1970, -1 for a session cookie.
    pub expires: f64,
    pub http_only: bool,
    pub secure: bool,
    pub session: bool,
    pub same_site: Option<CookieSameSite>,
    pub partition_key: Option<CookiePartitionKey>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CookiePartitionKey {
    pub top_level_site: String,
    pub has_cross_site_ancestor: bool,
}

object! {
    CookieParam { name: String, value: String }
    optional {
        url: String,
        domain: String,
        path: String,
        secure: bool,
        http_only: bool,
        same_site: CookieSameSite,
        expires: f64,
        partition_key: CookiePartitionKey,
    }
}

command! { GetCookies = "Network.getCookies" => Cookies optional { urls: Vec<String> } }

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Cookies {
    pub cookies: Vec<Cookie>,
}

command! {
    DeleteCookies = "Network.deleteCookies" { name: String }
    optional { url: String, domain: String, path: String, partition_key: CookiePartitionKey }
}
