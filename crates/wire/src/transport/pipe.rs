//! `--remote-debugging-pipe`: JSON messages on two pipes, each message ended by a NUL byte.
//!
//! The browser reads its descriptor 3 and writes its descriptor 4; [`pair`] makes both pipes. The framing works on
//! any byte stream.

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::{Closed, Inbound, Outbound};

/// What is read at once at least. Linux's pipes hold 64 KiB unless told otherwise.
const CHUNK: usize = 64 << 10;
/// No message is larger: V8's longest string has half as many characters.
const LARGEST: usize = 1 << 30;

/// Cuts a stream of bytes into messages.
///
/// Every byte is looked at once and, as long as its message fits into the buffer, never copied: a message is a slice
/// of what was read. A message that does not fit moves into a buffer of twice the size.
#[derive(Debug, Default)]
struct Frames {
    buffer: BytesMut,
    /// So far there is no NUL in the buffer.
    searched: usize,
}

impl Frames {
    /// The next complete message. Empty ones carry nothing and are passed over.
    fn next(&mut self) -> Option<Bytes> {
        loop {
            let Some(found) = memchr::memchr(0, &self.buffer[self.searched..]) else {
                self.searched = self.buffer.len();
                return None;
            };
            let mut message = self.buffer.split_to(self.searched + found + 1);
            self.searched = 0;
            message.truncate(message.len() - 1);
            if !message.is_empty() {
                return Some(message.freeze());
            }
        }
    }

    /// The buffer with room to read into: at least as much as an unfinished message has already.
    fn room(&mut self) -> Result<&mut BytesMut, Closed> {
        if self.buffer.len() > LARGEST {
            return Err(Closed::TooLarge { limit: LARGEST });
        }
        if self.buffer.capacity() - self.buffer.len() < CHUNK / 4 {
            self.buffer.reserve(self.buffer.len().max(CHUNK));
        }
        Ok(&mut self.buffer)
    }
}

/// Messages from a browser.
#[derive(Debug)]
pub struct PipeInbound<R> {
    pipe: R,
    frames: Frames,
}

