//! A host as a URL has it: whatever its spelling, it is a name or an address (WHATWG URL, section 3.5).

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A host, normalised.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Host {
    /// In lower case and Punycode, without the dot at its end.
    Name(String),
    /// An address, however it was spelt.
    Address(IpAddr),
}

impl Host {
    /// The host that `text` means to a browser: `0x7f.1` and `１２７.0.0.1` are addresses.
    pub fn read(text: &str) -> Option<Self> {
        match url::Host::parse(text).ok()? {
            url::Host::Domain(name) => {
                let name = name.strip_suffix('.').unwrap_or(&name);
                (!name.is_empty()).then(|| Self::Name(name.to_owned()))
            }
            url::Host::Ipv4(address) => Some(Self::Address(IpAddr::V4(address))),
            url::Host::Ipv6(address) => Some(Self::Address(IpAddr::V6(address))),
        }
    }

    /// Whether it is `localhost` or a name below it, which are this machine and never looked up (RFC 6761, section 6.3).
    pub fn is_localhost(&self) -> bool {
        matches!(self, Self::Name(name) if name == "localhost" || name.ends_with(".localhost"))
    }

    /// Its addresses as far as nobody needs to be asked.
    pub(crate) fn known_addresses(&self) -> Option<Vec<IpAddr>> {
        match self {
            Self::Address(address) => Some(vec![*address]),
            Self::Name(_) if self.is_localhost() => {
                Some(vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)])
            }
            Self::Name(_) => None,
        }
    }
}

/// As in a URL.
impl fmt::Display for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => out.write_str(name),
            Self::Address(IpAddr::V4(address)) => write!(out, "{address}"),
            Self::Address(IpAddr::V6(address)) => write!(out, "[{address}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_an_address_is_that_address() {
        for text in [
            "10.0.0.1",
            "10.0.0.1.",
            "167772161",
            "0xa000001",
            "0xA.0.0.1",
            "012.0.0.1",
            "012.0x0.0.01",
            "10.1",
            "10.0.1",
            "1０.0.0.1",
            "１０．０．０．１",
            "%31%30.0.0.1",
            "10%2e0%2E0.1",
            "10。0。0。1",
        ] {
            assert_eq!(Host::read(text), Some(Host::Address([10, 0, 0, 1].into())), "{text}");
        }
        for text in ["[::ffff:10.0.0.1]", "[::ffff:a00:1]", "[0:0:0:0:0:FFFF:A00:0001]"] {
            assert_eq!(Host::read(text).unwrap().to_string(), "[::ffff:10.0.0.1]", "{text}");
        }
    }

    #[test]
    fn a_name_has_one_spelling() {
        for (text, name) in [
            ("ExAmple.COM", "example.com"),
            ("example.com.", "example.com"),
            ("bücher.de", "xn--bcher-kva.de"),
        ] {
            assert_eq!(Host::read(text), Some(Host::Name(name.to_owned())), "{text}");
        }
        for text in ["localhost", "LOCALHOST.", "app.localhost", "ｌocalhost"] {
            assert!(Host::read(text).unwrap().is_localhost(), "{text}");
        }
        assert!(!Host::read("localhost.example.com").unwrap().is_localhost());
        assert!(!Host::read("notlocalhost").unwrap().is_localhost());
    }

    #[test]
    fn what_is_no_host_is_none() {
        for text in [
            "",
            ".",
            "a b",
            "10.0.0.256",
            "1.2.3.4.5",
            "0x100000000",
            "[::1%25eth0]",
            "[::1",
            "a%00b",
            "a/b",
            "a@b",
            "a:80",
        ] {
            assert_eq!(Host::read(text), None, "{text:?}");
        }
    }
}
