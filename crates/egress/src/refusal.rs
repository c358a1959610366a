//! A refusal: what was refused, by which rule, and what would permit it.

use std::fmt;
use std::net::IpAddr;

use crate::ranges::Range;

/// The setting that lists what is reached, as people write it.
const LIST: &str = "ALLOWED_HOSTS (--allowed-hosts)";

/// Why a destination is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The address lies in a range that is no public host's.
    Range(&'static Range),
    /// There is a list, and the destination is not on it.
    NotListed,
    /// It is this machine, and only the session's app is reached there.
    Loopback,
    /// It is the gate itself.
    Itself,
    /// It is no host.
    NoHost,
}

/// A destination that was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is refused: {rule}", self.destination())]
pub struct Refusal {
    /// The host as it was asked for, normalised if it is one.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The address that the rule is about, if it is about one.
    pub address: Option<IpAddr>,
    /// Why.
    pub rule: Rule,
}

impl Rule {
    /// Its kind in one word, for counting.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Range(range) => range.kind,
            Self::NotListed => "not_listed",
            Self::Loopback => "strict_loopback",
            Self::Itself => "itself",
            Self::NoHost => "no_host",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(range) => write!(out, "{} {}", range.what, range.network),
            Self::NotListed => out.write_str("not listed in ALLOWED_HOSTS"),
            Self::Loopback => out.write_str("this machine beside the session's app, with strict loopback"),
            Self::Itself => out.write_str("the session's own proxy"),
            Self::NoHost => out.write_str("no host"),
        }
    }
}

impl Refusal {
    /// The host with its port, and the address behind it where the host is a name.
    pub fn destination(&self) -> String {
        let Self { host, port, address, .. } = self;
        match address {
            Some(address) if !host.contains(&address.to_string()) => format!("{host}:{port} ({address})"),
            _ => format!("{host}:{port}"),
        }
    }

    /// What would permit it, in one sentence without its dot.
    pub fn remedy(&self) -> String {
        let address = self.address.map(|address| address.to_string());
        match self.rule {
            Rule::Range(_) => format!(
                "whoever runs the server may add {} or its range to {LIST}; once that is set, only what it lists and this machine are reached",
                address.as_deref().unwrap_or(&self.host)
            ),
            Rule::NotListed => format!("whoever runs the server may add {} to {LIST}", self.host),
            Rule::Loopback => format!(
                "whoever runs the server may leave out --strict-loopback or add {}:{} to {LIST}",
                self.host, self.port
            ),
            Rule::Itself => "nothing does; ask for the page itself".to_owned(),
            Rule::NoHost => "nothing does; correct the host".to_owned(),
        }
    }
}
