//! Why a request or a navigation came to nothing, in the words that users know from every browser.

/// Firefox's words, and the ones that are told. The first that fits.
const REASONS: &[(&str, &str)] = &[
    ("SSL_ERROR_RX_RECORD_TOO_LONG", "net::ERR_SSL_PROTOCOL_ERROR"),
    ("SEC_ERROR_UNKNOWN_ISSUER", "net::ERR_CERT_AUTHORITY_INVALID"),
    ("MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT", "net::ERR_CERT_AUTHORITY_INVALID"),
    ("SEC_ERROR_CA_CERT_INVALID", "net::ERR_CERT_AUTHORITY_INVALID"),
    ("MOZILLA_PKIX_ERROR_CA_CERT_USED_AS_END_ENTITY", "net::ERR_CERT_AUTHORITY_INVALID"),
    ("SEC_ERROR_EXPIRED", "net::ERR_CERT_DATE_INVALID"),
    ("SSL_ERROR_BAD_CERT_DOMAIN", "net::ERR_CERT_COMMON_NAME_INVALID"),
    ("SSL_ERROR", "net::ERR_SSL_PROTOCOL_ERROR"),
    ("SEC_ERROR", "net::ERR_CERT_INVALID"),
    ("nssBadCert", "net::ERR_CERT_INVALID"),
    ("nssFailure", "net::ERR_SSL_PROTOCOL_ERROR"),
    ("NS_ERROR_CONNECTION_REFUSED", "net::ERR_CONNECTION_REFUSED"),
    ("connectionFailure", "net::ERR_CONNECTION_REFUSED"),
    ("NS_ERROR_UNKNOWN_HOST", "net::ERR_NAME_NOT_RESOLVED"),
    ("dnsNotFound", "net::ERR_NAME_NOT_RESOLVED"),
    ("NS_ERROR_UNKNOWN_PROXY_HOST", "net::ERR_PROXY_CONNECTION_FAILED"),
    ("NS_ERROR_PROXY_CONNECTION_REFUSED", "net::ERR_PROXY_CONNECTION_FAILED"),
    ("NS_ERROR_NET_RESET", "net::ERR_CONNECTION_RESET"),
    ("netReset", "net::ERR_CONNECTION_RESET"),
    ("NS_ERROR_NET_EMPTY_RESPONSE", "net::ERR_EMPTY_RESPONSE"),
    ("NS_ERROR_NET_INTERRUPT", "net::ERR_CONNECTION_CLOSED"),
    ("netInterrupt", "net::ERR_CONNECTION_CLOSED"),
    ("NS_ERROR_NET_PARTIAL_TRANSFER", "net::ERR_CONTENT_LENGTH_MISMATCH"),
    ("NS_ERROR_NET_TIMEOUT", "net::ERR_CONNECTION_TIMED_OUT"),
    ("netTimeout", "net::ERR_CONNECTION_TIMED_OUT"),
    ("NS_ERROR_OFFLINE", "net::ERR_INTERNET_DISCONNECTED"),
    ("netOffline", "net::ERR_INTERNET_DISCONNECTED"),
    ("NS_ERROR_REDIRECT_LOOP", "net::ERR_TOO_MANY_REDIRECTS"),
    ("redirectLoop", "net::ERR_TOO_MANY_REDIRECTS"),
    ("deniedPortAccess", "net::ERR_UNSAFE_PORT"),
    ("NS_ERROR_PORT_ACCESS_NOT_ALLOWED", "net::ERR_UNSAFE_PORT"),
    ("NS_ERROR_MALFORMED_URI", "net::ERR_INVALID_URL"),
    ("malformedURI", "net::ERR_INVALID_URL"),
    ("NS_ERROR_FILE_NOT_FOUND", "net::ERR_FILE_NOT_FOUND"),
    ("fileNotFound", "net::ERR_FILE_NOT_FOUND"),
    ("NS_ERROR_CONTENT_BLOCKED", "net::ERR_BLOCKED_BY_CLIENT"),
    ("NS_ERROR_INTERCEPTION_FAILED", "net::ERR_FAILED"),
    ("NS_ERROR_DOM_BAD_URI", "net::ERR_BLOCKED_BY_RESPONSE"),
    ("NS_BINDING_ABORTED", ABORTED),
    ("NS_ERROR_ABORT", ABORTED),
    ("NS_IMAGELIB_ERROR", ABORTED),
];

/// What ended without a fault.
pub(super) const ABORTED: &str = "net::ERR_ABORTED";

/// The usual words for Firefox's, with its own behind where there are none.
pub(super) fn told(text: &str) -> String {
    match REASONS.iter().find(|(known, _)| text.contains(known)) {
        Some((_, told)) => (*told).to_owned(),
        None => format!("net::ERR_FAILED ({})", text.trim_start_matches("Error: ")),
    }
}

/// Why Firefox shows a page of its own instead of a document, if it does; from that page's address.
pub(super) fn of_error_page(url: &str) -> Option<String> {
    let query = ["about:neterror?", "about:certerror?", "about:httpsonlyerror?", "about:blocked?"]
        .iter()
        .find_map(|page| url.strip_prefix(page))?;
    let code = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "e");
    Some(told(code.map(|(_, code)| code.into_owned()).as_deref().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_words_are_told_and_unusual_ones_kept() {
        assert_eq!(told("Error: NS_ERROR_UNKNOWN_HOST"), "net::ERR_NAME_NOT_RESOLVED");
        let security = "NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, SSL_ERROR_RX_RECORD_TOO_LONG)";
        assert_eq!(told(security), "net::ERR_SSL_PROTOCOL_ERROR");
        assert_eq!(told("Error: NS_ERROR_ODD"), "net::ERR_FAILED (NS_ERROR_ODD)");
    }

    #[test]
    fn a_page_about_an_error_tells_which() {
        let page = "about:neterror?e=deniedPortAccess&u=http%3A//127.0.0.1%3A1/";
        assert_eq!(of_error_page(page).as_deref(), Some("net::ERR_UNSAFE_PORT"));
        assert_eq!(of_error_page("http://host/?e=1"), None);
    }
}
