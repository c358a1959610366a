//! The connections of a gate: each is accepted, served and given up here, and none outlives the task that accepts them.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::Shared;
use super::answers::{self, Answer, NotServed};
use super::watched::Watched;
use super::{forward, tunnel};

/// A system without free descriptors is left alone for this long.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(100);

/// What goes on with a connection once its last response is written: a tunnel.
#[derive(Clone, Default)]
pub(super) struct Afterwards(Arc<Mutex<Option<BoxFuture<'static, ()>>>>);

impl Afterwards {
    /// Has the connection go on with `what`.
    pub(super) fn set(&self, what: impl Future<Output = ()> + Send + 'static) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::pin(what));
    }

    fn take(&self) -> Option<BoxFuture<'static, ()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Serves clients until it is dropped, and with it every connection.
pub(super) async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        while connections.len() >= shared.limits.connections {
            connections.join_next().await;
        }
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, shared.clone()));
                }
                Err(_) => tokio::time::sleep(OUT_OF_DESCRIPTORS).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// One client, from its first byte to its last.
async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    let limits = shared.limits;
    let (stream, pulse) = Watched::new(stream);
    let afterwards = Afterwards::default();
    let service = service_fn(|request| {
        let (shared, afterwards) = (shared.clone(), afterwards.clone());
        async move { answer(&shared, &afterwards, request).await }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_header_size(limits.head)
        .max_buf_size(limits.head.max(SMALLEST_BUFFER))
        .preserve_header_case(true)
        .auto_date_header(false)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let whole = async {
        // A client that speaks no HTTP has been answered as far as it can be.
        if served.await.is_ok()
            && let Some(tunnel) = afterwards.take()
        {
            tunnel.await;
        }
    };
    tokio::select! {
        () = whole => {}
        () = pulse.silence(limits.idle) => {}
    }
}

/// hyper takes no smaller one.
const SMALLEST_BUFFER: usize = 8 * 1024;

/// The connection ends without an answer.
#[derive(Debug, thiserror::Error)]
#[error("hung up: {0}")]
struct HungUp(NotServed);

async fn answer(
    shared: &Arc<Shared>,
    afterwards: &Afterwards,
    request: Request<Incoming>,
) -> Result<Response<Answer>, HungUp> {
    if request.method() != Method::CONNECT {
        let answered = forward::request(shared, afterwards, request).await;
        return Ok(answered.unwrap_or_else(|why| answers::of(&why)));
    }
    match tunnel::open(shared, afterwards, request).await {
        Err(why) if shared.hangs_up.load(Ordering::Relaxed) => Err(HungUp(why)),
        answered => Ok(answered.unwrap_or_else(|why| answers::of(&why))),
    }
}
