//! The newest line that a run printed, cut to a readable length: what progress and time-out messages show.

use memchr::{memchr, memrchr};
use supervise::Stream;

/// Longer lines show their beginning.
const SHOWN: usize = 200;
/// As much of a chunk's end as is looked at: a flood is not searched from its beginning.
const LOOKED_AT: usize = 4096;

/// Remembers it.
#[derive(Debug, Default)]
pub(crate) struct LastLine {
    /// The unfinished lines of stdout and stderr.
    unfinished: [Vec<u8>; 2],
    newest: Vec<u8>,
}

impl LastLine {
    /// A stream said `bytes`.
    pub(crate) fn push(&mut self, stream: Stream, bytes: &[u8]) {
        let unfinished = &mut self.unfinished[usize::from(stream == Stream::Stderr)];
        let Some(last_end) = memrchr(b'\n', bytes) else {
            extend(unfinished, bytes);
            self.take_newest(stream);
            return;
        };
        let (complete, rest) = bytes.split_at(last_end + 1);
        let complete = &complete[complete.len().saturating_sub(LOOKED_AT)..];
        match complete.split(|byte| *byte == b'\n').rfind(|line| !line.trim_ascii().is_empty()) {
            Some(line) => {
                // The first line of what came may be the end of an unfinished one.
                let continues = memchr(b'\n', bytes) == Some(last_end);
                if !continues {
                    unfinished.clear();
                }
                extend(unfinished, line);
            }
            None if unfinished.trim_ascii().is_empty() => unfinished.clear(),
            None => {}
        }
        self.take_newest(stream);
        let unfinished = &mut self.unfinished[usize::from(stream == Stream::Stderr)];
        unfinished.clear();
        extend(unfinished, rest);
        self.take_newest(stream);
    }

    fn take_newest(&mut self, stream: Stream) {
        let line = &self.unfinished[usize::from(stream == Stream::Stderr)];
        if !line.trim_ascii().is_empty() {
            self.newest.clone_from(line);
        }
    }

    /// The line, readable: no colours, no control characters.
    pub(crate) fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.newest);
        let plain = base::plain::text(text.trim());
        base::clip::head(plain.trim(), SHOWN).into_owned()
    }
}

/// Appends, but never more than is shown (a character has four bytes at most, and colours take some).
fn extend(line: &mut Vec<u8>, bytes: &[u8]) {
    let room = (8 * SHOWN).saturating_sub(line.len());
    line.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use supervise::Stream::{Stderr, Stdout};

    fn after(chunks: &[(Stream, &str)]) -> String {
        let mut last = LastLine::default();
        for (stream, text) in chunks {
            last.push(*stream, text.as_bytes());
        }
        last.text()
    }

    #[test]
    fn the_newest_line_that_says_something_is_shown() {
        assert_eq!(after(&[]), "");
        assert_eq!(after(&[(Stdout, "one\ntwo\n")]), "two");
        assert_eq!(after(&[(Stdout, "one\n\n  \n")]), "one");
        assert_eq!(after(&[(Stdout, "one\nPassword: ")]), "Password:");
        assert_eq!(after(&[(Stdout, "one\n"), (Stderr, "warn\n")]), "warn");
        assert_eq!(after(&[(Stdout, "one\n"), (Stderr, "\n")]), "one");
    }

    #[test]
    fn a_line_in_pieces_is_put_together_whatever_the_other_stream_says() {
        assert_eq!(after(&[(Stdout, "te"), (Stderr, "x\n"), (Stdout, "st"), (Stdout, " 1\n")]), "test 1");
        assert_eq!(after(&[(Stdout, "a"), (Stdout, "\n"), (Stdout, "\n")]), "a");
        assert_eq!(after(&[(Stdout, "old"), (Stdout, "\nnew\n")]), "new");
    }

    #[test]
    fn colours_and_length_are_cut() {
        assert_eq!(after(&[(Stdout, "\u{1b}[31mred\u{1b}[0m\n")]), "red");
        assert!(after(&[(Stdout, &"x".repeat(100_000))]).chars().count() < SHOWN + 40);
    }
}
