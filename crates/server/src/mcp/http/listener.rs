//! The socket: where the server listens, and how a connection is served until it or the server ends.

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use base::Deadline;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::admission::Admission;
use super::client::Peer;
use super::limits::Limits;
use super::routes;
use crate::config::ServiceOptions;
use crate::mcp::Handler;

/// The server can't listen where it was told to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListenRefused {
    #[error(
        "refusing to listen on {host}: it is no loopback address, and without authorization only this machine may \
         reach the server; use 127.0.0.1 or ::1, or set --oauth-issuer"
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
    admission: Arc<Admission>,
    drain: Duration,
    #[cfg(test)]
    pub(super) address: SocketAddr,
}

impl Listener {
    /// Binds an address, which is a loopback one unless `authorized` clients only are let in; port 0 lets the system
    /// choose.
    ///
    /// # Errors
    /// [`ListenRefused`] for addresses that other machines reach, and when the address is taken.
    pub(crate) async fn bind(host: IpAddr, port: u16, authorized: bool) -> Result<Self, ListenRefused> {
        if !host.is_loopback() && !authorized {
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
    pub(crate) fn serve(
        self,
        service: &ServiceOptions,
        handler: &Handler,
        ending: &CancellationToken,
    ) -> Serving {
        let (address, limits) = (self.address, service.limits);
        let admission = Arc::new(Admission::new(&limits));
        let router = routes::router(handler, address, service, &admission);
        let accepting = tokio::spawn(accept(self.socket, router, limits, ending.clone()));
        announce(address);
        Serving {
            accepting,
            admission,
            drain: limits.drain,
            #[cfg(test)]
            address,
        }
    }
}

impl Serving {
    /// Takes no more calls, and waits for those that go on, but not for long.
    pub(crate) async fn drained(&self) {
        if Deadline::after(self.drain).race(self.admission.drained()).await.is_err() {
            tracing::warn!(component = "http", event = "calls_cut", limit = ?self.drain, "calls still go on; they are cut");
        }
    }

    /// Waits until every connection is closed. Comes only after the server ends.
    pub(crate) async fn finished(self) {
        if let Err(error) = self.accepting.await {
            tracing::error!(%error, "the HTTP listener ended by a panic");
        }
    }
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
        let (stream, peer, place) = tokio::select! {
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
            .serve_connection(
                TokioIo::new(stream),
                Named { peer: Peer(peer.ip()), routes: TowerToHyperService::new(router.clone()) },
            );
        connections.spawn(serve_connection(connection, ending.clone(), place));
    }
    drop(socket);
    connections.close();
    connections.wait().await;
}

async fn next(
    socket: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = socket.accept().await?;
    // Replies and progress are small writes; without this each waits for the acknowledgement of the one before.
    stream.set_nodelay(true)?;
    Ok((stream, peer, place))
}

/// The routes, for one connection: each request knows where it comes from.
struct Named {
    peer: Peer,
    routes: TowerToHyperService<Router>,
}

impl Service<Request<Incoming>> for Named {
    type Response = Response;
    type Error = Infallible;
    type Future = <TowerToHyperService<Router> as Service<Request<Incoming>>>::Future;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(self.peer);
        self.routes.call(request)
    }
}

type Connection = http1::Connection<TokioIo<TcpStream>, Named>;

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
