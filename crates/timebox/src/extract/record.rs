//! Lines of output out of raw.log's records.
//!
//! A record is `[2026-01-12T12:34:56.789Z] [stdout] text`; `[stdout+]` continues the stream's last line, which was
//! written before it was whole. Such pieces are put together when they lie close to each other. What is no record is a
//! line as it stands.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

use base::plain;

use super::pattern;

/// What is kept of one line; the rest is only searched.
const LONGEST_LINE: usize = 64 * 1024;

/// How many lines may come between a line and its continuation for the two to be put together. Only so many lines wait
/// in memory.
const REACH: usize = 16;

/// One plain line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The number of the record that it begins in, from 1.
    pub(super) number: u64,
    pub(super) text: &'a str,
    /// Where trouble begins; at its end if that is in the part that was not kept.
    pub(super) trouble: Option<usize>,
}

/// Hands every plain line of a raw.log to `each`, from where `log` stands to its end.
///
/// # Errors
/// What reading says.
pub fn for_each_line(log: impl Read, mut each: impl FnMut(&str)) -> io::Result<()> {
    read(io::BufReader::with_capacity(LONGEST_LINE, log), |line| each(line.text)).map(drop)
}

/// As [`for_each_line`], with numbers and trouble; gives the number of records.
pub(super) fn read(mut log: impl BufRead, mut each: impl FnMut(Line<'_>)) -> io::Result<u64> {
    let mut waiting: VecDeque<Pending> = VecDeque::with_capacity(REACH + 1);
    let mut number = 0;
    let mut piece = Vec::new();
    while let Some(mut whole) = read_piece(&mut log, &mut piece)? {
        number += 1;
        let record = Record::parse(&piece);
        let at = record.place_in(&mut waiting, number);
        waiting[at].append(&piece[record.text_at..]);
        while !whole {
            let Some(ended) = read_piece(&mut log, &mut piece)? else { break };
            waiting[at].append(&piece);
            whole = ended;
        }
        while waiting.len() > REACH {
            if let Some(line) = waiting.pop_front() {
                line.tell(&mut each);
            }
        }
    }
    waiting.into_iter().for_each(|line| line.tell(&mut each));
    Ok(number)
}

/// Reads up to the next line break or up to the longest line, without the line break. `true` when the line is over,
/// nothing at the end.
fn read_piece(log: &mut impl BufRead, piece: &mut Vec<u8>) -> io::Result<Option<bool>> {
    piece.clear();
    log.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', piece)?;
    if piece.is_empty() {
        return Ok(None);
    }
    let over = piece.last() == Some(&b'\n');
    if over {
        piece.pop();
    }
    Ok(Some(over))
}

/// Skips to after the next line break, or to the end; gives the number of bytes.
pub(super) fn skip_line(log: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let buffer = log.fill_buf()?;
        let (bytes, found) = match memchr::memchr(b'\n', buffer) {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        log.consume(bytes);
        skipped += bytes as u64;
        if found {
            return Ok(skipped);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Stdout,
    Stderr,
    /// The line has no head: it was not written by us.
    None,
}

/// A record's head.
#[derive(Debug, Clone, Copy)]
struct Record {
    stream: Stream,
    continues: bool,
    /// Where its text begins.
    text_at: usize,
}

impl Record {
    fn parse(line: &[u8]) -> Self {
        Self::head(line).unwrap_or(Self { stream: Stream::None, continues: false, text_at: 0 })
    }

    /// `[`, a time of 20 to 35 characters, `] [`, the stream, `] `.
    fn head(line: &[u8]) -> Option<Self> {
        const HEADS: [(&[u8], Stream, bool); 4] = [
            (b"] [stdout] ", Stream::Stdout, false),
            (b"] [stderr] ", Stream::Stderr, false),
            (b"] [stdout+] ", Stream::Stdout, true),
            (b"] [stderr+] ", Stream::Stderr, true),
        ];
        let rest = line.strip_prefix(b"[")?;
        let close = memchr::memchr(b']', &rest[..rest.len().min(40)])?;
        let time = &rest[..close];
        if time.len() < 20 || !time[0].is_ascii_digit() {
            return None;
        }
        let after = &rest[close..];
        HEADS.iter().find_map(|(head, stream, continues)| {
            // An empty text may have lost the space at its end.
            let bare = head.trim_ascii_end();
            let length =
                if after.starts_with(head) { head.len() } else { (after == bare).then_some(bare.len())? };
            Some(Self { stream: *stream, continues: *continues, text_at: 1 + close + length })
        })
    }

    /// Where among the waiting lines this record's text belongs: the line it continues, or a new one.
    fn place_in(self, waiting: &mut VecDeque<Pending>, number: u64) -> usize {
        if self.continues
            && let Some(at) = waiting.iter().rposition(|line| line.stream == self.stream)
        {
            return at;
        }
        waiting.push_back(Pending { number, stream: self.stream, bytes: Vec::new(), beyond: None });
        waiting.len() - 1
    }
}

/// A line that may still be continued.
#[derive(Debug)]
struct Pending {
    number: u64,
    stream: Stream,
    bytes: Vec<u8>,
    beyond: Option<Beyond>,
}

/// The part of a line that is too much to keep.
#[derive(Debug, Default)]
struct Beyond {
    bytes: usize,
    trouble: bool,
    /// Its last bytes, for a word that two pieces share.
    last: Vec<u8>,
}

impl Pending {
    fn append(&mut self, text: &[u8]) {
        let room = LONGEST_LINE.saturating_sub(self.bytes.len()).min(text.len());
        let (kept, more) = text.split_at(room);
        self.bytes.extend_from_slice(kept);
        if more.is_empty() {
            return;
        }
        let beyond =
            self.beyond.get_or_insert_with(|| Beyond { last: ending(&self.bytes), ..Beyond::default() });
        beyond.bytes += more.len();
        beyond.last.extend_from_slice(more);
        beyond.trouble |= pattern::find(&plain::text(&String::from_utf8_lossy(&beyond.last))).is_some();
        beyond.last = ending(&beyond.last);
    }

    fn tell(self, each: &mut impl FnMut(Line<'_>)) {
        let mut lines = plain::lines(&self.bytes);
        let beyond = self.beyond.unwrap_or_default();
        if let (true, Some(last)) = (beyond.bytes > 0, lines.last_mut()) {
            last.push_str(&format!("… [{} more bytes in this line]", beyond.bytes));
        }
        let last = lines.len() - 1;
        for (at, text) in lines.iter().enumerate() {
            let hidden = (beyond.trouble && at == last).then_some(text.len());
            each(Line { number: self.number, text, trouble: pattern::find(text).or(hidden) });
        }
    }
}

fn ending(bytes: &[u8]) -> Vec<u8> {
    bytes[bytes.len().saturating_sub(pattern::LONGEST)..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(log: &str) -> Vec<(u64, String)> {
        let mut lines = Vec::new();
        read(log.as_bytes(), |line| lines.push((line.number, line.text.to_owned()))).unwrap();
        lines
    }

    fn record(stream: &str, text: &str) -> String {
        format!("[2026-01-12T12:34:56.789Z] [{stream}] {text}\n")
    }

    #[test]
    fn a_records_head_is_taken_off_and_what_has_none_stays_as_it_is() {
        let log = record("stdout", "a [stdout] b") + "[INFO] plain\n" + &record("stderr", "") + "last";
        let expected = [(1, "a [stdout] b"), (2, "[INFO] plain"), (3, ""), (4, "last")];
        assert_eq!(lines(&log), expected.map(|(number, text)| (number, text.to_owned())));
    }

    #[test]
    fn a_continuation_joins_its_own_streams_line() {
        let log = record("stdout", "test a ... FA") + &record("stderr", "noise") + &record("stdout+", "ILED");
        assert_eq!(lines(&log), [(1, "test a ... FAILED".to_owned()), (2, "noise".to_owned())]);
    }

    #[test]
    fn a_continuation_without_its_beginning_is_a_line() {
        assert_eq!(lines(&record("stdout+", "ILED")), [(1, "ILED".to_owned())]);
    }

    #[test]
    fn trouble_far_into_an_endless_line_is_seen_and_the_line_is_not_kept() {
        for far in [LONGEST_LINE - 3, LONGEST_LINE * 2 - 2, LONGEST_LINE * 3 + 7] {
            let log = record("stdout", &format!("{}FATAL{}", "x".repeat(far), "y".repeat(LONGEST_LINE)));
            let mut seen = Vec::new();
            read(log.as_bytes(), |line| seen.push((line.text.len(), line.trouble.is_some()))).unwrap();
            assert_eq!(seen.len(), 1);
            assert!(seen[0].1 && seen[0].0 < LONGEST_LINE + 100, "{far}: {seen:?}");
        }
    }

    #[test]
    fn pieces_of_an_endless_line_wait_in_bounded_memory() {
        let log = record("stdout", "x") + &record("stdout+", &"y".repeat(1000)).repeat(1000);
        let mut longest = 0;
        read(log.as_bytes(), |line| longest = longest.max(line.text.len())).unwrap();
        assert!(longest < LONGEST_LINE + 100);
    }
}
