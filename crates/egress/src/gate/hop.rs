//! What of a message's head is for the next hop alone and not carried on (RFC 9110, section 7.6.1).

use hyper::header::{
    CONNECTION, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION,
    TE, TRAILER, TRANSFER_ENCODING, UPGRADE,
};

/// Those that are, whatever `Connection` says.
const HOP: [HeaderName; 9] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Takes them out, and those that `Connection` names. Answers the protocol that was to be switched to, if there was one.
pub(super) fn strip(headers: &mut HeaderMap) -> Option<HeaderValue> {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| HeaderName::try_from(name.trim()).ok())
        .collect();
    let upgrade = headers.get(UPGRADE).filter(|_| named.contains(&UPGRADE)).cloned();
    // A length beside chunks is a lie (RFC 9112, section 6.3).
    if headers.contains_key(TRANSFER_ENCODING) {
        headers.remove(CONTENT_LENGTH);
    }
    // What frames the body and names the host is not for `Connection` to take away.
    let takes = |name: &HeaderName| *name != CONTENT_LENGTH && *name != hyper::header::HOST;
    for name in HOP.iter().chain(named.iter().filter(|name| takes(name))) {
        headers.remove(name);
    }
    upgrade
}

/// Puts the switch to another protocol back in.
pub(super) fn offer(headers: &mut HeaderMap, upgrade: HeaderValue) {
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, upgrade);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_one_hop_is_not_carried_on() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "keep-alive, X-Mine, Upgrade, content-length"),
            ("keep-alive", "timeout=5"),
            ("x-mine", "1"),
            ("upgrade", "websocket"),
            ("proxy-authorization", "Basic x"),
            ("content-length", "3"),
            ("accept", "*/*"),
        ] {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        assert_eq!(strip(&mut headers), Some(HeaderValue::from_static("websocket")));
        let mut left: Vec<&str> = headers.keys().map(HeaderName::as_str).collect();
        left.sort_unstable();
        assert_eq!(left, ["accept", "content-length"]);
    }
}
