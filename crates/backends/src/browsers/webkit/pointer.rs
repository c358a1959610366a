//! The pointer of a display of ours, by the few words of the X protocol (version 11) that it takes.
//!
//! It stands in the middle of the screen when the display begins, below every window that opens there. Whenever one of them
//! opens or closes, the windows below hear that the mouse has come or gone: a page would see it move, and a menu that it had
//! opened close, because a popup comes or goes. So the pointer is put into the last corner, which no window reaches that is
//! smaller than the screen. The browsers' own input does not ask where it is.

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

/// What lets in who has a display's word.
pub(super) const AUTHORIZATION: &[u8] = b"MIT-MAGIC-COOKIE-1";

/// Every answer but the first is as long as this.
const ANSWER: usize = 32;

/// Puts the pointer of the display with this number into the last corner of its screen.
pub(super) async fn put_aside(number: &str, word: &[u8]) -> io::Result<()> {
    let mut display = Connection::open(number, word).await?;
    let Screen { root, width, height } = display.screen;
    let root = root.to_le_bytes();
    let [x, y] = [width, height].map(|length| length.saturating_sub(1).to_le_bytes());
    let warp = [&[41, 0, 6, 0, 0, 0, 0, 0], &root[..], &[0; 8], &x, &y].concat();
    display.stream.write_all(&warp).await?;
    // What was asked before an answer has been done when it comes.
    let get_input_focus = [43, 0, 1, 0];
    display.ask(&get_input_focus).await.map(drop)
}

/// A screen as a display tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Screen {
    root: u32,
    width: u16,
    height: u16,
}

impl Screen {
    /// The first one of those in the answer to a greeting, which begins behind the answer's length.
    fn first_of(answer: &[u8]) -> Option<Self> {
        let short = |at: usize| Some(u16::from_le_bytes(answer.get(at..)?.first_chunk().copied()?));
        let vendor = usize::from(short(16)?).next_multiple_of(4);
        let formats = usize::from(*answer.get(21)?) * 8;
        let at = 32 + vendor + formats;
        let root = u32::from_le_bytes(answer.get(at..)?.first_chunk().copied()?);
        Some(Self { root, width: short(at + 20)?, height: short(at + 22)? })
    }
}

/// A client of a display.
#[derive(Debug)]
struct Connection {
    stream: UnixStream,
    screen: Screen,
}

impl Connection {
    async fn open(number: &str, word: &[u8]) -> io::Result<Self> {
        let mut stream = UnixStream::connect(format!("/tmp/.X11-unix/X{number}")).await?;
        stream.write_all(&greeting(AUTHORIZATION, word)).await?;
        let mut head = [0; 8];
        stream.read_exact(&mut head).await?;
        let [status, .., low, high] = head;
        let mut answer = vec![0; usize::from(u16::from_le_bytes([low, high])) * 4];
        stream.read_exact(&mut answer).await?;
        if status != 1 {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the display does not let us in"));
        }
        let screen = Screen::first_of(&answer)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the display tells of no screen"))?;
        Ok(Self { stream, screen })
    }

    async fn ask(&mut self, request: &[u8]) -> io::Result<[u8; ANSWER]> {
        self.stream.write_all(request).await?;
        let mut answer = [0; ANSWER];
        self.stream.read_exact(&mut answer).await?;
        match answer {
            [1, ..] => Ok(answer),
            [kind, code, ..] => Err(io::Error::other(format!("the display answered {kind}, {code}"))),
        }
    }
}

/// How a client begins.
pub(super) fn greeting(authorization: &[u8], word: &[u8]) -> Vec<u8> {
    let padded = |field: &[u8]| [field, &vec![0; field.len().next_multiple_of(4) - field.len()]].concat();
    let length = |field: &[u8]| u16::try_from(field.len()).unwrap_or(u16::MAX).to_le_bytes();
    let head = [b"l\0".as_slice(), &[11, 0, 0, 0], &length(authorization), &length(word), &[0, 0]].concat();
    [head, padded(authorization), padded(word)].concat()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Where the pointer of a display is, and how large its screen.
    pub(crate) async fn pointer(number: &str, word: &[u8]) -> ((u16, u16), (u16, u16)) {
        let mut display = Connection::open(number, word).await.unwrap();
        let query = [&[38, 0, 2, 0], display.screen.root.to_le_bytes().as_slice()].concat();
        let answer = display.ask(&query).await.unwrap();
        let short = |at: usize| u16::from_le_bytes([answer[at], answer[at + 1]]);
        ((short(16), short(18)), (display.screen.width, display.screen.height))
    }

    #[test]
    fn an_answer_that_is_cut_off_has_no_screen() {
        let mut answer = vec![0; 32];
        answer[16] = 3; // the vendor's name, filled up to four bytes
        answer[21] = 1; // a format
        answer.extend([0; 4 + 8]);
        answer.extend([7, 0, 0, 0]);
        answer.extend([0; 16]);
        answer.extend([0x80, 0x07, 0xb0, 0x04]);
        assert_eq!(Screen::first_of(&answer), Some(Screen { root: 7, width: 1920, height: 1200 }));
        for length in 0..answer.len() {
            assert_eq!(Screen::first_of(&answer[..length]), None);
        }
    }
}
