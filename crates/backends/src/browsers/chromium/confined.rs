//! What keeps a Chromium from going around the proxies of its contexts: what it does for itself has a proxy that is not there, it looks
//! up no name, and it speaks to no other machine but in the ways that a proxy can carry. A context's own proxy is told to it when
//! the context is made.

use engine::backend::Proxy;

/// Given to a browser whose contexts are confined.
pub(super) const FLAGS: &[&str] = &[
    // For whatever belongs to no context: a port where nobody is.
    "--proxy-server=http://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
    // The second lock. Whatever would go directly, or ask for an address before it goes, finds none; a proxy is given names and
    // looks them up itself. No pattern here has a star at its end: below such a name, anybody's server could be asked.
    "--host-resolver-rules=MAP * ~NOTFOUND,EXCLUDE 127.0.0.1,EXCLUDE ::1,EXCLUDE localhost,EXCLUDE *.localhost",
    // Calls between browsers go through the proxy, or not at all: what the whole browser calls it, and what the headless shell does.
    // Each passes over the other's word.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
];

/// Switched off in such a browser. A call's other side may have a name that the neighbourhood is asked for, by datagrams to all.
pub(super) const WITHOUT: &[&str] = &["WebRtcHideLocalIpsWithMdns"];

/// The addresses that a context asks without its proxy. Without the first word Chromium would add some of its own, among them all that
/// are link-local, where clouds keep their secrets.
pub(crate) fn bypass(proxy: &Proxy) -> String {
    let direct = if proxy.loopback_direct { ";localhost;*.localhost;127.0.0.1;[::1]" } else { "" };
    format!("<-loopback>{direct}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_asked_directly_and_only_when_told() {
        let proxy = |loopback_direct| Proxy { address: "http://127.0.0.1:3128".to_owned(), loopback_direct };
        assert_eq!(bypass(&proxy(false)), "<-loopback>");
        let direct = bypass(&proxy(true));
        assert_eq!(direct.split(';').next(), Some("<-loopback>"));
        assert!(!direct.contains("169.254") && !direct.contains("0.0.0.0") && !direct.contains("<local>"));
    }

    #[test]
    fn whatever_is_asked_directly_can_be_found_and_nothing_else() {
        let proxy = Proxy { address: String::new(), loopback_direct: true };
        let rules = FLAGS.iter().find_map(|flag| flag.strip_prefix("--host-resolver-rules=")).unwrap();
        let mut excluded: Vec<&str> =
            rules.split(',').filter_map(|rule| rule.strip_prefix("EXCLUDE ")).collect();
        let bypassed = bypass(&proxy).replace(['[', ']'], "");
        let mut bypassed: Vec<&str> = bypassed.split(';').skip(1).collect();
        excluded.sort_unstable();
        bypassed.sort_unstable();
        assert_eq!(excluded, bypassed);
        assert!(rules.starts_with("MAP * ~NOTFOUND,") && excluded.iter().all(|name| !name.ends_with('*')));
    }
}
