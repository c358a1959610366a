//! What keeps a Firefox from going around the proxies of its contexts. Those are told to it when a context is made; these settings are for
//! whatever belongs to none, and for what would need no proxy.

use supervise::Spec;

use super::prefs::Pref;

/// A port where nobody is.
const NOBODY: &str = "http://127.0.0.1:1";
/// Where other programs look for a proxy.
const PROXIES: &[&str] =
    &["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
/// Whom they don't need one for.
const EXCEPTIONS: &[&str] = &["no_proxy", "NO_PROXY"];

/// For the programs that Firefox starts: the one that reports its crashes has means of its own to reach Mozilla.
pub(super) fn surround(spec: Spec) -> Spec {
    let spec = PROXIES.iter().fold(spec, |spec, name| spec.env(name, NOBODY));
    EXCEPTIONS.iter().fold(spec, |spec, name| spec.env(name, ""))
}

/// The settings of a browser whose contexts are confined.
pub(super) const PREFS: &[(&str, Pref)] = &[
    // For whatever belongs to no context: a port where nobody is, also for this machine's own addresses.
    ("network.proxy.type", Pref::Number(1)),
    ("network.proxy.http", Pref::Text("127.0.0.1")),
    ("network.proxy.http_port", Pref::Number(1)),
    ("network.proxy.ssl", Pref::Text("127.0.0.1")),
    ("network.proxy.ssl_port", Pref::Number(1)),
    ("network.proxy.socks", Pref::Text("127.0.0.1")),
    ("network.proxy.socks_port", Pref::Number(1)),
    ("network.proxy.no_proxies_on", Pref::Text("")),
    // A proxy that does not answer is the end of a request.
    ("network.proxy.failover_direct", Pref::No),
    ("network.proxy.allow_bypass", Pref::No),
    // No name is looked up: a proxy is given names.
    ("network.dns.disabled", Pref::Yes),
    ("network.proxy.socks_remote_dns", Pref::Yes),
    ("network.proxy.socks5_remote_dns", Pref::Yes),
    // What goes by UDP knows no proxy.
    ("network.http.http3.enable", Pref::No),
    ("network.webtransport.enabled", Pref::No),
    // Calls between browsers go through the proxy, or not at all.
    ("media.peerconnection.ice.proxy_only", Pref::Yes),
    ("media.peerconnection.ice.obfuscate_host_addresses", Pref::No),
];
