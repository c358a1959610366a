//! MCP over standard input and output: one message a line.
//!
//! [`standard`] opens both ends, [`lines`] cuts the input, [`intake`] takes the messages in: [`admission`] decides which
//! may, [`batches`] keeps the answers to a batch together. [`writer`] owns the output, and [`transport`] is what the SDK
//! sees of them. When the process ends is decided elsewhere (`ending`): here it is only told that the client is gone.

mod admission;
mod batches;
mod intake;
mod lines;
mod standard;
#[cfg(test)]
mod tests;
mod transport;
mod writer;

use rmcp::RoleServer;
use rmcp::service::{RunningService, serve_directly_with_ct};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::Handler;
use transport::StdioTransport;

/// The one client of a server on stdio.
pub(crate) struct Connection {
    gone: CancellationToken,
    running: RunningService<RoleServer, Handler>,
}

/// Serves the client at standard input and output. `ending` stops it; replies that are ready by then still go out.
///
/// Must be called within a tokio runtime.
pub(crate) fn serve(handler: Handler, ending: &CancellationToken) -> Connection {
    let (input, output) = standard::open();
    serve_on(handler, input, output, ending)
}

fn serve_on(
    handler: Handler,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    ending: &CancellationToken,
) -> Connection {
    let gone = CancellationToken::new();
    let transport = StdioTransport::new(input, output, gone.clone());
    // The SDK's own handshake ends the connection when anything but a request comes first. Clients never restart a
    // stdio server that died, so the handshake is a request like any other here, and `admission` keeps its order.
    let running = serve_directly_with_ct(handler, transport, None, ending.child_token());
    Connection { gone, running }
}

impl Connection {
    /// Waits until the client closed its end.
    pub(crate) async fn client_gone(&self) {
        self.gone.cancelled().await;
    }

    /// Waits until every reply is written. Comes only after the client is gone or the server ends.
    pub(crate) async fn finished(self) {
        if let Err(error) = self.running.waiting().await {
            tracing::error!(%error, "the stdio connection ended by a panic");
        }
    }
}
