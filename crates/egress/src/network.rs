//! A range of addresses, and the IPv4 addresses that hide in IPv6 ones.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Addresses that begin with the same bits, as CIDR writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// Those that share the first `prefix` bits of `address`.
    pub(crate) const fn new(address: IpAddr, prefix: u8) -> Self {
        Self { address, prefix }
    }

    /// One address alone.
    pub(crate) const fn only(address: IpAddr) -> Self {
        Self::new(address, if address.is_ipv4() { 32 } else { 128 })
    }

    /// The same range without bits behind its prefix.
    pub(crate) fn masked(self) -> Self {
        let address = match self.address {
            IpAddr::V4(address) => IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask4(self.prefix))),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask6(self.prefix))),
        };
        Self { address, ..self }
    }

    /// The same range of IPv4 if it is one that is written as IPv6 (`::ffff:10.0.0.0/104`).
    pub(crate) fn plain(self) -> Self {
        match self.address {
            IpAddr::V6(address) if self.prefix >= 96 => match address.to_ipv4_mapped() {
                Some(inner) => Self::new(IpAddr::V4(inner), self.prefix - 96),
                None => self,
            },
            _ => self,
        }
    }

    /// Whether `address` is one of them. An IPv4 range has no IPv6 addresses, whatever these hide.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                (ours.to_bits() ^ theirs.to_bits()) & mask4(self.prefix) == 0
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => {
                (ours.to_bits() ^ theirs.to_bits()) & mask6(self.prefix) == 0
            }
            _ => false,
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.address, self.prefix)
    }
}

fn mask4(prefix: u8) -> u32 {
    u32::MAX.checked_shl(32 - u32::from(prefix.min(32))).unwrap_or(0)
}

fn mask6(prefix: u8) -> u128 {
    u128::MAX.checked_shl(128 - u32::from(prefix.min(128))).unwrap_or(0)
}

/// The address that a packet to `address` is for: an IPv4-mapped one is the IPv4 address (RFC 4291, section 2.5.5.2).
pub(crate) fn plain(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// The IPv4 addresses that a packet to `address` may be carried on to, by whoever translates or tunnels it.
pub(crate) fn hidden(address: IpAddr) -> Vec<Ipv4Addr> {
    let IpAddr::V6(address) = address else { return Vec::new() };
    let whole = address.octets();
    let at = |from: usize| Ipv4Addr::new(whole[from], whole[from + 1], whole[from + 2], whole[from + 3]);
    let inverted = |from: usize| Ipv4Addr::from_bits(!at(from).to_bits());
    match address.segments() {
        // IPv4-compatible (RFC 4291, section 2.5.5.1); `::` and `::1` are none.
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 || low > 1 => vec![at(12)],
        // IPv4-translated (RFC 2765), and NAT64's well-known prefix (RFC 6052).
        [0, 0, 0, 0, 0xffff, 0, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => vec![at(12)],
        // 6to4 (RFC 3056).
        [0x2002, ..] => vec![at(2)],
        // Teredo (RFC 4380, section 4): its server, and the client behind its translator.
        [0x2001, 0, ..] => vec![at(4), inverted(12)],
        // ISATAP (RFC 5214, section 6.1).
        [_, _, _, _, 0 | 0x200, 0x5efe, _, _] => vec![at(12)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_addresses_of_its_prefix_and_no_others() {
        let range = Network::new("172.16.0.0".parse().unwrap(), 12);
        for (address, inside) in [
            ("172.16.0.0", true),
            ("172.31.255.255", true),
            ("172.15.255.255", false),
            ("172.32.0.0", false),
            ("::ffff:172.16.0.1", false),
        ] {
            assert_eq!(range.contains(address.parse().unwrap()), inside, "{address}");
        }
        assert!(Network::new("::".parse().unwrap(), 0).contains("ff02::1".parse().unwrap()));
        assert!(Network::new("0.0.0.0".parse().unwrap(), 0).contains("255.255.255.255".parse().unwrap()));
    }

    #[test]
    fn what_an_address_hides_is_seen() {
        for (address, inner) in [
            ("::10.0.0.1", vec!["10.0.0.1"]),
            ("::ffff:0:10.0.0.1", vec!["10.0.0.1"]),
            ("64:ff9b::a00:1", vec!["10.0.0.1"]),
            ("2002:a00:1::1", vec!["10.0.0.1"]),
            ("2001:0:a00:1::f5ff:fffe", vec!["10.0.0.1", "10.0.0.1"]),
            ("2a00:1450::5efe:10.0.0.1", vec!["10.0.0.1"]),
            ("::1", vec![]),
            ("::", vec![]),
            ("2a00:1450:4001::200e", vec![]),
        ] {
            let seen: Vec<String> =
                hidden(address.parse().unwrap()).iter().map(ToString::to_string).collect();
            assert_eq!(seen, inner, "{address}");
        }
    }
}
