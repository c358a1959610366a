//! The thread that the site lives on, from the listening sockets to their end.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::Context;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use super::connection;
use super::routes::Routes;

/// A thread with a runtime of its own, so that the site serves tests with and without one. Dropping it closes every
/// socket before it returns.
#[derive(Debug)]
pub(super) struct Listening {
    /// Dropping the sender is the order to end.
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Listening {
    /// Listens on two ports, and on a third with TLS.
    pub(super) fn start(routes: &Arc<Routes>) -> anyhow::Result<(Self, [SocketAddr; 3])> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (first, address) = listen()?;
        let (second, other) = listen()?;
        let (third, secure) = listen()?;
        let (end, ended) = oneshot::channel();
        let routes = Arc::clone(routes);
        let serve = move || serve(runtime, [(first, false), (second, false), (third, true)], &routes, ended);
        let thread = std::thread::Builder::new().name("fixture site".to_owned()).spawn(serve)?;
        Ok((Self { end: Some(end), thread: Some(thread) }, [address, other, secure]))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.end = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn listen() -> anyhow::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port for the fixture site")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves each listener, with TLS where that is said.
fn serve(
    runtime: Runtime,
    listeners: [(TcpListener, bool); 3],
    routes: &Arc<Routes>,
    ended: oneshot::Receiver<()>,
) {
    runtime.block_on(async {
        for (listener, secure) in listeners {
            tokio::spawn(accept(listener, secure, Arc::clone(routes)));
        }
        let _ = ended.await;
    });
    // A test's own route may be blocked; its thread is not waited for.
    runtime.shutdown_background();
}

async fn accept(listener: TcpListener, secure: bool, routes: Arc<Routes>) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        // A client that is gone before it was accepted is its own business.
        if let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(connection::serve(socket, secure, Arc::clone(&routes)));
        }
    }
}
