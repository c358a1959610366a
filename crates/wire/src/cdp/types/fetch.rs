//! `Fetch`: requests that stand still until we say how they go on.

use serde::{Deserialize, Serialize};

use super::ids::{FetchRequestId, FrameId, NetworkRequestId, StreamHandle};
use super::network::{Body, Request};
use crate::Blob;

command! { Enable = "Fetch.enable" optional { patterns: Vec<RequestPattern>, handle_auth_requests: bool } }

object! { RequestPattern optional { url_pattern: String, resource_type: String, request_stage: String } }

command! { Disable = "Fetch.disable" }

/// One header; here they are a list, because order and repetition matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderEntry {
    pub name: String,
    pub value: String,
}

command! {
    ContinueRequest = "Fetch.continueRequest" { request_id: FetchRequestId }
    optional { url: String, method: String, post_data: Blob, headers: Vec<HeaderEntry>, intercept_response: bool }
}

command! {
    ContinueResponse = "Fetch.continueResponse" { request_id: FetchRequestId }
    optional { response_code: i64, response_phrase: String, response_headers: Vec<HeaderEntry> }
}

command! {
    FulfillRequest = "Fetch.fulfillRequest" { request_id: FetchRequestId, response_code: i64 }
    optional { response_headers: Vec<HeaderEntry>, body: Blob, response_phrase: String }
}

command! { FailRequest = "Fetch.failRequest" { request_id: FetchRequestId, error_reason: ErrorReason } }

words! {
    ErrorReason {
        Failed = "Failed",
        Aborted = "Aborted",
        TimedOut = "TimedOut",
        AccessDenied = "AccessDenied",
        ConnectionClosed = "ConnectionClosed",
        ConnectionReset = "ConnectionReset",
        ConnectionRefused = "ConnectionRefused",
        ConnectionAborted = "ConnectionAborted",
        ConnectionFailed = "ConnectionFailed",
        NameNotResolved = "NameNotResolved",
        InternetDisconnected = "InternetDisconnected",
        AddressUnreachable = "AddressUnreachable",
        BlockedByClient = "BlockedByClient",
        BlockedByResponse = "BlockedByResponse",
    }
}

command! {
    ContinueWithAuth = "Fetch.continueWithAuth"
    { request_id: FetchRequestId, auth_challenge_response: AuthChallengeResponse }
}

object! { AuthChallengeResponse { response: AuthAnswer } optional { username: String, password: String } }

words! { AuthAnswer { Default = "Default", Cancel = "CancelAuth", Provide = "ProvideCredentials" } }

command! { GetResponseBody = "Fetch.getResponseBody" => Body { request_id: FetchRequestId } }

command! {
    TakeResponseBodyAsStream = "Fetch.takeResponseBodyAsStream" => BodyStream { request_id: FetchRequestId }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BodyStream {
    pub stream: StreamHandle,
}

event! {
    /// Stands at its response if `response_status_code` or `response_error_reason` is there, else at its request.
    RequestPaused = "Fetch.requestPaused"
    { request_id: FetchRequestId, request: Request, frame_id: FrameId, resource_type: String }
    optional {
        response_error_reason: String,
        response_status_code: i64,
        response_status_text: String,
        response_headers: Vec<HeaderEntry>,
        network_id: NetworkRequestId,
        redirected_request_id: FetchRequestId,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AuthChallenge {
    pub source: Option<String>,
    pub origin: String,
    pub scheme: String,
    pub realm: String,
}

event! {
    AuthRequired = "Fetch.authRequired"
    {
        request_id: FetchRequestId,
        request: Request,
        frame_id: FrameId,
        resource_type: String,
        auth_challenge: AuthChallenge,
    }
}
