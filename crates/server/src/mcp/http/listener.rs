//! The socket: where the server listens, and how a connection is served until it or the server ends.

use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::guard::{self, Guard};
use super::health::{self, Health};
use super::limits::Limits;
use super::message::{self, Door};
use crate::mcp::Handler;

/// The server can't listen where it was told to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListenRefused {
    #[error(
        "refusing to listen on {host}: it is no loopback address, and without authorization only this machine may \
         reach the server; use 127.0.0.1 or ::1"
    )]
    Public { host: IpAddr },
    #[error("can't listen on {address}: {source}")]
    Bind { address: SocketAddr, source: io::Error },
}

/// A bound socket.
pub(crate) struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

/// A server that accepts connections.
pub(crate) struct Serving {
    accepting: JoinHandle<()>,
    #[cfg(test)]
    pub(super) address: SocketAddr,
}

impl Listener {
    /// Binds a loopback address; port 0 lets the system choose.
    ///
    /// # Errors
    /// [`ListenRefused`] for addresses that other machines reach, and when the address is taken.
    pub(crate) async fn bind(host: IpAddr, port: u16) -> Result<Self, ListenRefused> {
        if !host.is_loopback() {
            return Err(ListenRefused::Public { host });
        }
        let address = SocketAddr::new(host, port);
        let bind = async {
            let socket = TcpListener::bind(address).await?;
            let address = socket.local_addr()?;
            Ok(Self { socket, address })
        };
        bind.await.map_err(|source| ListenRefused::Bind { address, source })
    }

    /// Accepts connections until `ending` fires; requests in flight are then finished.
    pub(crate) fn serve(self, handler: Handler, ending: &CancellationToken) -> Serving {
        self.serve_within(Limits::default(), handler, ending)
    }

    pub(super) fn serve_within(
        self,
        limits: Limits,
        handler: Handler,
        ending: &CancellationToken,
    ) -> Serving {
        let address = self.address;
        let router = router(handler, address, &limits);
        let accepting = tokio::spawn(accept(self.socket, router, limits, ending.clone()));
        announce(address);
        Serving {
            accepting,
            #[cfg(test)]
            address,
        }
    }
}

impl Serving {
    /// Waits until every connection is closed. Comes only after the server ends.
    pub(crate) async fn finished(self) {
        if let Err(error) = self.accepting.await {
            tracing::error!(%error, "the HTTP listener ended by a panic");
        }
    }
}

fn router(handler: Handler, address: SocketAddr, limits: &Limits) -> Router {
    let health = Health::new(handler.clone());
    let door = Arc::new(Door::new(handler, address.ip(), limits));
    let messages = Router::new()
        .route("/message", post(message::post))
        .route("/mcp", post(message::post))
        .with_state(door);
    let health = Router::new().route("/health", get(health::get)).with_state(health);
    messages.merge(health).layer(from_fn_with_state(Arc::new(Guard::new(address.ip())), guard::check))
}

/// For logs, and for whoever started the server by hand or with port 0.
fn announce(address: SocketAddr) {
    tracing::info!(%address, "listening");
    // Standard error may be closed; the server works without it.
    let _ = writeln!(io::stderr(), "Listening on http://{address}");
}

async fn accept(socket: TcpListener, router: Router, limits: Limits, ending: CancellationToken) {
    let connections = TaskTracker::new();
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        let (stream, place) = tokio::select! {
            () = ending.cancelled() => break,
            accepted = next(&socket, &places) => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "can't accept a connection");
                    // Out of descriptors, most likely: nothing tells when one is free again.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.headers)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        connections.spawn(serve_connection(connection, ending.clone(), place));
    }
    drop(socket);
    connections.close();
    connections.wait().await;
}

async fn next(
    socket: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = socket.accept().await?;
    // Replies and progress are small writes; without this each waits for the acknowledgement of the one before.
    stream.set_nodelay(true)?;
    Ok((stream, place))
}

type Connection = http1::Connection<TokioIo<TcpStream>, TowerToHyperService<Router>>;

async fn serve_connection(connection: Connection, ending: CancellationToken, _place: OwnedSemaphorePermit) {
    let mut connection = std::pin::pin!(connection);
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = ending.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
    }
}
