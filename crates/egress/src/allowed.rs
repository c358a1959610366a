//! One entry of the list of what is reached: a name, every name below one, an address or a range, with or without a port.

use std::net::IpAddr;
use std::str::FromStr;

use crate::host::Host;
use crate::network::{Network, hidden, plain};

/// An entry of `ALLOWED_HOSTS`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    what: What,
    /// Every port if there is none.
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Name(String),
    /// Every name that ends with this, which begins with a dot.
    Below(String),
    Network(Network),
}

/// A text that is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnEntry {
    /// Neither of the forms.
    #[error(
        "{0:?} is no host; expected a name (example.com), names below one (*.example.com), an address (10.0.0.1, [::1]) \
         or a range (10.0.0.0/8), each with or without a port (:8080)"
    )]
    Form(String),
    /// A URL.
    #[error("{0:?} is a URL; give its host, with or without a port")]
    Url(String),
    /// A star that is not the first label.
    #[error("{0:?} has a star elsewhere than in front (*.example.com)")]
    Star(String),
    /// An address in a spelling that hides it.
    #[error("{text:?} is an odd spelling of {address}; write that")]
    Spelling {
        /// As it was written.
        text: String,
        /// What it means.
        address: String,
    },
    /// A port that is none.
    #[error("{0:?} is no port; expected 1 to 65535")]
    Port(String),
    /// A prefix that is too long or none.
    #[error("{text:?} is no length of a prefix; expected 0 to {longest}")]
    Prefix {
        /// As it was written.
        text: String,
        /// The longest there is.
        longest: u8,
    },
    /// A range whose address has bits behind its prefix.
    #[error("{given} has bits behind its prefix; write {meant}, or the address alone")]
    Bits {
        /// As it was written.
        given: String,
        /// The range that has it.
        meant: String,
    },
}

impl Allowed {
    /// Whether it lists `host` by its name at `port`.
    pub(crate) fn lists_name(&self, host: &Host, port: u16) -> bool {
        let Host::Name(name) = host else { return false };
        let listed = match &self.what {
            What::Name(listed) => listed == name,
            What::Below(end) => name.ends_with(end.as_str()),
            What::Network(_) => false,
        };
        listed && self.lists_port(port)
    }

    /// Whether it lists `address` at `port`, by itself or by what it hides.
    pub(crate) fn lists_address(&self, address: IpAddr, port: u16) -> bool {
        let What::Network(network) = &self.what else { return false };
        let inner = hidden(address);
        let by_inner = !inner.is_empty() && inner.iter().all(|inner| network.contains(IpAddr::V4(*inner)));
        (network.contains(plain(address)) || by_inner) && self.lists_port(port)
    }

    /// Whether it lists addresses at `port`, so that a name must be looked up to be judged.
    pub(crate) fn may_list_addresses(&self, port: u16) -> bool {
        matches!(self.what, What::Network(_)) && self.lists_port(port)
    }

    fn lists_port(&self, port: u16) -> bool {
        self.port.is_none_or(|listed| listed == port)
    }
}

impl FromStr for Allowed {
    type Err = NotAnEntry;

    fn from_str(text: &str) -> Result<Self, NotAnEntry> {
        let text = text.trim();
        let form = || NotAnEntry::Form(text.to_owned());
        if text.contains("://") {
            return Err(NotAnEntry::Url(text.to_owned()));
        }
        let (host, behind) = match text.strip_prefix('[') {
            Some(rest) => rest.split_once(']').ok_or_else(form)?,
            None => unbracketed(text),
        };
        let (host, prefix, port) = match behind.strip_prefix('/') {
            Some(rest) => {
                let (prefix, port) = rest.find(':').map_or((rest, ""), |at| rest.split_at(at));
                (host, Some(prefix), port)
            }
            None => match host.split_once('/') {
                Some((host, prefix)) => (host, Some(prefix), behind),
                None => (host, None, behind),
            },
        };
        let port = match port {
            "" => None,
            port => Some(read_port(port.strip_prefix(':').ok_or_else(form)?)?),
        };
        let what = match (prefix, host.parse::<IpAddr>()) {
            (Some(prefix), Ok(address)) => What::Network(read_range(address, prefix)?),
            (None, Ok(address)) => What::Network(Network::only(plain(address))),
            (None, Err(_)) if !text.starts_with('[') => read_name(host)?,
            _ => return Err(form()),
        };
        Ok(Self { what, port })
    }
}

/// The host and what is behind it, of a text without brackets. An IPv6 address has no port then.
fn unbracketed(text: &str) -> (&str, &str) {
    if let Some(at) = text.find('/') {
        return text.split_at(at);
    }
    match text.rfind(':') {
        Some(at) if text.parse::<IpAddr>().is_err() => text.split_at(at),
        _ => (text, ""),
    }
}

fn read_port(text: &str) -> Result<u16, NotAnEntry> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let port = text.parse().ok().filter(|port| digits && *port != 0);
    port.ok_or_else(|| NotAnEntry::Port(text.to_owned()))
}

