//! The port that a browser listens on: chosen by us, and spoken to only when the browser that we started has it.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

use base::Deadline;
use tokio::net::TcpStream;

/// How often the port is tried.
const EVERY: Duration = Duration::from_millis(10);
/// The state of a socket that listens, in /proc/net/tcp.
const LISTENS: &str = "0A";

/// A port that is free now. Somebody may take it before the browser does; then the browser is started again with another.
pub(super) fn free() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Connects as soon as `pid` listens on `port`; nothing if somebody else does, or not in time.
pub(super) async fn connect(port: u16, pid: u32, deadline: Deadline) -> Option<TcpStream> {
    let connecting = async {
        loop {
            match listener(port) {
                Some(inode) if holds(pid, inode) => {
                    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
                    if let Ok(stream) = TcpStream::connect(address).await {
                        return Some(stream);
                    }
                }
                Some(_) => return None,
                None => {}
            }
            // Nobody tells when a socket begins to listen.
            tokio::time::sleep(EVERY).await;
        }
    };
    deadline.race(connecting).await.ok().flatten()
}

/// The socket that listens on a port of this machine (proc(5), /proc/net/tcp).
fn listener(port: u16) -> Option<u64> {
    let table = std::fs::read_to_string("/proc/net/tcp").ok()?;
    listening(&table, port)
}

fn listening(table: &str, port: u16) -> Option<u64> {
    let suffix = format!(":{port:04X}");
    table.lines().skip(1).find_map(|line| {
        let mut words = line.split_whitespace();
        let (local, state) = (words.nth(1)?, words.nth(1)?);
        if !local.ends_with(&suffix) || state != LISTENS {
            return None;
        }
        words.nth(5)?.parse().ok()
    })
}

/// Whether a process has a socket open.
fn holds(pid: u32, inode: u64) -> bool {
    let wanted = format!("socket:[{inode}]");
    let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| std::fs::read_link(entry.path()).ok())
        .any(|link| link.as_os_str() == wanted.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_that_listens_is_found_and_its_owner_known() {
        let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = socket.local_addr().unwrap().port();
        let inode = listener(port).unwrap();
        assert!(holds(std::process::id(), inode));
        assert!(!holds(1, inode) || std::process::id() == 1);
    }

    #[test]
    fn a_connection_on_the_same_port_is_no_listener() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   0: 0100007F:1F90 0100007F:A000 01 00000000:00000000 00:00000000 00000000     0        0 77 1\n   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 99 1\n";
        assert_eq!(listening(table, 0x1F90), Some(99));
        assert_eq!(listening(table, 1), None);
    }
}
