//! A proxy that remembers what it was asked for. It hands everything on to a session's gate, which judges it, or, to prove that an attempt
//! is one, lets it through to the target.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

const CONNECTED: &[u8] = b"HTTP/1.1 200 Connected\r\n\r\n";

/// Where it leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// To the gate that is there.
    Gate(SocketAddr),
    /// To the port of this machine, whatever name or address it was asked for by.
    Here,
}

impl Way {
    pub(crate) fn to(gate: &egress::Gate) -> Self {
        Self::Gate(gate.address().trim_start_matches("http://").parse().unwrap())
    }
}

/// The ports that were asked for.
type Asked = Arc<Mutex<BTreeSet<u16>>>;

/// An open proxy.
#[derive(Debug)]
pub(crate) struct Door {
    at: SocketAddr,
    asked: Asked,
    accepting: JoinHandle<()>,
}

impl Door {
    pub(crate) async fn open(way: Way) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let (at, asked) = (listener.local_addr().unwrap(), Asked::default());
        let accepting = tokio::spawn(accept(listener, way, asked.clone()));
        Self { at, asked, accepting }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}", self.at)
    }

    /// The ports that were asked for so far.
    pub(crate) fn asked(&self) -> BTreeSet<u16> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, way: Way, asked: Asked) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, way, asked.clone()));
    }
}

/// One request; the connection is not used again.
async fn serve(mut browser: TcpStream, way: Way, asked: Asked) -> Option<()> {
    let (head, rest) = head(&mut browser).await?;
    let mut words = head.lines().next()?.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let tunnel = method == "CONNECT";
    let url = url::Url::parse(&if tunnel { format!("http://{target}/") } else { target.to_owned() }).ok()?;
    let port = url.port_or_known_default()?;
    asked.lock().unwrap().insert(port);
    let there = match way {
        Way::Gate(gate) => gate,
        Way::Here => SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
    };
    let connected = TcpStream::connect(there).await;
    let mut server = connected.inspect_err(|error| eprintln!("{target}: {error}")).ok()?;
    match (way, tunnel) {
        (Way::Gate(_), true) => server.write_all(head.as_bytes()).await.ok()?,
        (Way::Gate(_), false) => server.write_all(once(&head, method, target).as_bytes()).await.ok()?,
        (Way::Here, true) => browser.write_all(CONNECTED).await.ok()?,
        (Way::Here, false) => {
            let path = &url[url::Position::BeforePath..];
            server.write_all(once(&head, method, path).as_bytes()).await.ok()?;
        }
    }
    server.write_all(&rest).await.ok()?;
    tokio::io::copy_bidirectional(&mut browser, &mut server).await.ok()?;
    Some(())
}

/// A request's head, and what came behind it already.
async fn head(browser: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut read = Vec::new();
    loop {
        if let Some(end) = read.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let rest = read.split_off(end + 4);
            return Some((String::from_utf8_lossy(&read).into_owned(), rest));
        }
        if browser.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
    }
}

/// The head of a request for `target` alone, after which the connection ends.
fn once(head: &str, method: &str, target: &str) -> String {
    let kept = head
        .lines()
        .skip(1)
        .filter(|line| !line.is_empty() && !line.to_ascii_lowercase().contains("connection:"));
    let headers: String = kept.map(|line| format!("{line}\r\n")).collect();
    format!("{method} {target} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n")
}
