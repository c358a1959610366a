//! The server from start to end, on the transport that was asked for.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::config::{ServiceOptions, Transport};
use crate::ending::{self, Cause, Closing, End, Parent, Signal, Signals};
use crate::logging::News;
use crate::mcp::{Handler, Tools, http, stdio};

/// The server could not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartFailed {
    #[error("signals can't be handled: {0}")]
    Signals(#[source] io::Error),
    #[error(transparent)]
    Listen(#[from] http::ListenRefused),
}

/// Serves until something ends it; the exit code says whether everything that it started is gone.
pub(crate) async fn run(
    (transport, service): (&Transport, &ServiceOptions),
    tools: Arc<dyn Tools>,
    closing: &Closing,
    parent: Parent,
    news: News,
) -> Result<ExitCode, StartFailed> {
    let mut signals = Signals::listen().map_err(StartFailed::Signals)?;
    let ending = CancellationToken::new();
    let handler = Handler::new(tools, ending.clone());
    let end = match transport {
        Transport::Stdio => {
            let connection = stdio::serve(handler.asking_roots().telling(news), &ending);
            let cause = tokio::select! {
                signal = signals.next() => Cause::Signal(signal),
                () = parent.gone() => Cause::ParentGone,
                () = connection.client_gone() => Cause::ClientGone,
            };
            let rest = ending::end(cause, &ending, connection.finished(), closing);
            or_second_signal(&mut signals, rest).await
        }
        Transport::Http { host, port } => {
            let listener = http::Listener::bind(*host, *port, service.authorization.is_some()).await?;
            let serving = listener.serve(service, &handler, &ending);
            let signal = signals.next().await;
            let rest = async {
                // Whoever presses Ctrl-C waits for it; whoever replaces a server in service wants no call to be lost.
                if signal == Signal::Terminate {
                    tracing::info!(component = "server", event = "draining");
                    serving.drained().await;
                }
                ending::end(Cause::Signal(signal), &ending, serving.finished(), closing).await
            };
            or_second_signal(&mut signals, rest).await
        }
    };
    Ok(end)
}

async fn or_second_signal(signals: &mut Signals, rest: impl Future<Output = End>) -> ExitCode {
    tokio::select! {
        end = rest => match end {
            End::Clean => ExitCode::SUCCESS,
            End::Unclean => ExitCode::FAILURE,
        },
        second = signals.next() => {
            tracing::warn!(%second, "ending at once");
            ExitCode::from(second.exit_code())
        }
    }
}
