//! Which ports processes listen on, whatever they were told and whatever they print.

use std::net::IpAddr;

/// A listening socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listener {
    pub(super) address: IpAddr,
    pub(super) port: u16,
    pub(super) pid: u32,
}

impl Listener {
    /// Whether a connection to `address` reaches it.
    pub(super) fn covers(&self, address: IpAddr) -> bool {
        match self.address {
            // A socket on [::] takes IPv4 as well, unless its owner forbade it; trying tells.
            IpAddr::V6(any) if any.is_unspecified() => true,
            IpAddr::V4(any) if any.is_unspecified() => address.is_ipv4(),
            own => own == address,
        }
    }
}

/// The sockets that the descendants of this process listen on. `None` on systems that don't tell.
pub(super) fn below_us() -> Option<Vec<Listener>> {
    #[cfg(target_os = "linux")]
    return Some(linux::of(&supervise::descendants(std::process::id())));
    #[cfg(not(target_os = "linux"))]
    None
}

/// Whether a socket listens on this port, whosever it is: a glance, where `below_us` is a search. Nobody is connected to,
/// so that no server sees it, and a port that is still free stays free. False on systems that don't tell.
pub(super) fn any_on(port: u16) -> bool {
    #[cfg(target_os = "linux")]
    return linux::table("self").values().any(|(_, listening)| *listening == port);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = port;
        false
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::fs;
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

    use super::Listener;

    /// proc(5): the sockets' numbers in the tables of their network, and in the links of their owners' descriptors.
    pub(super) fn of(pids: &[u32]) -> Vec<Listener> {
        let mut found = Vec::new();
        // Processes of one tree may live in several networks; most share one.
        let mut tables: HashMap<Vec<u8>, HashMap<u64, (IpAddr, u16)>> = HashMap::new();
        for pid in pids {
            let sockets = sockets(*pid);
            if sockets.is_empty() {
                continue;
            }
            let network = fs::read_link(format!("/proc/{pid}/ns/net")).unwrap_or_default();
            let network = network.into_os_string().into_encoded_bytes();
            let table = tables.entry(network).or_insert_with(|| table(&pid.to_string()));
            for socket in sockets {
                if let Some((address, port)) = table.get(&socket) {
                    let listener = Listener { address: *address, port: *port, pid: *pid };
                    let known = |one: &Listener| one.address == *address && one.port == *port;
                    if !found.iter().any(known) {
                        found.push(listener);
                    }
                }
            }
        }
        found
    }

    fn sockets(pid: u32) -> Vec<u64> {
        let Ok(descriptors) = fs::read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
        let number = |entry: fs::DirEntry| {
            let link = fs::read_link(entry.path()).ok()?;
            link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
        };
        descriptors.flatten().filter_map(number).collect()
    }

    /// What listens in a process's network.
    pub(super) fn table(process: &str) -> HashMap<u64, (IpAddr, u16)> {
        let read = |file: &str| fs::read_to_string(format!("/proc/{process}/net/{file}")).unwrap_or_default();
        let tables = [read("tcp"), read("tcp6")];
        tables.iter().flat_map(|table| table.lines()).filter_map(parse).collect()
    }

    /// `sl local_address rem_address st … uid timeout inode`; state 0A listens.
    pub(super) fn parse(line: &str) -> Option<(u64, (IpAddr, u16))> {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        if *fields.get(3)? != "0A" {
            return None;
        }
        let (address, port) = fields.get(1)?.split_once(':')?;
        let port = u16::from_str_radix(port, 16).ok()?;
        Some((fields.get(9)?.parse().ok()?, (parse_address(address)?, port)))
    }

    /// Words of 32 bits, each printed as a number of this machine; in memory they are in the network's order.
    fn parse_address(text: &str) -> Option<IpAddr> {
        let words: Vec<u8> = (0..text.len() / 8)
            .filter_map(|word| u32::from_str_radix(text.get(word * 8..word * 8 + 8)?, 16).ok())
            .flat_map(u32::to_ne_bytes)
            .collect();
        match words.len() {
            4 => Some(IpAddr::V4(Ipv4Addr::from(<[u8; 4]>::try_from(words).ok()?))),
            16 => {
                let address = Ipv6Addr::from(<[u8; 16]>::try_from(words).ok()?);
                Some(address.to_ipv4_mapped().map_or(IpAddr::V6(address), IpAddr::V4))
            }
            _ => None,
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{Ipv6Addr, TcpListener};

    use super::*;

    #[test]
    fn our_own_listeners_are_found_with_address_and_port() {
        let four = TcpListener::bind("127.0.0.1:0").unwrap();
        let all = TcpListener::bind("0.0.0.0:0").unwrap();
        let found = linux::of(&[std::process::id()]);
        for (socket, address) in [(&four, "127.0.0.1"), (&all, "0.0.0.0")] {
            let port = socket.local_addr().unwrap().port();
            let listener = found.iter().find(|one| one.port == port).unwrap();
            assert_eq!((listener.address.to_string().as_str(), listener.pid), (address, std::process::id()));
            assert!(listener.covers("127.0.0.1".parse().unwrap()));
            assert!(!listener.covers("::1".parse().unwrap()));
            assert!(any_on(port));
        }
        let closed = four.local_addr().unwrap().port();
        drop(four);
        assert!(!any_on(closed));
    }

    #[test]
    fn lines_of_the_table_are_understood() {
        let six = "   1: 00000000000000000000000001000000:1435 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 4711 1";
        let (inode, (address, port)) = linux::parse(six).unwrap();
        assert_eq!((inode, address, port), (4711, IpAddr::V6(Ipv6Addr::LOCALHOST), 5173));
        let connected = "   1: 0100007F:1435 0100007F:0001 01 0:0 0:0 0 0 0 4712 1";
        assert!(
            linux::parse(connected).is_none() && linux::parse("  sl  local_address rem_address").is_none()
        );
    }
}
