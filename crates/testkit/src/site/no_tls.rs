//! Where there is no TLS: its library has parts in C, without which the rest compiles for every system from any other.

use std::io;

use tokio::net::TcpStream;

/// A connection that never is.
pub(super) type TlsStream = TcpStream;

/// Refuses.
pub(super) async fn accept(_: TcpStream) -> io::Result<TlsStream> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "the fixture site speaks TLS on Linux only"))
}

/// What it would run over.
pub(super) fn socket(stream: &TlsStream) -> &TcpStream {
    stream
}