impl<R: AsyncRead + Send + Unpin + 'static> PipeInbound<R> {
    /// Reads messages from `pipe`.
    pub fn new(pipe: R) -> Self {
        Self { pipe, frames: Frames::default() }
    }

    /// The pipe; what was read from it and not taken yet is lost.
    #[cfg(test)]
    pub(crate) fn into_inner(self) -> R {
        self.pipe
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Inbound for PipeInbound<R> {
    async fn receive(&mut self) -> Result<Bytes, Closed> {
        loop {
            if let Some(message) = self.frames.next() {
                return Ok(message);
            }
            if self.pipe.read_buf(self.frames.room()?).await? == 0 {
                return Err(Closed::ByPeer);
            }
        }
    }
}

/// Messages to a browser.
#[derive(Debug)]
pub struct PipeOutbound<W> {
    pipe: W,
}

impl<W: AsyncWrite + Send + Unpin + 'static> PipeOutbound<W> {
    /// Writes messages to `pipe`.
    pub fn new(pipe: W) -> Self {
        Self { pipe }
    }

    #[cfg(test)]
    pub(crate) fn into_inner(self) -> W {
        self.pipe
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Outbound for PipeOutbound<W> {
    async fn send(&mut self, messages: Vec<Bytes>) -> Result<(), Closed> {
        let mut gathered = Vec::new();
        for message in messages {
            if gathered.len() + message.len() < CHUNK {
                gathered.extend_from_slice(&message);
            } else {
                // Not copied, and gone before the next: fifty sessions' scripts may wait here at once.
                self.pipe.write_all(&gathered).await?;
                self.pipe.write_all(&message).await?;
                gathered.clear();
            }
            gathered.push(0);
        }
        self.pipe.write_all(&gathered).await?;
        Ok(self.pipe.flush().await?)
    }
}

/// Both ends of the two pipes between us and a browser that is yet to be started.
#[cfg(unix)]
#[derive(Debug)]
pub struct Pair {
    /// What the browser says to us.
    pub inbound: PipeInbound<tokio::net::unix::pipe::Receiver>,
    /// What we say to the browser.
    pub outbound: PipeOutbound<tokio::net::unix::pipe::Sender>,
    /// To become the browser's descriptor 3. Close every copy of ours, or its end is never seen.
    pub browser_reads: std::os::fd::OwnedFd,
    /// To become the browser's descriptor 4. Close every copy of ours, or its end is never seen.
    pub browser_writes: std::os::fd::OwnedFd,
}

/// Makes the two pipes. Needs a tokio runtime.
///
/// # Errors
/// There are no descriptors left.
#[cfg(unix)]
pub fn pair() -> std::io::Result<Pair> {
    use tokio::net::unix::pipe::{Receiver, Sender};
    let (browser_reads, we_write) = std::io::pipe()?;
    let (we_read, browser_writes) = std::io::pipe()?;
    Ok(Pair {
        inbound: PipeInbound::new(Receiver::from_owned_fd(we_read.into())?),
        outbound: PipeOutbound::new(Sender::from_owned_fd(we_write.into())?),
        browser_reads: browser_reads.into(),
        browser_writes: browser_writes.into(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Feeds `stream` in pieces of the given sizes, over and over, and gathers what comes out.
    fn frames_of(stream: &[u8], pieces: &[usize]) -> Vec<Bytes> {
        let (mut frames, mut out, mut rest) = (Frames::default(), Vec::new(), stream);
        for size in pieces.iter().cycle() {
            let (piece, left) = rest.split_at((*size).min(rest.len()));
            frames.room().unwrap().extend_from_slice(piece);
            out.extend(std::iter::from_fn(|| frames.next()));
            rest = left;
            if rest.is_empty() {
                return out;
            }
        }
        out
    }

    proptest! {
        #[test]
        fn any_split_of_the_stream_gives_the_same_messages(
            messages in prop::collection::vec(prop::collection::vec(1_u8.., 1..300), 0..40),
            pieces in prop::collection::vec(1_usize..500, 1..20),
        ) {
            let stream: Vec<u8> = messages.iter().flat_map(|message| [message, &[0_u8][..]].concat()).collect();
            prop_assert_eq!(frames_of(&stream, &pieces), messages);
        }

        #[test]
        fn an_unfinished_message_is_held_back(tail in prop::collection::vec(1_u8.., 0..300), piece in 1_usize..50) {
            let stream = [b"{}\0\0", &tail[..]].concat();
            prop_assert_eq!(frames_of(&stream, &[piece]), vec![Bytes::from_static(b"{}")]);
        }
    }

    #[tokio::test]
    async fn several_messages_leave_in_one_write() {
        let mut wire = tokio_test_write::Recorded::default();
        PipeOutbound::new(wire.clone()).send(vec!["one".into(), "two".into()]).await.unwrap();
        assert_eq!(wire.take(), [b"one\0two\0".to_vec()]);
    }

    #[tokio::test]
    async fn a_big_message_leaves_by_itself_and_is_not_copied() {
        let mut wire = tokio_test_write::Recorded::default();
        let big = vec![b'x'; CHUNK];
        let messages = vec!["one".into(), big.clone().into(), "two".into()];
        PipeOutbound::new(wire.clone()).send(messages).await.unwrap();
        assert_eq!(wire.take(), [b"one\0".to_vec(), big, b"\0two\0".to_vec()]);
    }

    #[tokio::test]
    async fn a_message_of_64_megabytes_arrives_whole_and_in_linear_time() {
        let (ours, theirs) = tokio::io::duplex(CHUNK);
        let big = Bytes::from(vec![b'x'; 64 << 20]);
        let sent = big.clone();
        let sender =
            tokio::spawn(
                async move { PipeOutbound::new(theirs).send(vec!["a".into(), sent, "b".into()]).await },
            );
        let mut inbound = PipeInbound::new(ours);
        assert_eq!(inbound.receive().await.unwrap(), "a");
        assert_eq!(inbound.receive().await.unwrap(), big);
        assert_eq!(inbound.receive().await.unwrap(), "b");
        assert!(matches!(inbound.receive().await, Err(Closed::ByPeer)));
        sender.await.unwrap().unwrap();
    }

    /// A byte sink that remembers each write by itself.
    mod tokio_test_write {
        use std::pin::Pin;
        use std::sync::{Arc, Mutex};
        use std::task::{Context, Poll};

        #[derive(Debug, Clone, Default)]
        pub(super) struct Recorded(Arc<Mutex<Vec<Vec<u8>>>>);

        impl Recorded {
            pub(super) fn take(&mut self) -> Vec<Vec<u8>> {
                std::mem::take(&mut self.0.lock().unwrap())
            }
        }

        impl tokio::io::AsyncWrite for Recorded {
            fn poll_write(
                self: Pin<&mut Self>,
                _: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<std::io::Result<usize>> {
                self.0.lock().unwrap().push(bytes.to_vec());
                Poll::Ready(Ok(bytes.len()))
            }

            fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
                Poll::Ready(Ok(()))
            }

            fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
                Poll::Ready(Ok(()))
            }
        }
    }
}
