//! The ranges that a browser has no business in: what is private, what belongs to the link or the machine, and what is
//! no host's address at all. From IANA's registries of special-purpose addresses (RFC 6890) and of IPv6's address space.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::network::{Network, hidden, plain};

/// One range that is refused unless it is listed.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// Its kind in one word, for counting.
    pub kind: &'static str,
    /// What it is, in few words.
    pub what: &'static str,
    /// Its addresses.
    pub network: Network,
}

/// All of them; the first that has an address names it.
static REFUSED: &[Range] = &[
    v4("unspecified", "this network", [0, 0, 0, 0], 8),
    v4("private", "private range", [10, 0, 0, 0], 8),
    v4("shared", "shared address space", [100, 64, 0, 0], 10),
    v4("loopback", "loopback range", [127, 0, 0, 0], 8),
    v4("platform", "address of a cloud's platform", [168, 63, 129, 16], 32),
    // Where clouds keep their metadata.
    v4("link_local", "link-local range", [169, 254, 0, 0], 16),
    v4("private", "private range", [172, 16, 0, 0], 12),
    v4("reserved", "range of protocol assignments", [192, 0, 0, 0], 24),
    v4("documentation", "documentation range", [192, 0, 2, 0], 24),
    v4("reserved", "former 6to4 relay range", [192, 88, 99, 0], 24),
    v4("private", "private range", [192, 168, 0, 0], 16),
    v4("benchmark", "benchmarking range", [198, 18, 0, 0], 15),
    v4("documentation", "documentation range", [198, 51, 100, 0], 24),
    v4("documentation", "documentation range", [203, 0, 113, 0], 24),
    v4("multicast", "multicast range", [224, 0, 0, 0], 4),
    v4("broadcast", "broadcast address", [255, 255, 255, 255], 32),
    v4("reserved", "reserved range", [240, 0, 0, 0], 4),
    v6("unspecified", "unspecified address", [0, 0, 0, 0], 128),
    v6("loopback", "loopback address", [0, 0, 0, 1], 128),
    v6("private", "unique local range", [0xfc00, 0, 0, 0], 7),
    v6("link_local", "link-local range", [0xfe80, 0, 0, 0], 10),
    v6("private", "site-local range", [0xfec0, 0, 0, 0], 10),
    v6("multicast", "multicast range", [0xff00, 0, 0, 0], 8),
    v6("private", "range of local translators", [0x64, 0xff9b, 1, 0], 48),
    v6("benchmark", "benchmarking range", [0x2001, 2, 0, 0], 48),
    v6("reserved", "range of hashed identifiers", [0x2001, 0x10, 0, 0], 28),
    v6("reserved", "range of hashed identifiers", [0x2001, 0x20, 0, 0], 28),
    v6("documentation", "documentation range", [0x2001, 0xdb8, 0, 0], 32),
    v6("documentation", "documentation range", [0x3fff, 0, 0, 0], 20),
    // Whatever is not global unicast (2000::/3) is not assigned; what only carries IPv4 was judged by that.
    v6("reserved", "reserved range", [0x4000, 0, 0, 0], 2),
    v6("reserved", "reserved range", [0x8000, 0, 0, 0], 1),
];

/// What is left of `::/3` once the forms that carry IPv4 are taken out.
static LOW: Range = v6("reserved", "reserved range", [0, 0, 0, 0], 3);

const fn v4(kind: &'static str, what: &'static str, octets: [u8; 4], prefix: u8) -> Range {
    let [a, b, c, d] = octets;
    Range { kind, what, network: Network::new(IpAddr::V4(Ipv4Addr::new(a, b, c, d)), prefix) }
}

/// The first three segments and the last.
const fn v6(kind: &'static str, what: &'static str, segments: [u16; 4], prefix: u8) -> Range {
    let [a, b, c, last] = segments;
    Range { kind, what, network: Network::new(IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, last)), prefix) }
}

/// The range for which `address` is refused, by itself or by an IPv4 address that it hides.
pub(crate) fn refused(address: IpAddr) -> Option<&'static Range> {
    let address = plain(address);
    let inner = hidden(address);
    let of = |address| REFUSED.iter().find(|range| range.network.contains(address));
    let by_inner = inner.iter().find_map(|inner| of(IpAddr::V4(*inner)));
    let low = || (inner.is_empty() && LOW.network.contains(address)).then_some(&LOW);
    by_inner.or_else(|| of(address)).or_else(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kind(address: &str) -> Option<&'static str> {
        refused(address.parse().unwrap()).map(|range| range.kind)
    }

    #[test]
    fn every_range_that_is_no_public_host_is_refused_from_its_first_to_its_last_address() {
        for (first, last, expected) in [
            ("0.0.0.0", "0.255.255.255", "unspecified"),
            ("10.0.0.0", "10.255.255.255", "private"),
            ("100.64.0.0", "100.127.255.255", "shared"),
            ("127.0.0.0", "127.255.255.255", "loopback"),
            ("169.254.0.0", "169.254.255.255", "link_local"),
            ("172.16.0.0", "172.31.255.255", "private"),
            ("192.0.2.0", "192.0.2.255", "documentation"),
            ("192.168.0.0", "192.168.255.255", "private"),
            ("198.18.0.0", "198.19.255.255", "benchmark"),
            ("224.0.0.0", "239.255.255.255", "multicast"),
            ("240.0.0.0", "255.255.255.254", "reserved"),
            ("fc00::", "fdff:ffff::ffff", "private"),
            ("fe80::", "febf::1", "link_local"),
            ("ff00::", "ff0e::1", "multicast"),
            ("2001:db8::", "2001:db8:ffff::1", "documentation"),
            ("4000::", "7fff::1", "reserved"),
            ("8000::", "fbff::1", "reserved"),
        ] {
            assert_eq!((kind(first), kind(last)), (Some(expected), Some(expected)), "{first} to {last}");
        }
        for (address, expected) in [
            ("255.255.255.255", "broadcast"),
            ("::", "unspecified"),
            ("::1", "loopback"),
            ("1::1", "reserved"),
        ] {
            assert_eq!(kind(address), Some(expected), "{address}");
        }
    }

    #[test]
    fn the_metadata_addresses_of_the_clouds_are_refused() {
        for address in [
            "169.254.169.254",
            "169.254.170.2",
            "100.100.100.200",
            "192.0.0.192",
            "168.63.129.16",
            "fd00:ec2::254",
            "fd20:ce::254",
        ] {
            assert!(kind(address).is_some(), "{address}");
        }
    }

    #[test]
    fn public_addresses_are_not_refused_next_to_the_ranges_either() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450:4001:830::200e",
            "64:ff9b::1.1.1.1",
            "2002:101:101::1",
            "::ffff:1.1.1.1",
        ] {
            assert_eq!(kind(address), None, "{address}");
        }
    }

    proptest! {
        #[test]
        fn an_address_is_refused_in_every_form_in_which_it_is_refused_plainly(bits: u32) {
            let inner = Ipv4Addr::from_bits(bits);
            let [a, b, c, d] = inner.octets();
            let (high, low) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
            prop_assume!(bits > 1);
            let plainly = refused(IpAddr::V4(inner));
            let forms = [
                Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, high, low),
                Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 0x101, 0x101, 0, 0, !high, !low),
                Ipv6Addr::new(0x2001, 0, high, low, 0, 0, !0x101, !0x101),
            ];
            for form in forms {
                prop_assert_eq!(refused(IpAddr::V6(form)), plainly, "{}", form);
            }
        }
    }
}
