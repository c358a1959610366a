//! Requests and responses in the engine's words.

use engine::backend::{Request, RequestId, ResourceKind, Response, Timing};
use wire::cdp::types::network;

/// Headers as a list; those that came several times were joined by newlines.
pub(super) fn list(headers: network::Headers) -> Vec<(String, String)> {
    let split = |(name, values): (String, String)| {
        values.split('\n').map(|value| (name.clone(), value.to_owned())).collect::<Vec<_>>()
    };
    headers.into_iter().flat_map(split).collect()
}

pub(super) fn head(
    id: &RequestId,
    response: network::Response,
    headers: Option<network::Headers>,
    from_memory: bool,
) -> Response {
    let flag = |flag: Option<bool>| flag.unwrap_or(false);
    let from_cache = from_memory
        || flag(response.from_disk_cache)
        || flag(response.from_service_worker)
        || flag(response.from_prefetch_cache);
    let remote = response.remote_ip_address.filter(|address| !address.is_empty());
    let remote = remote.map(|address| match response.remote_port {
        Some(port) => format!("{address}:{port}"),
        None => address,
    });
    Response {
        id: id.clone(),
        url: response.url,
        status: u16::try_from(response.status).unwrap_or_default(),
        status_text: response.status_text,
        headers: list(headers.unwrap_or(response.headers)),
        mime: response.mime_type,
        from_cache,
        remote,
        timing: response.timing.map(|timing| Timing {
            dns_start: timing.dns_start,
            dns_end: timing.dns_end,
            connect_start: timing.connect_start,
            connect_end: timing.connect_end,
            send_start: timing.send_start,
            receive_headers_end: timing.receive_headers_end,
        }),
    }
}

pub(super) fn socket_request(id: RequestId, url: String) -> Request {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Request {
        id,
        frame: None,
        navigation: None,
        url,
        method: "GET".to_owned(),
        kind: ResourceKind::WebSocket,
        headers: Vec::new(),
        has_body: false,
        redirected: false,
        // The browser does not tell when.
        at: since.map(|since| since.as_secs_f64()).unwrap_or_default(),
    }
}

pub(super) fn socket_response(id: RequestId, response: network::WebSocketResponse) -> Response {
    Response {
        id,
        url: String::new(),
        status: u16::try_from(response.status).unwrap_or_default(),
        status_text: response.status_text,
        headers: list(response.headers),
        mime: String::new(),
        from_cache: false,
        remote: None,
        timing: None,
    }
}

pub(super) fn kind(word: Option<&str>) -> ResourceKind {
    match word.unwrap_or_default() {
        "Document" => ResourceKind::Document,
        "Stylesheet" => ResourceKind::Stylesheet,
        "Image" => ResourceKind::Image,
        "Media" | "TextTrack" => ResourceKind::Media,
        "Font" => ResourceKind::Font,
        "Script" => ResourceKind::Script,
        "XHR" => ResourceKind::Xhr,
        "Fetch" => ResourceKind::Fetch,
        "EventSource" => ResourceKind::EventSource,
        "WebSocket" => ResourceKind::WebSocket,
        "Manifest" => ResourceKind::Manifest,
        "Ping" | "CSPViolationReport" => ResourceKind::Ping,
        "Preflight" => ResourceKind::Preflight,
        _ => ResourceKind::Other,
    }
}
