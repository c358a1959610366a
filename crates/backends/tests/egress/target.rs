//! The server that nobody may reach: a port for each attempt, by TCP and by UDP, under every address.

use std::collections::BTreeSet;
use std::net::{Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::task::JoinSet;

/// The first attempt's port.
pub(crate) const FIRST_PORT: u16 = 20_000;

/// Whatever was asked for, this is it.
const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\
    Connection: close\r\n\r\nok";

/// Listens until it is dropped.
#[derive(Debug)]
pub(crate) struct Target {
    arrived: Arc<Mutex<BTreeSet<u16>>>,
    _listening: JoinSet<()>,
}

impl Target {
    pub(crate) async fn open(attempts: usize) -> Self {
        let (arrived, mut listening) = (Arc::<Mutex<BTreeSet<u16>>>::default(), JoinSet::new());
        for port in (FIRST_PORT..).take(attempts) {
            let everywhere = SocketAddr::from((Ipv6Addr::UNSPECIFIED, port));
            let connections = TcpListener::bind(everywhere).await.unwrap();
            let datagrams = UdpSocket::bind(everywhere).await.unwrap();
            listening.spawn(listen(connections, port, arrived.clone()));
            listening.spawn(hear(datagrams, port, arrived.clone()));
        }
        Self { arrived, _listening: listening }
    }

    /// The ports that anything arrived at.
    pub(crate) fn arrived(&self) -> BTreeSet<u16> {
        self.arrived.lock().unwrap().clone()
    }
}

async fn listen(connections: TcpListener, port: u16, arrived: Arc<Mutex<BTreeSet<u16>>>) {
    while let Ok((stream, _)) = connections.accept().await {
        arrived.lock().unwrap().insert(port);
        tokio::spawn(answer(stream));
    }
}

async fn answer(mut stream: TcpStream) {
    let mut asked = [0; 4096];
    // Who speaks TLS gets nothing.
    if stream.read(&mut asked).await.is_ok_and(|length| length > 0 && asked[0].is_ascii_uppercase()) {
        let _ = stream.write_all(ANSWER).await;
    }
}

async fn hear(datagrams: UdpSocket, port: u16, arrived: Arc<Mutex<BTreeSet<u16>>>) {
    while datagrams.recv(&mut [0; 2048]).await.is_ok() {
        arrived.lock().unwrap().insert(port);
    }
}
