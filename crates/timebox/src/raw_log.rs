//! raw.log: everything that a run printed, as it came, each line with its time and its stream (B4.1, B4.4).
//!
//! ```text
//! [2026-01-12T12:34:56.789Z] [stdout] Running "flutter test"...
//! [2026-01-12T12:34:57.123Z] [stderr] Warning: some warning
//! ```
//!
//! Nothing is lost and nothing is held back: bytes are written as they arrive, whatever they are, so a line of 100 MB
//! costs no memory and a prompt without a newline is in the file while the program waits. A line that the other
//! stream interrupts goes on in a record of its own whose stream has a plus, `[stdout+]`: joined to the stream's
//! record before it, it gives the line back.

use std::io::Write;

use memchr::memchr;
use supervise::Stream;

use crate::time::Stamp;

/// Writes records to `W`.
#[derive(Debug)]
pub(crate) struct RawLog<W> {
    file: W,
    stamp: Stamp,
    batch: Vec<u8>,
    /// The stream whose unfinished line is at the end of the file.
    open: Option<Stream>,
    /// The streams whose unfinished line was interrupted by the other one.
    interrupted: [bool; 2],
}

impl<W: Write> RawLog<W> {
    pub(crate) fn new(file: W) -> Self {
        Self { file, stamp: Stamp::default(), batch: Vec::new(), open: None, interrupted: [false; 2] }
    }

    /// Records `bytes`, which arrived on `stream` at `unix_ms`.
    ///
    /// # Errors
    /// What the file said. The log then ends at the last whole batch.
    pub(crate) fn record(&mut self, stream: Stream, bytes: &[u8], unix_ms: i64) -> std::io::Result<()> {
        self.batch.clear();
        self.batch_up(stream, bytes, unix_ms);
        self.flush_batch()
    }

    /// Ends the last line.
    ///
    /// # Errors
    /// What the file said.
    pub(crate) fn finish(mut self) -> std::io::Result<()> {
        self.batch.clear();
        if self.open.is_some() {
            self.batch.push(b'\n');
        }
        self.flush_batch()?;
        self.file.flush()
    }

    fn batch_up(&mut self, stream: Stream, bytes: &[u8], unix_ms: i64) {
        let mut rest = bytes;
        if self.open == Some(stream) {
            rest = self.line(rest);
        } else if self.open.is_some_and(|_| !rest.is_empty()) {
            self.interrupt();
        }
        if rest.is_empty() {
            return;
        }
        let (fresh, continued) = self.stamp.prefixes(stream, unix_ms);
        let first = if std::mem::take(&mut self.interrupted[index(stream)]) { &continued } else { &fresh };
        self.batch.extend_from_slice(first);
        rest = self.line(rest);
        while !rest.is_empty() {
            self.batch.extend_from_slice(&fresh);
            rest = self.line(rest);
        }
        if self.batch.last() != Some(&b'\n') {
            self.open = Some(stream);
        }
    }

    /// Takes one line, or what there is of it, and answers the rest.
    fn line<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        match memchr(b'\n', bytes) {
            Some(end) => {
                self.batch.extend_from_slice(&bytes[..=end]);
                self.open = None;
                &bytes[end + 1..]
            }
            None => {
                self.batch.extend_from_slice(bytes);
                &[]
            }
        }
    }

    /// Breaks the unfinished line at the end of the file; its stream's next record goes on with it.
    fn interrupt(&mut self) {
        if let Some(open) = self.open.take() {
            self.interrupted[index(open)] = true;
            self.batch.push(b'\n');
        }
    }

    fn flush_batch(&mut self) -> std::io::Result<()> {
        self.file.write_all(&self.batch)
    }
}

impl RawLog<Vec<u8>> {
    /// Forgets the oldest records of a log in memory until little more than `most` bytes are left.
    pub(crate) fn keep_last(&mut self, most: usize) {
        if let Some(excess) = self.file.len().checked_sub(2 * most) {
            let cut = excess + most;
            let line_end = memchr(b'\n', &self.file[cut..]).map_or(cut, |end| cut + end + 1);
            self.file.drain(..line_end);
        }
    }

    /// The log, its last line ended.
    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        if self.open.is_some() {
            self.file.push(b'\n');
        }
        self.file
    }
}

