//! Without the feature `oauth` there is no TLS; `--oauth-issuer` is refused before it comes to that.

use std::io;

use tokio::net::TcpStream;

/// Refuses.
pub(super) async fn connect(_: &str, _: TcpStream) -> io::Result<TcpStream> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this build has no TLS"))
}
