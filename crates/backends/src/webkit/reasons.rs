//! Why a request or a navigation came to nothing, in the words that users know from every browser.

const CERTIFICATE: &str = "net::ERR_CERT_AUTHORITY_INVALID";

/// WebKit's words, which are GLib's and libsoup's for the most part, and the ones that are told. The first that fits.
const REASONS: &[(&str, &str)] = &[
    ("Unacceptable TLS certificate", CERTIFICATE),
    ("TLS", "net::ERR_SSL_PROTOCOL_ERROR"),
    ("Connection refused", "net::ERR_CONNECTION_REFUSED"),
    ("Error resolving", "net::ERR_NAME_NOT_RESOLVED"),
    ("Connection reset", "net::ERR_CONNECTION_RESET"),
    ("Connection terminated unexpectedly", "net::ERR_EMPTY_RESPONSE"),
    ("timed out", "net::ERR_CONNECTION_TIMED_OUT"),
    ("Too many redirects", "net::ERR_TOO_MANY_REDIRECTS"),
    ("Blocked by Web Inspector", "net::ERR_INTERNET_DISCONNECTED"),
    ("restricted network port", "net::ERR_UNSAFE_PORT"),
    ("can\u{2019}t be shown", "net::ERR_UNKNOWN_URL_SCHEME"),
    ("cancelled", "net::ERR_ABORTED"),
];

/// The library's words for what was cancelled in it. A page's own cancelling is told in other words ("Load request
/// cancelled"): these are heard where it gives a connection up because of its certificate, now and then in the place of
/// that reason.
const GIVEN_UP: &str = "Operation was cancelled";

/// Why the request for `url` came to nothing.
pub(super) fn of(url: &str, text: &str) -> String {
    let certificate = text == GIVEN_UP && url.starts_with("https:");
    if certificate { CERTIFICATE.to_owned() } else { told(text) }
}

/// The usual words for WebKit's, or its own behind where there are none.
fn told(text: &str) -> String {
    match REASONS.iter().find(|(known, _)| text.contains(known)) {
        Some((_, told)) => (*told).to_owned(),
        None => format!("net::ERR_FAILED ({text})"),
    }
}

/// The address in what the console says of a port that no page may use; the network says nothing of it.
pub(super) fn of_port(text: &str) -> Option<&str> {
    text.strip_prefix("Not allowed to use restricted network port ")?.split_once(": ").map(|(_, url)| url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_told_in_the_usual_words_or_in_the_browsers() {
        let refused = "Could not connect to 127.0.0.1: Connection refused";
        assert_eq!(told(refused), "net::ERR_CONNECTION_REFUSED");
        assert_eq!(told("Error performing TLS handshake: x"), "net::ERR_SSL_PROTOCOL_ERROR");
        assert_eq!(of("https://a/", GIVEN_UP), CERTIFICATE);
        assert_eq!(of("http://a/", GIVEN_UP), "net::ERR_ABORTED");
        assert_eq!(of("https://a/", "Load request cancelled"), "net::ERR_ABORTED");
        assert_eq!(told("odd"), "net::ERR_FAILED (odd)");
        assert_eq!(of_port("Not allowed to use restricted network port 1: http://x:1/"), Some("http://x:1/"));
    }
}
