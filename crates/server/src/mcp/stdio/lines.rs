//! Cuts a byte stream into lines, none longer than the limit.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// What comes next on the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A line, without its end.
    Whole(&'a [u8]),
    /// What stood after the last line end when the input closed. It may be half a message.
    Unfinished(&'a [u8]),
    /// A line beyond the limit. It is skipped as it comes, so it costs no memory.
    TooLong,
}

/// Reads lines. Cancel-safe: a dropped [`Lines::next`] loses nothing.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    limit: usize,
    line: Vec<u8>,
    /// The line was handed out; the next call begins a new one.
    handed_out: bool,
    /// The rest of a line that was too long is being skipped.
    skipping: bool,
    closed: bool,
}

/// A longer line's memory is given back after use.
const KEPT: usize = 64 * 1024;

enum Step {
    More,
    Line,
    TooLong,
    Closed,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        let input = BufReader::with_capacity(KEPT, input);
        Self { input, limit, line: Vec::new(), handed_out: false, skipping: false, closed: false }
    }

    /// The next line; `None` once the input has closed.
    ///
    /// # Errors
    /// When the input can't be read.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        if self.closed {
            return Ok(None);
        }
        self.begin();
        loop {
            match self.step().await? {
                Step::More => {}
                Step::Line => {
                    self.handed_out = true;
                    return Ok(Some(Line::Whole(without_return(&self.line))));
                }
                Step::TooLong => return Ok(Some(Line::TooLong)),
                Step::Closed => {
                    self.closed = true;
                    self.handed_out = true;
                    return Ok((!self.line.is_empty()).then(|| Line::Unfinished(without_return(&self.line))));
                }
            }
        }
    }

    fn begin(&mut self) {
        if std::mem::take(&mut self.handed_out) {
            self.line.clear();
            self.line.shrink_to(KEPT);
        }
    }

    /// Takes in one buffer's worth. Nothing is awaited between looking at the bytes and consuming them.
    async fn step(&mut self) -> io::Result<Step> {
        let available = self.input.fill_buf().await?;
        if available.is_empty() {
            return Ok(Step::Closed);
        }
        let end = memchr::memchr(b'\n', available);
        let piece = &available[..end.unwrap_or(available.len())];
        let consumed = piece.len() + usize::from(end.is_some());
        let step = if self.skipping {
            self.skipping = end.is_none();
            Step::More
        } else if self.line.len() + piece.len() > self.limit {
            self.skipping = end.is_none();
            self.line = Vec::new();
            Step::TooLong
        } else {
            self.line.extend_from_slice(piece);
            if end.is_some() { Step::Line } else { Step::More }
        };
        self.input.consume(consumed);
        Ok(step)
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    async fn all(input: &[u8], limit: usize) -> Vec<String> {
        let mut lines = Lines::new(input, limit);
        let mut seen = Vec::new();
        while let Some(line) = lines.next().await.expect("readable") {
            seen.push(format!("{line:?}"));
        }
        seen
    }

    #[tokio::test]
    async fn lines_end_at_newlines_and_lose_their_carriage_return() {
        let mut lines = Lines::new(&b"a\r\n\nb\nhalf"[..], 100);
        for expected in [Line::Whole(b"a"), Line::Whole(b""), Line::Whole(b"b"), Line::Unfinished(b"half")] {
            assert_eq!(lines.next().await.expect("readable"), Some(expected));
        }
        assert_eq!(lines.next().await.expect("readable"), None);
    }

    #[tokio::test]
    async fn a_line_beyond_the_limit_is_told_once_and_skipped_with_flat_memory() {
        let mut input = vec![b'x'; 1_000_000];
        input.extend_from_slice(b"\nnext\n");
        let mut lines = Lines::new(&input[..], 1000);
        assert_eq!(lines.next().await.expect("readable"), Some(Line::TooLong));
        assert_eq!(lines.next().await.expect("readable"), Some(Line::Whole(b"next")));
        assert!(lines.line.capacity() <= KEPT);
    }

    #[tokio::test]
    async fn a_line_of_exactly_the_limit_is_whole() {
        assert_eq!(
            all(b"12345\n123456\n", 5).await,
            [format!("{:?}", Line::Whole(b"12345")), "TooLong".into()]
        );
    }

    proptest! {
        #[test]
        fn a_read_cancelled_at_any_point_loses_nothing(text in "[ab\n]{0,60}", cuts in prop::collection::vec(1usize..7, 1..30)) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
            runtime.block_on(async {
                let (mut far, near) = tokio::io::duplex(256);
                let mut lines = Lines::new(near, 1000);
                let mut seen = Vec::new();
                let mut rest = text.as_bytes();
                for cut in cuts.iter().cycle() {
                    if rest.is_empty() {
                        break;
                    }
                    let (now, later) = rest.split_at((*cut).min(rest.len()));
                    rest = later;
                    tokio::io::AsyncWriteExt::write_all(&mut far, now).await.expect("room");
                    // Polled once per piece and dropped when it would wait, as in the SDK's `select!`.
                    while let Some(line) = futures_util::FutureExt::now_or_never(lines.next()) {
                        seen.push(format!("{:?}", line.expect("readable").expect("open")));
                    }
                }
                drop(far);
                while let Some(line) = lines.next().await.expect("readable") {
                    seen.push(format!("{line:?}"));
                }
                prop_assert_eq!(seen, all(text.as_bytes(), 1000).await);
                Ok(())
            })?;
        }
    }
}