fn read_range(address: IpAddr, prefix: &str) -> Result<Network, NotAnEntry> {
    let longest = if address.is_ipv4() { 32 } else { 128 };
    let digits = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_digit());
    let length = prefix.parse().ok().filter(|length| digits && *length <= longest);
    let length = length.ok_or_else(|| NotAnEntry::Prefix { text: prefix.to_owned(), longest })?;
    let given = Network::new(address, length);
    match given.masked() {
        masked if masked == given => Ok(given.plain()),
        masked => Err(NotAnEntry::Bits { given: given.to_string(), meant: masked.to_string() }),
    }
}

fn read_name(text: &str) -> Result<What, NotAnEntry> {
    let (below, name) = match text.strip_prefix("*.") {
        Some(name) => (true, name),
        None => (false, text),
    };
    if name.contains('*') {
        return Err(NotAnEntry::Star(text.to_owned()));
    }
    match Host::read(name) {
        Some(Host::Name(name)) if below => Ok(What::Below(format!(".{name}"))),
        Some(Host::Name(name)) => Ok(What::Name(name)),
        Some(Host::Address(address)) if !below => {
            Err(NotAnEntry::Spelling { text: text.to_owned(), address: address.to_string() })
        }
        _ => Err(NotAnEntry::Form(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(text: &str) -> Allowed {
        text.parse().unwrap()
    }

    fn lists(text: &str, host: &str, port: u16) -> bool {
        match Host::read(host).unwrap() {
            Host::Address(address) => entry(text).lists_address(address, port),
            name @ Host::Name(_) => entry(text).lists_name(&name, port),
        }
    }

    #[test]
    fn an_entry_lists_what_it_says_and_nothing_beside_it() {
        for (text, host, port, listed) in [
            ("example.com", "example.com", 443, true),
            ("Example.COM.", "example.com", 80, true),
            ("example.com", "www.example.com", 443, false),
            ("example.com", "notexample.com", 443, false),
            ("example.com:8080", "example.com", 8080, true),
            ("example.com:8080", "example.com", 443, false),
            ("*.example.com", "a.b.example.com", 443, true),
            ("*.example.com", "example.com", 443, false),
            ("*.example.com", "badexample.com", 443, false),
            ("*.example.com:8080", "www.example.com", 80, false),
            ("bücher.de", "xn--bcher-kva.de", 80, true),
            ("10.1.2.3", "10.1.2.3", 80, true),
            ("10.1.2.3", "10.1.2.4", 80, false),
            ("10.1.2.3:8080", "10.1.2.3", 8080, true),
            ("10.0.0.0/8", "10.255.0.1", 80, true),
            ("10.0.0.0/8:8080", "10.255.0.1", 80, false),
            ("10.0.0.0/8:8080", "10.255.0.1", 8080, true),
            ("10.0.0.0/8", "[::ffff:10.0.0.1]", 80, true),
            ("10.0.0.0/8", "[64:ff9b::10.0.0.1]", 80, true),
            ("::ffff:10.0.0.0/104", "10.0.0.1", 80, true),
            ("::1", "[::1]", 80, true),
            ("[::1]", "[::1]", 80, true),
            ("[::1]:443", "[::1]", 443, true),
            ("[::1]:443", "[::1]", 80, false),
            ("fd00::/8", "[fd12::1]", 80, true),
            ("fd00::/8:443", "[fd12::1]", 80, false),
            ("[fd00::]/8:443", "[fd12::1]", 443, true),
            ("[fd00::/8]:443", "[fd12::1]", 443, true),
            ("0.0.0.0/0", "169.254.169.254", 80, true),
        ] {
            assert_eq!(lists(text, host, port), listed, "{text}: {host}:{port}");
        }
    }

    #[test]
    fn what_is_no_entry_is_told_with_what_is_one() {
        for (text, part) in [
            ("", "is no host"),
            ("http://example.com", "is a URL"),
            ("*", "star elsewhere"),
            ("a.*.com", "star elsewhere"),
            ("*example.com", "star elsewhere"),
            ("*.10.0.0.1", "is no host"),
            ("example.com:0", "is no port"),
            ("example.com:http", "is no port"),
            ("example.com:+80", "is no port"),
            ("example.com:65536", "is no port"),
            ("10.0.0.0/33", "expected 0 to 32"),
            ("10.0.0.0/+8", "expected 0 to 32"),
            ("fd00::/129", "expected 0 to 128"),
            ("10.0.0.1/8", "write 10.0.0.0/8"),
            ("167772161", "odd spelling of 10.0.0.1"),
            ("0xa.1", "odd spelling of 10.0.0.1"),
            ("example.com/8", "is no host"),
            ("[example.com]:80", "is no host"),
            ("[::1", "is no host"),
            ("[::1]80", "is no host"),
            ("a b", "is no host"),
        ] {
            let told = text.parse::<Allowed>().unwrap_err().to_string();
            assert!(told.contains(part), "{text:?}: {told}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_fail_otherwise_than_by_an_error(text in "\\PC{0,40}") {
            let _ = text.parse::<Allowed>();
        }

        #[test]
        fn a_range_lists_an_address_if_their_first_bits_are_the_same(bits: u32, prefix in 0u8..=32, other: u32) {
            let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
            let first = std::net::Ipv4Addr::from_bits(bits & mask);
            let listed = entry(&format!("{first}/{prefix}")).lists_address(IpAddr::V4(other.into()), 1);
            prop_assert_eq!(listed, other & mask == bits & mask);
        }
    }
}
