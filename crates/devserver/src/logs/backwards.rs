//! The lines of a file from its end, read block by block: the last lines of a gigabyte cost a few blocks.

use std::io::{self, Read, Seek, SeekFrom};

use super::LONGEST_LINE;

const BLOCK: u64 = 64 * 1024;

/// Hands out lines, the last one first.
#[derive(Debug)]
pub(super) struct Backwards<R> {
    file: R,
    from: u64,
    /// Where the block in hand begins in the file.
    at: u64,
    to: u64,
    /// The block in hand, as far as it is not handed out.
    block: Vec<u8>,
    /// The end of a line whose beginning lies before the block.
    carry: Vec<u8>,
    begun: bool,
    done: bool,
}

impl<R: Read + Seek> Backwards<R> {
    /// The lines between `from` and `to`.
    pub(super) fn new(file: R, from: u64, to: u64) -> Self {
        let done = from >= to;
        Self { file, from, at: to, to, block: Vec::new(), carry: Vec::new(), begun: false, done }
    }

    /// How much was read so far.
    pub(super) fn read(&self) -> u64 {
        self.to - self.at
    }

    /// Whether there are more lines.
    pub(super) fn has_more(&self) -> bool {
        !self.done
    }

    /// The next line, without its line break.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.done {
            return Ok(None);
        }
        loop {
            if let Some(line_break) = self.block.iter().rposition(|byte| *byte == b'\n') {
                let mut line = self.block.split_off(line_break + 1);
                self.block.pop();
                line.append(&mut self.carry);
                return Ok(Some(line));
            }
            self.done = self.begun && self.at == self.from;
            // A line without a beginning in sight is handed out in pieces.
            if self.done || self.block.len() + self.carry.len() >= LONGEST_LINE {
                let mut line = std::mem::take(&mut self.block);
                line.append(&mut self.carry);
                return Ok(Some(line));
            }
            self.load()?;
        }
    }

    fn load(&mut self) -> io::Result<()> {
        let mut rest = std::mem::take(&mut self.block);
        rest.append(&mut self.carry);
        self.carry = rest;
        let begin = self.at.saturating_sub(BLOCK).max(self.from);
        let length = usize::try_from(self.at - begin).unwrap_or_default();
        self.block.resize(length, 0);
        self.file.seek(SeekFrom::Start(begin))?;
        self.file.read_exact(&mut self.block)?;
        self.at = begin;
        if !self.begun {
            self.begun = true;
            // The last line break ends the last line; it does not begin another.
            if self.block.last() == Some(&b'\n') {
                self.block.pop();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use proptest::prelude::*;

    fn lines(text: &[u8]) -> Vec<Vec<u8>> {
        let mut backwards = Backwards::new(Cursor::new(text), 0, text.len() as u64);
        let mut lines = Vec::new();
        while let Some(line) = backwards.next().unwrap() {
            lines.push(line);
        }
        lines.reverse();
        lines
    }

    #[test]
    fn lines_across_blocks_are_whole() {
        let long = vec![b'x'; 50_000];
        let text = [&long[..], b"\n", &long, b"\n\nend"].concat();
        assert_eq!(lines(&text), [&long[..], &long, b"", b"end"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_line_without_end_comes_in_pieces() {
        let text = vec![b'x'; 1 << 20];
        let found = lines(&text);
        assert!(found.iter().all(|piece| piece.len() <= LONGEST_LINE * 2));
        assert_eq!(found.concat(), text);
    }

    proptest! {
        #[test]
        fn they_are_the_lines_that_are_there(text in "[ab\n]{0,80}") {
            let expected: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
            prop_assert_eq!(lines(text.as_bytes()), expected);
        }
    }
}
