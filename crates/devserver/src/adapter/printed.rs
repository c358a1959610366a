//! The URL that a dev server prints: `➜  Local:   http://localhost:5173/`.

use url::{Host, Url};

/// The URLs of this machine in one plain line. What the server calls "all addresses" is called localhost.
pub(super) fn urls(line: &str) -> Vec<Url> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("http") {
        let rest = &line[at..];
        if !rest.starts_with("http://") && !rest.starts_with("https://") {
            continue;
        }
        let end = rest.find(|c: char| c.is_whitespace() || "\"'`<>|,;()\\".contains(c)).unwrap_or(rest.len());
        let text = rest[..end].trim_end_matches(['.', ':', '!', '?', '*', '…', '}']);
        if let Some(url) = Url::parse(text).ok().and_then(local) {
            found.push(url);
        }
    }
    found
}

fn local(mut url: Url) -> Option<Url> {
    let anywhere = match url.host()? {
        Host::Domain(name) if name == "localhost" || name.ends_with(".localhost") => false,
        Host::Ipv4(address) if address.is_loopback() => false,
        Host::Ipv6(address) if address.is_loopback() => false,
        Host::Ipv4(address) if address.is_unspecified() => true,
        Host::Ipv6(address) if address.is_unspecified() => true,
        _ => return None,
    };
    if anywhere {
        url.set_host(Some("localhost")).ok()?;
    }
    url.set_fragment(None);
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<String> {
        urls(&base::plain::text(line)).iter().map(Url::to_string).collect()
    }

    #[test]
    fn what_servers_print_is_found() {
        let vite = "  \u{1b}[32m➜\u{1b}[39m  \u{1b}[1mLocal\u{1b}[22m:   \u{1b}[36mhttp://localhost:\u{1b}[1m5173\u{1b}[22m/\u{1b}[39m";
        assert_eq!(found(vite), ["http://localhost:5173/"]);
        assert_eq!(found("   - Local:        http://localhost:3000"), ["http://localhost:3000/"]);
        assert_eq!(found(" * Running on http://127.0.0.1:5000 (Press CTRL+C)"), ["http://127.0.0.1:5000/"]);
        assert_eq!(
            found("Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ..."),
            ["http://localhost:8000/"]
        );
        assert_eq!(found("listening on http://[::]:8080."), ["http://localhost:8080/"]);
        assert_eq!(found("on \"http://[::1]:4000/app/\","), ["http://[::1]:4000/app/"]);
        assert_eq!(found("https://app.localhost:8443/#top"), ["https://app.localhost:8443/"]);
    }

    #[test]
    fn other_machines_are_not_ours() {
        assert!(found("Network: http://192.168.1.7:5173/ docs: https://vite.dev http nothttp://").is_empty());
        assert!(found("http://").is_empty());
    }
}
