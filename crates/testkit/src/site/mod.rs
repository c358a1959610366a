//! A web site for tests: pages that a test writes, and standing routes that behave as badly as the web does.
//!
//! It speaks HTTP/1.1 by hand, because a server library would refuse half of what is wanted here: answers that never
//! come, sockets that break, bodies without an end. Over TLS, its certificate is one that nobody trusts.
//! Whether a browser behaves well is for the test to judge.

mod connection;
mod listen;
mod request;
mod response;
mod routes;
mod standing;
mod stream;
#[cfg_attr(not(target_os = "linux"), path = "no_tls.rs")]
mod tls;
mod websocket;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use self::listen::Listening;
use self::routes::Routes;
use crate::process::wait_until;

pub use request::Request;
pub use response::Response;
pub use standing::STANDING;

/// A site on three ports of 127.0.0.1, one of them with TLS, gone when it is dropped.
///
/// The same routes answer under every origin that leads here: 127.0.0.1 and `localhost` are two sites to a browser,
/// each of the ports is an origin of its own, and Chromium and Firefox take every name below `localhost`
/// (`shop.localhost`) for this machine.
#[derive(Debug)]
pub struct Site {
    routes: Arc<Routes>,
    addresses: [SocketAddr; 3],
    _listening: Listening,
}

impl Site {
    /// Starts one with the [`STANDING`] routes, on ports that the system chooses.
    ///
    /// # Errors
    /// When there is no free port or no thread.
    pub fn start() -> anyhow::Result<Self> {
        let routes = Arc::new(Routes::default());
        let (listening, addresses) = Listening::start(&routes)?;
        Ok(Self { routes, addresses, _listening: listening })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.addresses[0]
    }

    /// The URL of a path, which begins with a slash and may have a query.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addresses[0])
    }

    /// The URL of a path under another name of this machine: another site, for cookies and frames.
    pub fn url_on(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.addresses[0].port())
    }

    /// A second origin of the same site: the same name, another port, no slash at the end.
    pub fn other_origin(&self) -> String {
        format!("http://{}", self.addresses[1])
    }

    /// The URL of a path over TLS.
    pub fn secure_url(&self, path: &str) -> String {
        format!("https://{}{path}", self.addresses[2])
    }

    /// Answers the path with an HTML page, whatever answered it before.
    pub fn page(&self, path: &str, html: &str) {
        let html = html.to_owned();
        self.route(path, move |_| Response::html(&html));
    }

    /// Answers the path by a function. It runs on a thread of its own, so that it may block without blocking others.
    pub fn route(&self, path: &str, handler: impl Fn(&Request) -> Response + Send + Sync + 'static) {
        self.routes.set(path, Arc::new(handler));
    }

    /// How often the path was asked for so far, with whatever method and query.
    pub fn hits(&self, path: &str) -> usize {
        self.routes.hits(path)
    }

    /// Waits until the path has been asked for `count` times.
    ///
    /// # Errors
    /// When the limit passes first; the message has what was asked for instead.
    pub fn wait_hits(&self, path: &str, count: usize, limit: Duration) -> anyhow::Result<()> {
        wait_until(limit, || (self.hits(path) >= count).then_some(())).with_context(|| {
            let asked: Vec<String> = self.requests().iter().map(Request::line).collect();
            format!("{path} had {} of {count} hits after {limit:?}; asked for: {asked:?}", self.hits(path))
        })
    }

    /// Every request so far, in the order in which they were complete.
    pub fn requests(&self) -> Vec<Request> {
        self.routes.requests()
    }
}
