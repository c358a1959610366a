//! An attempt to go around the proxy, as data.

use crate::target::FIRST_PORT;

/// The address that nobody may reach. It is no loopback, so that nothing is direct about it.
pub(crate) const FORBIDDEN: &str = "10.77.0.9";
/// A name that nobody may look up.
pub(crate) const FORBIDDEN_NAME: &str = "forbidden.test";

/// One attempt. In its text `$URL` is the forbidden server's address as it is usually written, `$HOST` its host and port, `$PORT` the
/// port, which is the attempt's own, and `$SITE` the site that the attempt comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt {
    pub(crate) name: &'static str,
    pub(crate) place: Place,
    text: &'static str,
    headers: &'static [&'static str],
}

/// Where an attempt is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The text is an address that the agent goes to.
    Address,
    /// The text is a document in a frame, beside others.
    Frame,
    /// The text is a document in a tab.
    Tab,
}

/// The agent goes to an address.
pub(crate) const fn address(name: &'static str, text: &'static str) -> Attempt {
    Attempt { name, place: Place::Address, text, headers: &[] }
}

/// A document in a frame, beside others.
pub(crate) const fn frame(name: &'static str, text: &'static str) -> Attempt {
    Attempt { name, place: Place::Frame, text, headers: &[] }
}

/// A document in a tab.
pub(crate) const fn tab(name: &'static str, text: &'static str) -> Attempt {
    Attempt { name, place: Place::Tab, text, headers: &[] }
}

impl Attempt {
    /// The same with headers: `Name: value`.
    pub(crate) const fn with(self, headers: &'static [&'static str]) -> Self {
        Self { headers, ..self }
    }

    /// Its text, when it is this one in the catalogue.
    pub(crate) fn text(&self, at: usize, site: &str) -> String {
        fill(self.text, at, site)
    }

    /// Its headers, by name.
    pub(crate) fn headers(&self, at: usize, site: &str) -> Vec<(String, String)> {
        let pair = |header: &&str| {
            let (name, value) = header.split_once(": ").expect("a header has a name");
            (name.to_owned(), fill(value, at, site))
        };
        self.headers.iter().map(pair).collect()
    }
}

/// The port of the attempt at this place in the catalogue.
pub(crate) fn port(at: usize) -> u16 {
    FIRST_PORT + u16::try_from(at).expect("so many attempts")
}

fn fill(text: &str, at: usize, site: &str) -> String {
    let port = port(at);
    text.replace("$URL", &format!("http://{FORBIDDEN}:{port}/"))
        .replace("$HOST", &format!("{FORBIDDEN}:{port}"))
        .replace("$PORT", &port.to_string())
        .replace("$SITE", site)
}
