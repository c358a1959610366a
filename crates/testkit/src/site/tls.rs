//! TLS for clients that want it.
//!
//! The certificate is made anew for each process and signed by itself: no browser trusts it.

use std::io;
use std::sync::{Arc, LazyLock};

use anyhow::Context as _;
use rcgen::CertifiedKey;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// A connection through TLS.
pub(super) type TlsStream = tokio_rustls::server::TlsStream<TcpStream>;

/// Made when the first client wants it.
static ACCEPTOR: LazyLock<anyhow::Result<TlsAcceptor>> = LazyLock::new(acceptor);

/// The connection, once both sides agree.
pub(super) async fn accept(socket: TcpStream) -> io::Result<TlsStream> {
    let acceptor = ACCEPTOR.as_ref().map_err(|error| io::Error::other(format!("{error:#}")))?;
    acceptor.accept(socket).await
}

/// What it runs over.
pub(super) fn socket(stream: &TlsStream) -> &TcpStream {
    stream.get_ref().0
}

fn acceptor() -> anyhow::Result<TlsAcceptor> {
    let names = ["localhost", "127.0.0.1"].map(str::to_owned);
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(names).context("no certificate")?;
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
