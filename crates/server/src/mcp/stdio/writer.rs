//! The one owner of the output: a task that writes whole lines, in the order in which they were handed in.

use std::io;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Lines that may wait for a client that doesn't read. Beyond it nothing more is read from that client either.
const MOST_WAITING: usize = 64;
/// Waiting lines are written together up to about this size.
const TOGETHER: usize = 64 * 1024;

/// Starts the writer; `gone` fires when the client can't be written to. It ends when every sender is dropped and
/// everything is written.
pub(super) fn start(
    output: impl AsyncWrite + Send + Unpin + 'static,
    gone: CancellationToken,
) -> (mpsc::Sender<Vec<u8>>, JoinHandle<()>) {
    let (sender, lines) = mpsc::channel(MOST_WAITING);
    let writing = tokio::spawn(async move {
        if let Err(error) = write_all(output, lines).await {
            tracing::warn!(%error, "the client's end of standard output is closed");
            gone.cancel();
        }
    });
    (sender, writing)
}

async fn write_all(
    mut output: impl AsyncWrite + Send + Unpin,
    mut lines: mpsc::Receiver<Vec<u8>>,
) -> io::Result<()> {
    while let Some(mut text) = lines.recv().await {
        text.push(b'\n');
        while text.len() < TOGETHER
            && let Ok(more) = lines.try_recv()
        {
            text.extend_from_slice(&more);
            text.push(b'\n');
        }
        output.write_all(&text).await?;
        output.flush().await?;
    }
    Ok(())
}
