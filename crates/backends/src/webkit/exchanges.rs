//! What the inspector says of a request and its answer, in the engine's words.

use engine::backend::{RequestId, ResourceKind, Response, Timing};
use wire::inspector::types;

pub(super) fn now() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map(|since| since.as_secs_f64()).unwrap_or_default()
}

/// Headers as a list; those that came several times were joined by newlines.
pub(super) fn list(headers: types::Headers) -> Vec<(String, String)> {
    let split = |(name, values): (String, String)| {
        values.split('\n').map(|value| (name.clone(), value.to_owned())).collect::<Vec<_>>()
    };
    headers.into_iter().flat_map(split).collect()
}

pub(super) fn head(id: &RequestId, response: types::Response) -> Response {
    let from_cache =
        matches!(response.source.as_deref(), Some("memory-cache" | "disk-cache" | "service-worker"));
    let since = |moment: f64, start: f64| if moment > 0.0 { moment - start } else { -1.0 };
    Response {
        id: id.clone(),
        url: response.url,
        status: u16::try_from(response.status).unwrap_or_default(),
        status_text: response.status_text,
        headers: list(response.headers),
        mime: response.mime_type,
        from_cache,
        remote: None,
        timing: response.timing.map(|timing| Timing {
            dns_start: since(timing.domain_lookup_start, 0.0),
            dns_end: since(timing.domain_lookup_end, 0.0),
            connect_start: since(timing.connect_start, 0.0),
            connect_end: since(timing.connect_end, 0.0),
            send_start: since(timing.request_start, 0.0),
            receive_headers_end: since(timing.response_start, 0.0),
        }),
    }
}

/// The name of a file that is to be saved (RFC 6266), as far as it is needed to know the file again.
pub(super) fn saved_as(response: &Response) -> Option<String> {
    let header = |wanted: &str| {
        response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
    };
    let value = header("content-disposition")?;
    let part = |wanted: &str| value.split(';').find_map(|part| part.trim().strip_prefix(wanted));
    // The one in any script comes first (section 4.3; RFC 8187).
    if let Some((charset, name)) = part("filename*=").and_then(|name| name.split_once("''"))
        && charset.eq_ignore_ascii_case("utf-8")
    {
        return Some(percent_decoded(name));
    }
    part("filename=").map(|name| name.trim_matches('"').to_owned())
}

fn percent_decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(super) fn kind(word: Option<&str>, headers: &types::Headers) -> ResourceKind {
    match word.unwrap_or_default() {
        "Document" => ResourceKind::Document,
        "StyleSheet" | "Stylesheet" => ResourceKind::Stylesheet,
        "Image" => ResourceKind::Image,
        "Media" => ResourceKind::Media,
        "Font" => ResourceKind::Font,
        "Script" => ResourceKind::Script,
        "XHR" => ResourceKind::Xhr,
        "Fetch" => ResourceKind::Fetch,
        "EventSource" => ResourceKind::EventSource,
        "WebSocket" => ResourceKind::WebSocket,
        "Ping" | "Beacon" => ResourceKind::Ping,
        _ if headers.keys().any(|name| name.eq_ignore_ascii_case("access-control-request-method")) => {
            ResourceKind::Preflight
        }
        _ => ResourceKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_script_are_read() {
        assert_eq!(percent_decoded("bericht%20%C3%BC.txt"), "bericht \u{fc}.txt");
        assert_eq!(percent_decoded("100%"), "100%");
    }
}
