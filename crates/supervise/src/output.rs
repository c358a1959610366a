//! A tree's standard output and standard error, read as one sequence in order of arrival.
//!
//! Never wait for this to end: a grandchild may hold the pipe for ever. Callers read with a deadline.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{ChildStderr, ChildStdout};

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl Stream {
    /// The name as logs show it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

/// Both outputs of a tree.
#[derive(Debug)]
pub struct Output {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// Who is asked first next time: when both always have something, neither may starve the other.
    stderr_first: bool,
}

impl Output {
    pub(crate) fn new(stdout: Option<ChildStdout>, stderr: Option<ChildStderr>) -> Self {
        Self { stdout, stderr, stderr_first: false }
    }

    /// The pipes themselves.
    #[cfg(target_os = "linux")]
    pub(crate) fn descriptors(&self) -> impl Iterator<Item = std::os::fd::BorrowedFd<'_>> {
        use std::os::fd::AsFd;
        let stdout = self.stdout.as_ref().map(AsFd::as_fd);
        stdout.into_iter().chain(self.stderr.as_ref().map(AsFd::as_fd))
    }

    /// Waits for the next bytes of either stream and puts them into `buffer`. `None` when both have ended.
    ///
    /// The wait may be dropped without losing anything. A stream that fails counts as ended: all that a pipe's
    /// failure can mean is that nothing more will come.
    pub async fn read(&mut self, buffer: &mut [u8]) -> Option<(Stream, usize)> {
        poll_fn(|context| self.poll_read(context, buffer)).await
    }

    fn poll_read(&mut self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<Option<(Stream, usize)>> {
        let order = if self.stderr_first {
            [Stream::Stderr, Stream::Stdout]
        } else {
            [Stream::Stdout, Stream::Stderr]
        };
        for stream in order {
            let read = match stream {
                Stream::Stdout => poll_one(&mut self.stdout, context, buffer),
                Stream::Stderr => poll_one(&mut self.stderr, context, buffer),
            };
            if let Poll::Ready(Some(length)) = read {
                self.stderr_first = stream == Stream::Stdout;
                return Poll::Ready(Some((stream, length)));
            }
        }
        if self.stdout.is_none() && self.stderr.is_none() { Poll::Ready(None) } else { Poll::Pending }
    }
}

/// Reads from a pipe that may have ended; one that ends is forgotten.
fn poll_one<R: AsyncRead + Unpin>(
    pipe: &mut Option<R>,
    context: &mut Context<'_>,
    buffer: &mut [u8],
) -> Poll<Option<usize>> {
    let Some(open) = pipe else { return Poll::Ready(None) };
    let mut target = ReadBuf::new(buffer);
    match Pin::new(open).poll_read(context, &mut target) {
        Poll::Pending => Poll::Pending,
        Poll::Ready(Ok(())) if !target.filled().is_empty() => Poll::Ready(Some(target.filled().len())),
        Poll::Ready(_) => {
            *pipe = None;
            Poll::Ready(None)
        }
    }
}
