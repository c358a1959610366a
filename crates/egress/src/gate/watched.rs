//! A client's socket that tells when it was last used, so that a silent connection can be given up.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};

/// When a connection was last used. Clones are the same moment.
#[derive(Debug, Clone)]
pub(super) struct Pulse {
    began: Instant,
    /// Milliseconds since then.
    last: Arc<AtomicU64>,
}

impl Pulse {
    fn beat(&self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last.store(now, Ordering::Relaxed);
    }

    /// Comes once nothing has happened for `limit`.
    pub(super) async fn silence(&self, limit: Duration) {
        loop {
            let end = self.began + Duration::from_millis(self.last.load(Ordering::Relaxed)) + limit;
            if end <= Instant::now() {
                return;
            }
            sleep_until(end).await;
        }
    }
}

/// A socket with its pulse.
#[derive(Debug)]
pub(super) struct Watched {
    stream: TcpStream,
    pulse: Pulse,
}

impl Watched {
    pub(super) fn new(stream: TcpStream) -> (Self, Pulse) {
        let pulse = Pulse { began: Instant::now(), last: Arc::default() };
        (Self { stream, pulse: pulse.clone() }, pulse)
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_read(cx, out))?;
        self.pulse.beat();
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, bytes))?;
        self.pulse.beat();
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(cx, slices))?;
        self.pulse.beat();
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
