//! The TCP connection itself.

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::frame::{self, Frame};
use crate::Closed;
use crate::transport::prompt::acknowledge_at_once;

/// The half that messages come from.
#[derive(Debug)]
pub(super) struct Inbound {
    stream: OwnedReadHalf,
    buffer: BytesMut,
}

/// The half that messages go to.
#[derive(Debug)]
pub(super) struct Outbound(OwnedWriteHalf);

pub(super) fn split(stream: TcpStream) -> (Inbound, Outbound) {
    // Without it everything works, only later.
    let _ = stream.set_nodelay(true);
    let (read, write) = stream.into_split();
    (Inbound { stream: read, buffer: BytesMut::with_capacity(64 << 10) }, Outbound(write))
}

impl Inbound {
    pub(super) async fn receive(&mut self) -> Result<Frame, Closed> {
        loop {
            if let Some(frame) = frame::take(&mut self.buffer)? {
                return Ok(frame);
            }
            acknowledge_at_once(self.stream.as_ref());
            self.buffer.reserve(16 << 10);
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(Closed::ByPeer);
            }
        }
    }
}

impl Outbound {
    pub(super) async fn send(&mut self, messages: Vec<Bytes>) -> Result<(), Closed> {
        let bytes = match <[Bytes; 1]>::try_from(messages) {
            Ok([one]) => one,
            Err(many) => many.concat().into(),
        };
        self.0.write_all(&bytes).await?;
        Ok(())
    }
}
