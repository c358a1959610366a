//! Requests and responses in the engine's words.

use engine::backend::{FrameId, Request, RequestId, ResourceKind, Response, Timing};
use serde_json::Value;
use wire::bidi::types::network::{BeforeRequestSent, Header, RequestData, ResponseData};

pub(super) fn list(headers: &[Header]) -> Vec<(String, String)> {
    let text = |header: &Header| {
        let value = header.value.clone().bytes().unwrap_or_default();
        (header.name.to_ascii_lowercase(), String::from_utf8_lossy(&value).into_owned())
    };
    headers.iter().map(text).collect()
}

pub(super) fn request(frame: FrameId, sent: BeforeRequestSent) -> Request {
    let data = sent.request;
    let kind = kind(&data);
    Request {
        id: data.request.as_str().into(),
        frame: Some(frame),
        navigation: sent.navigation.map(|navigation| navigation.as_str().into()),
        kind,
        headers: list(&data.headers),
        has_body: data.body_size.is_some_and(|size| size > 0.0),
        redirected: sent.redirect_count > 0,
        url: address(kind, data.url),
        method: data.method,
        at: sent.timestamp / 1000.0,
    }
}

pub(super) fn response(id: RequestId, request: &RequestData, response: ResponseData) -> Response {
    let mime = response.mime_type.unwrap_or_default();
    Response {
        id,
        url: response.url,
        status: response.status,
        status_text: response.status_text.unwrap_or_default(),
        headers: list(&response.headers),
        mime: mime.split(';').next().unwrap_or_default().trim().to_owned(),
        from_cache: response.from_cache.unwrap_or(false),
        // The protocol does not tell who answered.
        remote: None,
        timing: request.timings.as_ref().and_then(timing),
    }
}

/// From the request's start; a moment that is 0 did not happen.
fn timing(timings: &Value) -> Option<Timing> {
    let moment = |name: &str| timings[name].as_f64().filter(|moment| *moment > 0.0);
    let start = moment("requestTime").or_else(|| moment("fetchStart"))?;
    let since = |name: &str| moment(name).map_or(-1.0, |moment| (moment - start).max(0.0));
    Some(Timing {
        dns_start: since("dnsStart"),
        dns_end: since("dnsEnd"),
        connect_start: since("connectStart"),
        connect_end: since("connectEnd"),
        send_start: since("requestStart"),
        receive_headers_end: since("responseStart"),
    })
}

fn kind(data: &RequestData) -> ResourceKind {
    let has = |name: &str, value: &str| {
        data.headers
            .iter()
            .any(|header| header.name.eq_ignore_ascii_case(name) && header.value.value == value)
    };
    let destination = data.destination.as_deref().unwrap_or_default();
    match (destination, data.initiator_type.as_deref()) {
        _ if has("sec-fetch-mode", "websocket") => ResourceKind::WebSocket,
        _ if has("accept", "text/event-stream") => ResourceKind::EventSource,
        ("document" | "iframe" | "frame" | "embed" | "object", _) => ResourceKind::Document,
        ("style", _) => ResourceKind::Stylesheet,
        ("image", _) => ResourceKind::Image,
        ("audio" | "video" | "track", _) => ResourceKind::Media,
        ("font", _) => ResourceKind::Font,
        ("script" | "worker" | "sharedworker" | "serviceworker", _) => ResourceKind::Script,
        ("manifest", _) => ResourceKind::Manifest,
        ("report", _) | (_, Some("beacon" | "ping")) => ResourceKind::Ping,
        (_, Some("xmlhttprequest")) => ResourceKind::Xhr,
        (_, Some("fetch")) if data.method == "OPTIONS" => ResourceKind::Preflight,
        (_, Some("fetch")) => ResourceKind::Fetch,
        // A beacon has no initiator, and nobody reads its answer.
        (_, None) if data.method == "POST" && has("sec-fetch-mode", "no-cors") => ResourceKind::Ping,
        _ => ResourceKind::Other,
    }
}

/// A socket is told by the address that its handshake goes to.
fn address(kind: ResourceKind, url: String) -> String {
    match (kind, url.strip_prefix("http")) {
        (ResourceKind::WebSocket, Some(rest)) => format!("ws{rest}"),
        _ => url,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn data(url: &str, destination: &str, initiator: Option<&str>) -> RequestData {
        serde_json::from_value(json!({
            "request": "1", "url": url, "method": "GET", "destination": destination, "initiatorType": initiator,
            "headers": [{ "name": "X-A", "value": { "type": "base64", "value": "w6Q=" } }],
        }))
        .unwrap()
    }

    #[test]
    fn what_a_request_is_for_is_told_by_where_it_goes_or_who_asked() {
        assert_eq!(kind(&data("http://a/", "document", None)), ResourceKind::Document);
        assert_eq!(kind(&data("http://a/", "", Some("fetch"))), ResourceKind::Fetch);
        assert_eq!(kind(&data("http://a/", "", Some("xmlhttprequest"))), ResourceKind::Xhr);
        let handshake =
            json!({ "name": "Sec-Fetch-Mode", "value": { "type": "string", "value": "websocket" } });
        let mut socket = data("http://a/", "", None);
        socket.headers.push(serde_json::from_value(handshake).unwrap());
        assert_eq!(kind(&socket), ResourceKind::WebSocket);
        assert_eq!(address(ResourceKind::WebSocket, socket.url), "ws://a/");
        assert_eq!(kind(&data("http://a/", "", None)), ResourceKind::Other);
    }

    #[test]
    fn headers_are_texts_whatever_they_travel_as() {
        assert_eq!(list(&data("http://a/", "", None).headers), [("x-a".to_owned(), "ä".to_owned())]);
    }

    #[test]
    fn moments_count_from_the_requests_start() {
        let told = timing(
            &json!({ "requestTime": 1000.0, "dnsStart": 0, "requestStart": 1002.5, "responseStart": 1010.0 }),
        );
        let told = told.unwrap();
        assert_eq!((told.dns_start, told.send_start, told.receive_headers_end), (-1.0, 2.5, 10.0));
    }
}
