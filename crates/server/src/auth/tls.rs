//! TLS to the issuer, trusting whom the machine trusts.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Speaks TLS with `name`.
///
/// # Errors
/// When this machine trusts nobody, or not `name`.
pub(super) async fn connect(name: &str, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    let server = ServerName::try_from(name.to_owned()).map_err(io::Error::other)?;
    TlsConnector::from(config()?).connect(server, stream).await
}

/// Made at the first need: reading the machine's certificates takes milliseconds.
fn config() -> io::Result<Arc<ClientConfig>> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(Arc::clone(config));
    }
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (trusted, _) = roots.add_parsable_certificates(found.certs);
    if trusted == 0 {
        let why = found.errors.first().map(ToString::to_string).unwrap_or_default();
        return Err(io::Error::other(format!(
            "this machine trusts no certificate authority (install ca-certificates, or set SSL_CERT_FILE): {why}"
        )));
    }
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    Ok(Arc::clone(CONFIG.get_or_init(|| Arc::new(config))))
}