fn index(stream: Stream) -> usize {
    match stream {
        Stream::Stdout => 0,
        Stream::Stderr => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use supervise::Stream::{Stderr, Stdout};

    /// 2026-01-12T12:34:56.789Z
    const T: i64 = 1_768_221_296_789;

    fn log(chunks: &[(Stream, &[u8])]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut log = RawLog::new(&mut file);
        for (number, (stream, bytes)) in chunks.iter().enumerate() {
            log.record(*stream, bytes, T + i64::try_from(number).unwrap()).unwrap();
        }
        log.finish().unwrap();
        file
    }

    fn text(chunks: &[(Stream, &[u8])]) -> String {
        String::from_utf8(log(chunks)).unwrap()
    }

    #[test]
    fn lines_have_the_format_of_the_specification() {
        let text = text(&[
            (Stdout, b"Running\n"),
            (Stderr, b"Warning: some warning\n"),
            (Stdout, "✓ Test\n".as_bytes()),
        ]);
        assert_eq!(
            text,
            "[2026-01-12T12:34:56.789Z] [stdout] Running\n\
             [2026-01-12T12:34:56.790Z] [stderr] Warning: some warning\n\
             [2026-01-12T12:34:56.791Z] [stdout] ✓ Test\n"
        );
    }

    #[test]
    fn a_line_that_comes_in_pieces_is_one_line() {
        assert_eq!(
            text(&[(Stdout, b"a"), (Stdout, b"b"), (Stdout, b"c\n")]),
            "[2026-01-12T12:34:56.789Z] [stdout] abc\n"
        );
    }

    #[test]
    fn an_interrupted_line_goes_on_in_a_record_with_a_plus() {
        let text = text(&[(Stdout, b"ab"), (Stderr, b"warn\n"), (Stdout, b"cd\nnext\n")]);
        assert_eq!(
            text,
            "[2026-01-12T12:34:56.789Z] [stdout] ab\n\
             [2026-01-12T12:34:56.790Z] [stderr] warn\n\
             [2026-01-12T12:34:56.791Z] [stdout+] cd\n\
             [2026-01-12T12:34:56.791Z] [stdout] next\n"
        );
    }

    #[test]
    fn a_prompt_without_newline_is_written_at_once() {
        let mut file = Vec::new();
        let mut log = RawLog::new(&mut file);
        log.record(Stdout, b"Password: ", T).unwrap();
        assert!(log.file.ends_with(b"Password: "));
    }

    #[test]
    fn carriage_returns_nul_and_invalid_utf8_are_kept_as_they_are() {
        let log = log(&[(Stdout, b"a\r\nb\0c\xff\xfe\n")]);
        assert!(log.ends_with(b"[stdout] a\r\n[2026-01-12T12:34:56.789Z] [stdout] b\0c\xff\xfe\n"));
    }

    #[test]
    fn a_full_disk_is_an_error_and_not_a_panic() {
        let mut log = RawLog::new(std::fs::File::options().write(true).open("/dev/full").unwrap());
        assert_eq!(log.record(Stdout, b"x\n", T).unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    }

    /// Gives each stream's bytes back from a log, without the final newline, which the log adds where there was none.
    fn decode(log: &[u8]) -> [Vec<u8>; 2] {
        let mut streams: [Vec<u8>; 2] = [Vec::new(), Vec::new()];
        for record in log.split_inclusive(|byte| *byte == b'\n') {
            let tag = &record[27..];
            let stream = if tag.starts_with(b"[stdout") { 0 } else { 1 };
            let continued = tag[7] == b'+';
            let text = &tag[if continued { 10 } else { 9 }..];
            if continued {
                assert_eq!(streams[stream].pop(), Some(b'\n'), "a plus follows an unfinished line");
            }
            streams[stream].extend_from_slice(text);
        }
        streams.map(|mut bytes| {
            bytes.pop();
            bytes
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        /// BP7: whatever is printed, in whatever pieces, comes back byte for byte.
        #[test]
        fn nothing_that_was_printed_is_lost(chunks in prop::collection::vec((any::<bool>(), prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), any::<u8>()], 0..12)), 0..20)) {
            let chunks: Vec<(Stream, Vec<u8>)> = chunks.into_iter().map(|(err, bytes)| (if err { Stderr } else { Stdout }, bytes)).collect();
            let log = log(&chunks.iter().map(|(stream, bytes)| (*stream, bytes.as_slice())).collect::<Vec<_>>());
            let decoded = decode(&log);
            for (number, stream) in [Stdout, Stderr].into_iter().enumerate() {
                let mut printed: Vec<u8> = chunks.iter().filter(|(of, _)| *of == stream).flat_map(|(_, bytes)| bytes.clone()).collect();
                if printed.last() == Some(&b'\n') {
                    printed.pop();
                }
                prop_assert_eq!(&decoded[number], &printed);
            }
        }
    }
}
