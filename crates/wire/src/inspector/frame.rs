//! Frames of the socket: `u32` length in big endian, a byte of flags, a name that ends with zero, parameters.

use bytes::{Buf, Bytes, BytesMut};

use crate::Closed;

/// The parameters are in little endian.
const LITTLE_ENDIAN: u8 = 1;
const HEAD: usize = 5;
/// No message of a browser is larger.
const LARGEST: usize = 1 << 30;

/// One message of the socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) name: Bytes,
    pub(super) parameters: Bytes,
}

/// A message as it is sent.
pub(super) fn write(name: &str, parameters: &[u8]) -> Bytes {
    let length = name.len() + 1 + parameters.len();
    let mut bytes = Vec::with_capacity(HEAD + length);
    // A message beyond 4 GiB was never one.
    bytes.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
    bytes.push(LITTLE_ENDIAN);
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(parameters);
    bytes.into()
}

/// Takes the next message out of what has come, if it is whole.
pub(super) fn take(buffer: &mut BytesMut) -> Result<Option<Frame>, Closed> {
    let Some((head, rest)) = buffer.split_first_chunk::<HEAD>() else { return Ok(None) };
    let [a, b, c, d, flags] = *head;
    let length = u32::from_be_bytes([a, b, c, d]) as usize;
    if length > LARGEST {
        return Err(Closed::TooLarge { limit: LARGEST });
    }
    if flags != LITTLE_ENDIAN {
        return Err(Closed::Unintelligible("a message in big endian".to_owned()));
    }
    if rest.len() < length {
        buffer.reserve(HEAD + length - buffer.len());
        return Ok(None);
    }
    buffer.advance(HEAD);
    let mut body = buffer.split_to(length).freeze();
    let end = memchr::memchr(0, &body)
        .ok_or_else(|| Closed::Unintelligible("a message without a name".to_owned()))?;
    let name = body.split_to(end);
    body.advance(1);
    Ok(Some(Frame { name, parameters: body }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_taken_whole_however_they_come() {
        let sent = [write("Setup", b"abc"), write("Empty", b""), write("X", &[0; 3000])].concat();
        for step in [1, 7, 4096] {
            let (mut buffer, mut names) = (BytesMut::new(), Vec::new());
            for part in sent.chunks(step) {
                buffer.extend_from_slice(part);
                while let Some(frame) = take(&mut buffer).unwrap() {
                    names.push((frame.name.to_vec(), frame.parameters.len()));
                }
            }
            assert_eq!(names, [(b"Setup".to_vec(), 3), (b"Empty".to_vec(), 0), (b"X".to_vec(), 3000)]);
        }
    }

    #[test]
    fn what_is_no_message_ends_the_connection() {
        let refused = |bytes: &[u8]| take(&mut BytesMut::from(bytes)).is_err();
        assert!(refused(b"\xff\xff\xff\xff\x01"));
        assert!(refused(b"\0\0\0\x01\0a"));
        assert!(refused(b"\0\0\0\x01\x01a"));
    }
}
