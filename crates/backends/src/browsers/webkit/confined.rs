//! What keeps a WebKit from going around the proxy of its context. Each context has a process of its own, so the proxy is a flag of it.

use engine::backend::Proxy;

/// Given to every process of a browser whose contexts are confined.
const CONFINED: &[&str] = &[
    // A proxy is given names: nobody looks one up beforehand.
    "--enable-dns-prefetching=false",
    // What goes by UDP knows no proxy.
    "--enable-webrtc=false",
];

/// For a process that has no context yet: a port where nobody is.
const NOBODY: &str = "http://127.0.0.1:1";

/// What is plainly this machine. Names below `localhost` are none of it: the system may ask a server for them.
const DIRECT: &[&str] = &["localhost", "127.0.0.1", "::1"];

/// The flags for a process whose context has this proxy.
pub(super) fn args(proxy: Option<&Proxy>, confined: bool) -> Vec<String> {
    let mut args: Vec<String> = Vec::new();
    match proxy {
        Some(proxy) => {
            args.push(format!("--proxy={}", proxy.address));
            let direct = DIRECT.iter().filter(|_| proxy.loopback_direct);
            args.extend(direct.map(|host| format!("--ignore-host={host}")));
        }
        None if confined => args.push(format!("--proxy={NOBODY}")),
        None => {}
    }
    if confined {
        args.extend(CONFINED.iter().map(|&flag| flag.to_owned()));
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confined_process_without_a_proxy_reaches_nobody() {
        assert!(args(None, true).contains(&"--proxy=http://127.0.0.1:1".to_owned()));
        assert_eq!(args(None, false), Vec::<String>::new());
    }

    #[test]
    fn only_this_machine_is_asked_directly_and_only_when_told() {
        let proxy = |loopback_direct| Proxy { address: "http://127.0.0.1:3128".to_owned(), loopback_direct };
        assert_eq!(args(Some(&proxy(false)), false), ["--proxy=http://127.0.0.1:3128"]);
        let direct = args(Some(&proxy(true)), true);
        let ignored: Vec<&str> =
            direct.iter().filter_map(|flag| flag.strip_prefix("--ignore-host=")).collect();
        assert_eq!(ignored, ["localhost", "127.0.0.1", "::1"]);
        assert!(CONFINED.iter().all(|flag| direct.iter().any(|given| given == flag)));
    }
}
