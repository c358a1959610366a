//! Asking a server whether it answers, and how.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use base::Deadline;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::{Host, Url};

/// How long a connection to this very machine may take.
const CONNECT: Duration = Duration::from_millis(500);

/// Whether somebody accepts connections there.
pub(crate) async fn accepts(address: SocketAddr) -> bool {
    connect(address).await.is_some()
}

/// Whether somebody accepts connections at any address of the URL's host.
pub(crate) async fn answers(url: &Url) -> bool {
    for address in addresses(url).await {
        if accepts(address).await {
            return true;
        }
    }
    false
}

async fn connect(address: SocketAddr) -> Option<TcpStream> {
    Deadline::after(CONNECT).race(TcpStream::connect(address)).await.ok()?.ok()
}

/// What the URL's host means on this machine, in the system's order.
pub(crate) async fn addresses(url: &Url) -> Vec<SocketAddr> {
    let Some(port) = url.port_or_known_default() else { return Vec::new() };
    let literal = |address: IpAddr| vec![SocketAddr::new(address, port)];
    match url.host() {
        Some(Host::Ipv4(address)) => literal(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => literal(IpAddr::V6(address)),
        // Names below localhost are this machine (RFC 6761, 6.3), whether or not the system knows them.
        Some(Host::Domain(name)) if name.ends_with(".localhost") => both(port),
        Some(Host::Domain(name)) => {
            let looked_up = tokio::net::lookup_host((name, port));
            let found = Deadline::after(Duration::from_secs(1)).race(looked_up).await;
            match found {
                Ok(Ok(addresses)) => addresses.collect(),
                _ if name == "localhost" => both(port),
                _ => Vec::new(),
            }
        }
        None => Vec::new(),
    }
}

/// This machine by either protocol.
pub(crate) fn both(port: u16) -> Vec<SocketAddr> {
    vec![
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
        SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), port),
    ]
}

/// The status of an answer to `GET url`, if one comes in time. No TLS here: an https server has none to give.
pub(crate) async fn get(url: &Url, limit: Duration) -> Option<u16> {
    let deadline = Deadline::after(limit);
    deadline.race(ask(url)).await.ok().flatten()
}

async fn ask(url: &Url) -> Option<u16> {
    let mut stream = None;
    for address in addresses(url).await {
        stream = connect(address).await;
        if stream.is_some() {
            break;
        }
    }
    let mut stream = stream?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let host = url.host_str()?;
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let request = format!(
        "GET {}{query} HTTP/1.1\r\nHost: {host}{port}\r\nAccept: */*\r\nUser-Agent: e2e-mcp-server\r\nConnection: close\r\n\r\n",
        url.path()
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut line = Vec::new();
    while line.len() < 64 && !line.contains(&b'\n') {
        if stream.read_buf(&mut line).await.ok()? == 0 {
            break;
        }
    }
    let line = String::from_utf8_lossy(&line);
    let mut words = line.split_ascii_whitespace();
    words.next().filter(|protocol| protocol.starts_with("HTTP/"))?;
    words.next()?.parse().ok()
}

/// Whether a server that answers so is up: what it serves, what it redirects, and what it asks a password for.
#[cfg(unix)]
pub(crate) fn is_ready(status: u16) -> bool {
    matches!(status, 200..=403)
}

/// Why a server does not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unwell {
    /// Nobody is there.
    #[error("nothing accepts connections at {url}")]
    Closed { url: Url },
    /// It says itself that something is wrong.
    #[error("GET {url} answered {status}")]
    Broken { url: Url, status: u16 },
    /// It takes too long.
    #[error("GET {url} had no answer within {} ms", limit.as_millis())]
    Silent { url: Url, limit: Duration },
}

/// Whether the server works: it answers, and not with an error of its own. An https server only has to accept.
pub(crate) async fn healthy(url: &Url, limit: Duration) -> Result<(), Unwell> {
    if url.scheme() == "https" {
        return if answers(url).await { Ok(()) } else { Err(Unwell::Closed { url: url.clone() }) };
    }
    match get(url, limit).await {
        Some(status) if status < 500 => Ok(()),
        Some(status) => Err(Unwell::Broken { url: url.clone(), status }),
        None => Err(Unwell::Silent { url: url.clone(), limit }),
    }
}
