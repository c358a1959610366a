//! A TCP connection that acknowledges at once.
//!
//! Firefox and WebKit leave Nagle's algorithm on, so their second message waits for our acknowledgement of the first: 40 ms by the
//! usual delay of acknowledgements. They are asked for at once, again before every read, because the system forgets it.

use std::io::{IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The connection.
#[derive(Debug)]
pub(super) struct Prompt(pub(super) TcpStream);

impl AsyncRead for Prompt {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        acknowledge_at_once(&self.0);
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Prompt {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

/// What comes next is acknowledged when it comes.
#[cfg(target_os = "linux")]
pub(crate) fn acknowledge_at_once(stream: &TcpStream) {
    // Without it everything works, only later.
    let _ = rustix::net::sockopt::set_tcp_quickack(stream, true);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn acknowledge_at_once(_: &TcpStream) {}
