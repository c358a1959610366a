//! From a destination to a connection: looked up once, judged, and connected to what was judged.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Shared;
use super::answers::NotServed;
use super::target::Target;
use crate::host::Host;
use crate::network::plain;
use crate::notes::{Trouble, Unreached};
use crate::refusal::{Refusal, Rule};
use crate::rules::{no_host, refuse};

/// How long an address is tried before the next one is tried beside it (RFC 8305, section 5).
const HEAD_START: Duration = Duration::from_millis(250);
/// No name needs more addresses to be tried.
const MOST_ADDRESSES: usize = 8;

/// A connection to `target`, if it is permitted. What does not come of it is remembered.
pub(super) async fn reach(shared: &Shared, target: &Target) -> Result<TcpStream, NotServed> {
    let reached = try_reach(shared, target).await;
    match &reached {
        Err(NotServed::Refused(refusal)) => shared.notes().add(refusal, target.url.as_deref()),
        Err(NotServed::Unreached(unreached)) => shared.notes().add_unreached(unreached.clone()),
        _ => {}
    }
    reached
}

async fn try_reach(shared: &Shared, target: &Target) -> Result<TcpStream, NotServed> {
    let port = target.port;
    let host = Host::read(&target.host).ok_or_else(|| NotServed::Refused(no_host(&target.host, port)))?;
    let judged = addresses(shared, &host, port).await?;
    if let Some(own) = judged.iter().find(|address| is_gate(shared, **address, port)) {
        return Err(NotServed::Refused(refuse(&host, port, Some(*own), Rule::Itself)));
    }
    let limit = shared.limits.connect;
    match timeout(limit, connect(&judged, port)).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(error)) => Err(unreached(&host, port, trouble(&error), error.to_string())),
        Err(_) => Err(unreached(&host, port, Trouble::Silent, late(limit))),
    }
}

/// The addresses of `host`, all of which are permitted.
async fn addresses(shared: &Shared, host: &Host, port: u16) -> Result<Vec<IpAddr>, NotServed> {
    // The rules are asked twice, and the lock is not held while somebody else is.
    let before: Result<_, Refusal> = shared.rules().before_look_up(host, port);
    if let Some(known) = before.map_err(NotServed::Refused)? {
        return Ok(known);
    }
    let (name, limit) = (host.to_string(), shared.limits.look_up);
    let found = match timeout(limit, shared.resolver.look_up(&name)).await {
        Ok(Ok(found)) if !found.is_empty() => Ok(found),
        Ok(Ok(_)) => Err("it has no addresses".to_owned()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(late(limit)),
    };
    let not_found = |why| unreached(host, port, Trouble::NoName, format!("it could not be looked up: {why}"));
    shared.rules().after_look_up(host, port, found.map_err(not_found)?).map_err(NotServed::Refused)
}

fn unreached(host: &Host, port: u16, trouble: Trouble, why: String) -> NotServed {
    NotServed::Unreached(Unreached { host: host.to_string(), port, trouble, why })
}

fn trouble(error: &io::Error) -> Trouble {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Trouble::Refused,
        io::ErrorKind::TimedOut => Trouble::Silent,
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => Trouble::BrokenOff,
        _ => Trouble::Other,
    }
}

fn late(limit: Duration) -> String {
    format!("no answer within {} s", limit.as_secs())
}

/// Whether a connection would come back to the gate.
fn is_gate(shared: &Shared, address: IpAddr, port: u16) -> bool {
    let address = plain(address);
    port == shared.at.port() && (address.is_loopback() || address.is_unspecified())
}

/// The first of `addresses` that answers. One that is silent does not keep the next from being tried.
async fn connect(addresses: &[IpAddr], port: u16) -> io::Result<TcpStream> {
    let mut left = addresses.iter().copied().take(MOST_ADDRESSES);
    let mut tries = JoinSet::new();
    let mut why = io::Error::from(io::ErrorKind::AddrNotAvailable);
    loop {
        let more = match left.next() {
            Some(address) => {
                tries.spawn(TcpStream::connect((address, port)));
                true
            }
            None => false,
        };
        tokio::select! {
            tried = tries.join_next() => match tried {
                Some(Ok(Ok(stream))) => {
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Some(Ok(Err(error))) => why = error,
                Some(Err(_)) => {}
                None => return Err(why),
            },
            () = tokio::time::sleep(HEAD_START), if more => {}
        }
    }
}
