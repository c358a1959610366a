//! From what an agent calls an address to a URL that may be opened.

use std::net::IpAddr;

use url::{Host, Url};

use super::files::Files;
use crate::tools::arguments::INVALID_INPUT;
use crate::tools::{Failure, invalid};

/// Whose pages no agent has business with, or that run a script where an address is expected.
const REFUSED: &[&str] = &[
    "javascript",
    "chrome",
    "chrome-extension",
    "chrome-untrusted",
    "devtools",
    "edge",
    "view-source",
    "vbscript",
];
const OPENED: &[&str] = &["http", "https", "about", "data", "blob"];

/// The URL that `text` means: itself, a host without its scheme, or a path of the session's app, which is `base`.
///
/// Without an app relative addresses are refused: they could only be guessed.
pub(super) fn resolve(text: &str, base: Option<&Url>, files: &Files) -> Result<Url, Failure> {
    let text = text.trim();
    if let (Some(base), true) = (base, is_relative(text)) {
        return base.join(text).map_err(|error| refuse(text, &error.to_string()));
    }
    if let Some(url) = with_scheme(text) {
        return parse(text, &url);
    }
    let url = parse(text, text)?;
    match url.scheme() {
        "file" => inside_workspace(&url, text, files),
        scheme if OPENED.contains(&scheme) => Ok(url),
        scheme if REFUSED.contains(&scheme) => {
            Err(refuse(text, &format!("{scheme}: addresses are not opened")))
        }
        scheme => Err(refuse(text, &format!("a browser does not show {scheme}: addresses"))),
    }
}

/// Whether it says nothing of a host: `/login`, `?q=1`, `#top`, `login`.
fn is_relative(text: &str) -> bool {
    let other_host = text.starts_with("//");
    let plain =
        with_scheme(text).is_none() && Url::parse(text) == Err(url::ParseError::RelativeUrlWithoutBase);
    !text.is_empty() && !other_host && plain
}

/// The address with the scheme that it lacks, if it is a host without one: `localhost:3000`, `example.com/x`.
fn with_scheme(text: &str) -> Option<String> {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    let authority = &text[..end];
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()) => {
            (host, true)
        }
        _ => (authority, false),
    };
    if host.is_empty() || host.contains([':', '@', ' ', '\\']) && !host.starts_with('[') {
        return None;
    }
    let local = host.eq_ignore_ascii_case("localhost") || host.to_ascii_lowercase().ends_with(".localhost");
    let numeric = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    let named = host.contains('.') && !host.starts_with('.') && Host::parse(host).is_ok();
    match (local || numeric, named, port) {
        (true, _, _) => Some(format!("http://{text}")),
        (false, true, true) => Some(format!("http://{text}")),
        (false, true, false) => Some(format!("https://{text}")),
        // `web:3000`, a host of a compose file.
        (false, false, true) => Some(format!("http://{text}")),
        (false, false, false) => None,
    }
}

fn parse(typed: &str, url: &str) -> Result<Url, Failure> {
    Url::parse(url).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => refuse(
            typed,
            "it is relative, and this session has no dev server that it could be relative to; give the whole address, \
             such as http://localhost:3000/path, or start a session with start_session",
        ),
        error => refuse(typed, &error.to_string()),
    })
}

/// `file:` leads into the workspace or nowhere.
fn inside_workspace(url: &Url, typed: &str, files: &Files) -> Result<Url, Failure> {
    let path = url.to_file_path().map_err(|()| refuse(typed, "it is no path of this machine"))?;
    let Some(path) = path.to_str() else { return Err(invalid("url", "a path in UTF-8", None)) };
    let located = files.located("url", path)?;
    let mut real = Url::from_file_path(located.absolute())
        .map_err(|()| refuse(typed, "it is no path of this machine"))?;
    real.set_query(url.query());
    real.set_fragment(url.fragment());
    Ok(real)
}

fn refuse(typed: &str, why: &str) -> Failure {
    let typed = base::clip::head(typed, 200);
    Failure::new(INVALID_INPUT, format!("{typed:?} can't be opened: {why}"))
        .fact("field", "url")
        .fact("received", typed)
        .suggest("give an http or https address, or a file: address inside the workspace")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Options;
    use crate::tools::Services;

    fn files(root: &std::path::Path) -> Files {
        let options = Options { workspace: root.to_owned(), ..Options::default() };
        Files::of(&Services::new(options, None, None).unwrap())
    }

    #[test]
    fn hosts_are_understood_without_their_scheme() {
        let root = tempfile::tempdir().unwrap();
        for (typed, meant) in [
            ("localhost:3000", "http://localhost:3000/"),
            ("localhost:3000/a?b#c", "http://localhost:3000/a?b#c"),
            ("127.0.0.1:8080", "http://127.0.0.1:8080/"),
            ("[::1]:8080/x", "http://[::1]:8080/x"),
            ("shop.localhost:1", "http://shop.localhost:1/"),
            ("web:3000", "http://web:3000/"),
            ("example.com", "https://example.com/"),
            ("example.com/docs", "https://example.com/docs"),
            ("  https://example.com ", "https://example.com/"),
            ("about:blank", "about:blank"),
            ("data:text/html,hi", "data:text/html,hi"),
        ] {
            assert_eq!(resolve(typed, None, &files(root.path())).unwrap().as_str(), meant, "{typed}");
        }
    }

    #[test]
    fn what_no_agent_should_open_is_refused_with_the_reason() {
        let root = tempfile::tempdir().unwrap();
        for typed in [
            "javascript:alert(1)",
            "chrome://settings",
            "/about",
            "about",
            "./x",
            "",
            "ftp://host/x",
            "view-source:http://x/",
        ] {
            let refused = resolve(typed, None, &files(root.path())).unwrap_err();
            assert_eq!(refused.code().lower(), "invalid_input", "{typed}");
        }
        let relative = resolve("/login", None, &files(root.path())).unwrap_err();
        assert!(relative.message().contains("relative"), "{}", relative.message());
    }

    #[test]
    fn with_an_app_what_names_no_host_is_a_path_of_the_app() {
        let root = tempfile::tempdir().unwrap();
        let app = Url::parse("http://localhost:4321/base/").unwrap();
        for (typed, meant) in [
            ("/login", "http://localhost:4321/login"),
            ("login?next=/", "http://localhost:4321/base/login?next=/"),
            ("?q=1", "http://localhost:4321/base/?q=1"),
            ("./a", "http://localhost:4321/base/a"),
            ("localhost:1/x", "http://localhost:1/x"),
            ("example.com", "https://example.com/"),
            ("about:blank", "about:blank"),
        ] {
            assert_eq!(resolve(typed, Some(&app), &files(root.path())).unwrap().as_str(), meant, "{typed}");
        }
        for typed in ["", "javascript:alert(1)", "//evil.example/x"] {
            assert!(resolve(typed, Some(&app), &files(root.path())).is_err(), "{typed}");
        }
    }

    #[test]
    fn files_are_opened_inside_the_workspace_only() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("a.html"), "").unwrap();
        let inside = format!("file://{}/a.html", root.path().canonicalize().unwrap().display());
        assert!(resolve(&inside, None, &files(root.path())).is_ok());
        let refused = resolve("file:///etc/passwd", None, &files(root.path())).unwrap_err();
        assert_eq!(refused.code().lower(), "path_escape");
    }
}
